"""Multi-head attention that uses its mask; Vaswani et al. 2017, section 3.2.2."""

import math

from torch import Tensor


def masked_multi_head(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, num_heads: int, mask: Tensor | None = None
) -> Tensor:
    """softmax(q k^T / sqrt(Dh)) v for each head, hidden scores at minus infinity, heads joined and projected.

    Args:
        x: inputs [B, T, D].
        w_q, w_k, w_v, w_o: projections [D, D].
        num_heads: a divisor of D.
        mask: bool, broadcastable to [B, num_heads, T, T]; True = may attend.

    Returns:
        [B, T, D].

    Raises:
        ValueError: num_heads does not divide D.
    """
    B, T, D = x.shape
    if D % num_heads:
        raise ValueError(f"{D} channels cannot be split evenly into {num_heads} heads")
    q, k, v = ((x @ w).view(B, T, num_heads, -1).transpose(1, 2) for w in (w_q, w_k, w_v))  # [B, H, T, Dh]
    scores = q @ k.transpose(-2, -1) / math.sqrt(D // num_heads)  # [B, H, T, T]
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)  # [B, H, T, T]
    merged = (scores.softmax(dim=-1) @ v).transpose(1, 2).reshape(B, T, D)  # [B, T, D]
    return merged @ w_o  # [B, T, D]
