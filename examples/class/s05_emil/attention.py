"""Scaled dot-product attention with an optional mask."""

import math

from torch import Tensor


def scaled_dot_product_attention(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
    """softmax(q k^T / sqrt(Dh)) v, and the weights; Vaswani et al. 2017, section 3.2.1.

    Args:
        q: queries [..., T_q, Dh].
        k: keys [..., T_kv, Dh].
        v: values [..., T_kv, Dv].
        mask: bool, broadcastable to [..., T_q, T_kv]; True = may attend.

    Returns:
        output [..., T_q, Dv] and weights [..., T_q, T_kv].
    """
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])  # [..., T_q, T_kv]
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)  # [..., T_q, T_kv]: exp(-inf) is exactly 0
    weights = scores.softmax(dim=-1)  # [..., T_q, T_kv]
    output = weights @ v  # [..., T_q, Dv]
    return output, weights
