"""Lab 1: attention among tokens that are their own queries, keys and values."""

import math

from torch import Tensor


def lab1(x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """softmax(x x^T / sqrt(d)) x, step by step; Vaswani et al. 2017, equation 1, with Q = K = V = x.

    Args:
        x: tokens [T, d].

    Returns:
        Raw scores [T, T], weights [T, T], output [T, d].
    """
    scores = x @ x.T  # [T, T]
    weights = (scores / math.sqrt(x.shape[1])).softmax(dim=1)  # [T, T]: each row sums to 1
    output = weights @ x  # [T, d]
    return scores, weights, output
