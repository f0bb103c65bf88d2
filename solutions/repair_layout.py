"""Rotary attention with its axes in order; Su et al. 2021, in the half-split layout of Llama."""

import math

import torch
from torch import Tensor


def rotary_attention(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, num_heads: int, cos: Tensor, sin: Tensor
) -> Tensor:
    """softmax(rot(q) rot(k)^T / sqrt(Dh)) v for each head, heads joined and projected.

    Args:
        x: inputs [B, T, D].
        w_q, w_k, w_v, w_o: projections [D, D].
        num_heads: a divisor of D.
        cos, sin: tables [T, Dh].

    Returns:
        [B, T, D].
    """
    B, T, D = x.shape
    q, k, v = ((x @ w).view(B, T, num_heads, -1).transpose(1, 2) for w in (w_q, w_k, w_v))  # [B, H, T, Dh]
    half = q.shape[-1] // 2
    q, k = (u * cos + torch.cat([-u[..., half:], u[..., :half]], dim=-1) * sin for u in (q, k))  # [B, H, T, Dh]
    weights = (q @ k.transpose(-2, -1) / math.sqrt(2 * half)).softmax(dim=-1)  # [B, H, T, T]
    return (weights @ v).transpose(1, 2).reshape(B, T, D) @ w_o  # [B, T, D]
