"""Averaging heads as a special case of concatenating them."""

import torch
from torch import Tensor


def mean_as_concat(W: Tensor, num_heads: int) -> tuple[Tensor, int]:
    """W_O = [W; W; ...] / H, since sum_h head_h (W / H) = mean_h(head_h) W; its rank is the rank of W.

    Args:
        W: [Dh, D].
        num_heads: H.

    Returns:
        W_O [H * Dh, D] and its rank.
    """
    W_O = (W / num_heads).repeat(num_heads, 1)  # [H * Dh, D]: the same block for every head
    return W_O, int(torch.linalg.matrix_rank(W_O))
