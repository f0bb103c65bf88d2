"""Softmax along any dimension, safe for large logits."""

from torch import Tensor


def softmax(x: Tensor, dim: int = -1) -> Tensor:
    """exp(x_i - m) / sum_j exp(x_j - m) with m the largest entry along dim; any shape, same shape back."""
    shifted = x - x.amax(dim, keepdim=True)  # the largest exponent becomes 0: nothing overflows
    exponentials = shifted.exp()
    return exponentials / exponentials.sum(dim, keepdim=True)
