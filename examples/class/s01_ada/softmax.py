"""Softmax along any dimension, safe for large logits."""

from torch import Tensor


def softmax(x: Tensor, dim: int = -1) -> Tensor:
    """exp(x_i - m) / sum_j exp(x_j - m), m the largest entry along `dim`; any shape [...], the same shape back."""
    m = x.amax(dim, keepdim=True)  # [..., 1, ...]: size 1 along dim
    e = (x - m).exp()  # [...]: the largest exponent is 0, so nothing overflows
    return e / e.sum(dim, keepdim=True)  # [...]
