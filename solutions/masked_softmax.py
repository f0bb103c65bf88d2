"""Softmax over the visible entries of each row; rows without any are 0."""

import math

from torch import Tensor


def masked_softmax(scores: Tensor, mask: Tensor, dim: int = -1) -> Tensor:
    """exp(s_i) / sum over visible j of exp(s_j) for visible i, else 0; the rule for dead rows is that of PyTorch's
    scaled_dot_product_attention.

    Args:
        scores: [...].
        mask: bool, broadcastable to [...]; True = may attend.
        dim: the dimension along which a row runs.

    Returns:
        Weights [...]; 0 where the mask is False, also throughout a row that has no True.
    """
    hidden = ~mask
    weights = scores.masked_fill(hidden, -math.inf).softmax(dim)  # [...]: NaN throughout a row without a True
    return weights.masked_fill(hidden, 0.0)  # [...]: replaced, not multiplied, and no gradient gets through
