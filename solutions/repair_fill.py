"""Masked attention for any dtype, with rows that see nothing; the zeros are the convention of torch's fused
attention."""

import math

import torch
from torch import Tensor


def attention_with_mask(q: Tensor, k: Tensor, v: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
    """softmax(q k^T / sqrt(Dh)) v over the visible keys; zeros where there is none.

    Args:
        q: queries [..., T_q, Dh].
        k: keys [..., T_kv, Dh].
        v: values [..., T_kv, Dv].
        mask: bool, broadcastable to [..., T_q, T_kv]; True = may attend.

    Returns:
        output [..., T_q, Dv] and weights [..., T_q, T_kv].
    """
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])  # [..., T_q, T_kv]
    scores = scores.masked_fill(~mask, torch.finfo(q.dtype).min)  # finite: a row that sees nothing has no NaN
    weights = scores.softmax(dim=-1).masked_fill(~mask, 0.0)  # [..., T_q, T_kv]
    return weights @ v, weights
