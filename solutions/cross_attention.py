"""Cross-attention: queries from one sequence, keys and values from another."""

import math

from torch import Tensor


def cross_attention(
    x: Tensor, context: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, mask: Tensor | None = None
) -> Tensor:
    """softmax(Q K^T / sqrt(Dh)) V with Q from x, K and V from the context; Vaswani et al. 2017, section 3.2.3.

    Args:
        x: [B, T_q, D].
        context: [B, T_kv, Dc].
        w_q: [D, Dh].
        w_k: [Dc, Dh].
        w_v: [Dc, Dv].
        mask: bool, broadcastable to [B, T_q, T_kv]; True = may attend.

    Returns:
        [B, T_q, Dv].
    """
    q = x @ w_q  # [B, T_q, Dh]
    k, v = context @ w_k, context @ w_v  # [B, T_kv, Dh], [B, T_kv, Dv]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])  # [B, T_q, T_kv]
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)  # [B, T_q, T_kv]
    return scores.softmax(dim=-1) @ v  # [B, T_q, Dv]
