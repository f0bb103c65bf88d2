"""A cache of keys and values in int8, with a bound for the error that it makes.

In decode a model reads its whole cache for each token that it writes. Numbers of one byte in place of two or four make
that faster, and leave room for longer texts. So each group of numbers is divided by a scale of its own, rounded to
whole numbers from -127 to 127, and multiplied by the scale again where it is used.

Which numbers share a scale is a choice. With one scale for each token (the group runs along the channels) a token can
be written into the cache for good when it comes. With one for each channel (the group runs along the tokens) a channel
whose entries are all large, as keys often have, does not spoil the others.

This file stands alone: import nothing from the other exercises. PyTorch's softmax may be used, its quantization not.
"""

from torch import Tensor


def quantize(x: Tensor, dim: int = -1) -> tuple[Tensor, Tensor]:
    """Turn numbers into int8, with a scale for each group of numbers along `dim`.

    The scale of a group is its largest absolute value divided by 127. A code is the quotient of number and scale,
    rounded to the nearest whole number. A group of zeros has the scale 0 and the codes 0.

    Args:
        x: keys or values [..., T, Dh] in any float dtype.
        dim: the dimension along which numbers share a scale: -1 for a scale of each token, -2 for one of each channel.

    Returns:
        (codes, scale): int8 of the shape of x; and float32 (float64 for float64 x) with size 1 at dim. Both are on the
        device of x, which is not changed. No gradient is needed.

    Example:
        quantize(tensor([[1.1, -2.0], [0.3, 0.1]])) -> ([[70, -127], [127, 42]], [[0.0157], [0.0024]])
        quantize(tensor([[1.1, -2.0], [0.3, 0.1]]), dim=-2) -> ([[127, -127], [35, 6]], [[0.0087, 0.0157]])
    """
    raise NotImplementedError


def dequantize(codes: Tensor, scale: Tensor) -> Tensor:
    """Turn int8 back into numbers.

    Args:
        codes: int8 [..., T, Dh].
        scale: float32 or float64, broadcastable to codes, such as [..., T, 1] or [..., 1, Dh].

    Returns:
        [..., T, Dh] in the dtype of scale, on its device.

    Example:
        dequantize(tensor([[127, -64]], dtype=torch.int8), tensor([[0.5]])) -> [[63.5, -32.0]]
    """
    raise NotImplementedError


def score_error_bound(q: Tensor, codes: Tensor, scale: Tensor) -> Tensor:
    """Bound how far the scaled scores may be off that are computed with dequantized keys.

    An entry of a dequantized key is off by half of its scale at most. A score is the sum of the products of a query's
    and a key's channels, divided by sqrt(Dh): in the worst case all errors have the sign of their query's entry.

    Args:
        q: queries [..., T_q, Dh].
        codes: the keys' codes, int8 [..., T_kv, Dh].
        scale: their scale, [..., T_kv, 1] or [..., 1, Dh].

    Returns:
        [..., T_q, T_kv] in the dtype of scale, on its device: the smallest number that no error of such keys exceeds.

    Example:
        score_error_bound(tensor([[3., -1.]]), tensor([[127, 5], [9, 127]], dtype=torch.int8), tensor([[0.2], [0.4]]))
            -> [[0.2828, 0.5657]]
    """
    raise NotImplementedError


def int8_attention(q: Tensor, keys: tuple[Tensor, Tensor], values: tuple[Tensor, Tensor]) -> Tensor:
    """Attention of queries over a quantized cache: softmax(q k^T / sqrt(Dh)) v, with dequantized keys and values.

    Args:
        q: queries [..., T_q, Dh]. Each sees all keys.
        keys: codes [..., T_kv, Dh] and scale, as quantize gives them.
        values: codes [..., T_kv, Dv] and scale; it may have another dim than that of the keys.

    Returns:
        [..., T_q, Dv] in the dtype and on the device of q, computed in the dtype of the scales or a wider one. The
        inputs are not changed.

    Example:
        q = tensor([[1.0, 0.0]])
        keys = tensor([[127, 0], [0, 127]], dtype=torch.int8), tensor([[1 / 127], [1 / 127]])
        values = tensor([[100], [-50]], dtype=torch.int8), tensor([[0.1]])
        int8_attention(q, keys, values) -> [[5.0464]]
    """
    raise NotImplementedError
