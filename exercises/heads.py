"""Attention heads: share the channels of a model out among heads, and put them back together.

Multi-head attention runs several small attentions side by side. Each head works on its own block of neighbouring
channels: 512 channels and 8 heads make 64 channels a head. Attention runs over tokens, so the tokens have to come right
before the channels, and the heads become one more dimension next to the batch.
"""

from torch import Tensor


def split_heads(x: Tensor, num_heads: int) -> Tensor:
    """Share the channels out among the heads; head 0 gets the first block, head 1 the next, and so on.

    Args:
        x: Tensor [B, T, D]: batch, tokens, channels; any float dtype, any memory layout.
        num_heads: number of heads H.

    Returns:
        Tensor [B, H, T, D/H] of the same dtype, on the same device. Entry [b, h, t, c] is x[b, t, h * D/H + c].

    Raises:
        ValueError: D is not divisible by num_heads.

    Example:
        x [32, 100, 512] and 8 heads give [32, 8, 100, 64].
        With D = 12 and 3 heads, entry [b, 2, t, 1] of the result is x[b, t, 9].
        x = [[[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]]] (B = 1, T = 2, D = 6) and 2 heads give
        [[[[0, 1, 2], [6, 7, 8]], [[3, 4, 5], [9, 10, 11]]]].
    """
    raise NotImplementedError


def merge_heads(x: Tensor) -> Tensor:
    """Put the heads of each token side by side again, head 0 first: the inverse of split_heads.

    Args:
        x: Tensor [B, H, T, Dh]: batch, heads, tokens, channels of a head; any float dtype, any memory layout.

    Returns:
        Tensor [B, T, H * Dh] of the same dtype, on the same device. Entry [b, t, h * Dh + c] is x[b, h, t, c].

    Example:
        x [32, 8, 100, 64] gives [32, 100, 512], and merge_heads(split_heads(y, 8)) equals y.
    """
    raise NotImplementedError
