"""Repair job: rotary attention with its axes mixed up.

A rotation belongs to a position, so the tables of cosines and sines are indexed by position. In the code below queries
and keys are moved to [B, H, T, Dh] before they are rotated, but the tables are spread along the head axis; the values
are left where they were; and the heads are never joined again. As long as there are as many positions as heads nothing
complains, and the answer is silently wrong. Mend the layout. This file stands alone: import nothing from the other
exercises.
"""

import math

import torch
from torch import Tensor


def rotary_attention(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, num_heads: int, cos: Tensor, sin: Tensor
) -> Tensor:
    """Multi-head self-attention with rotary positions; every position sees all.

    Args:
        x: inputs [B, T, D], float32 or float64.
        w_q, w_k, w_v, w_o: projections [D, D], applied as x @ w; head h uses channels h * Dh to (h + 1) * Dh - 1.
        num_heads: a divisor of D; Dh = D / num_heads is even.
        cos, sin: tables [T, Dh] in half-split layout; a vector u at position t becomes
            u * cos[t] + rotate_half(u) * sin[t], where rotate_half puts minus the second half before the first.

    Returns:
        [B, T, D], in the dtype and on the device of x. Queries and keys are rotated, values are not.
    """
    B, T, D = x.shape
    q, k, v = ((x @ w).view(B, T, num_heads, -1) for w in (w_q, w_k, w_v))
    q, k = q.transpose(1, 2), k.transpose(1, 2)
    half = q.shape[-1] // 2
    q, k = (u * cos[:, None] + torch.cat([-u[..., half:], u[..., :half]], dim=-1) * sin[:, None] for u in (q, k))
    weights = (q @ k.transpose(-2, -1) / math.sqrt(2 * half)).softmax(dim=-1)
    return (weights @ v).reshape(B, T, D)
