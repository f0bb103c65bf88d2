"""From weights back to scores: softmax read backwards."""

from torch import Tensor


def softmax_inverse(w: Tensor) -> Tensor:
    """log w: softmax(log w)_i = w_i / sum_j w_j = w_i, since the weights sum to 1.

    Args:
        w: [n], weights that sum to 1.

    Returns:
        [n], one of the many right answers: they differ by a constant.
    """
    return w.log()  # [n]: log 0 = -inf
