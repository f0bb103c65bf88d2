"""Concatenate the heads, or average them?

Multi-head attention puts its heads side by side and multiplies by W_O [H * Dh, D]. Why not simply average the heads
and multiply the mean by a small matrix W [Dh, D]? It would be cheaper, and it would give up something. This exercise
says precisely what: averaging is one special case of concatenating. There is a matrix W_O for which both give the same
output, whatever the heads hold:

    [head_0 | head_1 | ... ] W_O  =  mean(head_0, head_1, ...) W

Find it, and count its rank: the number of directions in which its output can move. A W_O that is learned may have any
rank up to min(H * Dh, D), and may treat every head differently; this one cannot.
"""

from torch import Tensor


def mean_as_concat(W: Tensor, num_heads: int) -> tuple[Tensor, int]:
    """The W_O with which concatenated heads give what their mean gives with W.

    Args:
        W: matrix [Dh, D], float32 or float64, used as mean @ W.
        num_heads: number of heads H, 1 or more.

    Returns:
        W_O [H * Dh, D], used as merged @ W_O, in the dtype and on the device of W; and its rank, an int. W may have
        any rank. It is not changed; gradients flow from W_O to it.

    Example: for W = [[2, 4, 6]] (Dh = 1, D = 3) and 2 heads
        -> [[1, 2, 3], [1, 2, 3]] and 1
    """
    raise NotImplementedError
