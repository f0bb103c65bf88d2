"""Grouped-query attention: several query heads share one key and value head."""

import math

from torch import Tensor


def repeat_kv(x: Tensor, n_rep: int) -> Tensor:
    """Each head of x [B, H_kv, T, Dh] n_rep times in a row: [B, H_kv * n_rep, T, Dh], order h0 h0 h1 h1."""
    return x.repeat(1, n_rep, 1, 1)  # [B, H_kv * n_rep, T, Dh]


def grouped_query_attention(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
    """Scaled dot-product attention where query head h uses key and value head h // (H / H_kv); Ainslie et al. 2023.

    Args:
        q: queries [B, H, T_q, Dh].
        k: keys [B, H_kv, T_kv, Dh].
        v: values [B, H_kv, T_kv, Dv].
        mask: bool, broadcastable to [B, H, T_q, T_kv]; True = may attend.

    Returns:
        output [B, H, T_q, Dv] and weights [B, H, T_q, T_kv].

    Raises:
        ValueError: H is not a multiple of H_kv.
    """
    H, H_kv = q.shape[1], k.shape[1]
    if H % H_kv:
        raise ValueError(f"{H} query heads cannot share {H_kv} key and value heads equally")
    k = repeat_kv(k, H // H_kv)  # [B, H, T_kv, Dh]
    v = repeat_kv(v, H // H_kv)  # [B, H, T_kv, Dv]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])  # [B, H, T_q, T_kv]
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)  # [B, H, T_q, T_kv]
    weights = scores.softmax(dim=-1)  # [B, H, T_q, T_kv]
    output = weights @ v  # [B, H, T_q, Dv]
    return output, weights
