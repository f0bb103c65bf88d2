"""Self-attention of tokens that are columns, and masks for torch.nn.MultiheadAttention."""

import math

import torch
from torch import Tensor


def column_attention(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, causal: bool = False) -> Tensor:
    """V softmax(K^T Q / sqrt(Dh)), softmax down each column: Vaswani et al. 2017, section 3.2.1, transposed.

    Args:
        x: one token a column [D, T].
        w_q: [Dh, D].
        w_k: [Dh, D].
        w_v: [Dv, D].
        causal: hide keys later than the query.

    Returns:
        [Dv, T].
    """
    q, k, v = w_q @ x, w_k @ x, w_v @ x  # [Dh, T], [Dh, T], [Dv, T]
    scores = k.T @ q / math.sqrt(q.shape[0])  # [T, T]: a row for each key, a column for each query
    if causal:
        future = torch.ones_like(scores, dtype=torch.bool).tril(-1)  # [T, T]: key > query is below the diagonal
        scores = scores.masked_fill(future, -math.inf)  # [T, T]
    weights = scores.softmax(dim=0)  # [T, T]: each column sums to 1
    return v @ weights  # [Dv, T]


def to_mha_mask(mask: Tensor) -> Tensor:
    """True = may not attend: [T_q, T_kv], or [B, H, T_q, T_kv] as [B * H, T_q, T_kv]; PyTorch, nn.MultiheadAttention.

    Args:
        mask: bool; True = may attend.
    """
    return ~mask if mask.dim() == 2 else ~mask.flatten(0, 1)  # [T_q, T_kv] or [B * H, T_q, T_kv]
