"""Causal self-attention with its output projection; Vaswani et al. 2017, section 3.2."""

import math

import torch
from torch import Tensor


def attention_sublayer(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor) -> Tensor:
    """softmax(q k^T / sqrt(D_k)) v w_o, where each position sees itself and what is before it.

    Args:
        x: inputs [..., T, D].
        w_q, w_k: projections [D, D_k].
        w_v: projection [D, D_v].
        w_o: output projection [D_v, D].

    Returns:
        [..., T, D].
    """
    q, k, v = x @ w_q, x @ w_k, x @ w_v  # [..., T, D_k], [..., T, D_k], [..., T, D_v]
    scores = q @ k.transpose(-2, -1) / math.sqrt(w_q.shape[-1])  # [..., T, T]
    visible = torch.ones_like(scores, dtype=torch.bool).tril()  # [..., T, T]
    weights = scores.masked_fill(~visible, -math.inf).softmax(dim=-1)  # [..., T, T]
    return weights @ v @ w_o  # [..., T, D]
