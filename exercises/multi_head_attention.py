"""Multi-head attention as a formula.

One softmax row can follow one pattern only. Multi-head attention runs several patterns side by side: it cuts queries,
keys and values into H blocks of Dh = D / H channels, lets every block attend for itself, and mixes what the blocks
found with one last matrix:

    head_i = attention(block i of x W_Q, block i of x W_K, block i of x W_V)
    output = [head_0 | head_1 | ... ] W_O

Each head takes dot products over Dh channels, so its scores are divided by sqrt(Dh), not by sqrt(D). The matrices do
not change with H, so 8 heads have exactly as many parameters as 1. No head is told what to look for.

Here the four matrices are used as x @ W, and each product gets its bias. Softmax may be borrowed from PyTorch; its
fused attention may not. This file stands alone: import nothing from the other exercises.
"""

from torch import Tensor


def multi_head_attention(
    x: Tensor, W: list[Tensor], biases: list[Tensor], num_heads: int, mask: Tensor | None = None
) -> Tensor:
    """Self-attention with several heads, from input tokens to output tokens.

    Args:
        x: tokens [B, T, D].
        W: the matrices W_Q, W_K, W_V, W_O, each [D, D], used as x @ W. Head i owns the columns i * D/H to
            (i + 1) * D/H - 1 of the first three, and the same rows of W_O.
        biases: their biases, each [D]; the last one is added to the output.
        num_heads: number of heads H.
        mask: bool with 2 or 4 dimensions, broadcastable to [B, H, T, T]; True = this query may attend to this key.
            Each row has a True. None: every token sees every token.

    Returns:
        Tensor [B, T, D] in the dtype and on the device of x. Hidden tokens get a weight below 1e-6, also in float16.
        The inputs are not changed; gradients flow to x, to the matrices and to the biases.

    Raises:
        ValueError: D is not divisible by num_heads.

    Example, with x = [[[1, 0], [0, 1], [1, 1]]], all four matrices the identity and all biases 0:
        1 head  -> [[[0.8022, 0.5989], [0.5989, 0.8022], [0.7517, 0.7517]]]
        2 heads -> [[[0.8446, 0.6667], [0.6667, 0.8446], [0.8446, 0.8446]]]
    """
    raise NotImplementedError
