"""Multi-head attention with padding; the mask gets the axes that it lacks before it is broadcast."""

import math

from torch import Tensor


def padded_attention(q: Tensor, k: Tensor, v: Tensor, mask: Tensor) -> Tensor:
    """softmax(q k^T / sqrt(Dh)) v over the keys that each example shows.

    Args:
        q, k, v: [B, H, T, Dh].
        mask: bool [B, T] or [B, T, T]; True = may be seen.

    Returns:
        [B, H, T, Dh].

    Raises:
        ValueError: the mask has neither 2 nor 3 dimensions.
    """
    if mask.dim() not in (2, 3):
        raise ValueError(f"the mask must be [B, T] or [B, T, T], not {list(mask.shape)}")
    mask = mask[:, None, None, :] if mask.dim() == 2 else mask[:, None]  # [B, 1, 1, T] or [B, 1, T, T]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])  # [B, H, T, T]
    return scores.masked_fill(~mask, -math.inf).softmax(dim=-1) @ v  # [B, H, T, Dh]
