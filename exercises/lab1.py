"""Lab 1: attention by hand, from the first number to the last.

Before any matrix is learned, let the tokens speak for themselves: queries, keys and values are all the same, the
tokens x. Three lines are left, and each deserves a look at its numbers:

    scores  = x x^T                        how much each token has in common with each
    weights = softmax(scores / sqrt(d))    what share of its attention a token gives to each, row by row
    output  = weights x                    each token, mixed with those that it attends to

Work it out on paper for [1, 0], [0, 1] and [1, 1] first. Then change the third token to [2, 0] and say, before you
compute, which of its weights will rise. All three results are asked for, the scores as they are before the scaling.
Softmax may be borrowed from PyTorch; its fused attention may not. This file stands alone: import nothing from the
other exercises.
"""

from torch import Tensor


def lab1(x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Self-attention without projections: queries = keys = values = x.

    Args:
        x: tokens [T, d], one row a token, any float dtype.

    Returns:
        scores [T, T]: the raw dot products, not scaled.
        weights [T, T]: softmax of each row of scores / sqrt(d).
        output [T, d]: the mixes of tokens.
        All in the dtype and on the device of x. x is not changed; gradients flow back to it from all three.

    Example:
        lab1(tensor([[1., 0.], [0., 1.], [1., 1.]]))
            -> scores  [[1, 0, 1], [0, 1, 1], [1, 1, 2]]
               weights [[0.4011, 0.1978, 0.4011], [0.1978, 0.4011, 0.4011], [0.2483, 0.2483, 0.5035]]
               output  [[0.8022, 0.5989], [0.5989, 0.8022], [0.7517, 0.7517]]
    """
    raise NotImplementedError
