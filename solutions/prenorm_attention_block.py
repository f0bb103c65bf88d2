"""A residual attention block with the normalisation in front: x + Attention(RMSNorm(x))."""

import math

import torch
from torch import Tensor


def prenorm_attention_block(x: Tensor, W: list[Tensor], mask: Tensor | None = None) -> Tensor:
    """x + softmax(Q K^T / sqrt(Dh)) V W_O with Q, K and V from RMSNorm(x); pre-norm as in Llama, one head.

    Args:
        x: tokens [..., T, D].
        W: W_Q [D, Dh], W_K [D, Dh], W_V [D, Dv], W_O [Dv, D].
        mask: bool, broadcastable to [..., T, T]; True = may attend.

    Returns:
        [..., T, D].
    """
    w_q, w_k, w_v, w_o = W
    h = rms_norm(x)  # [..., T, D]
    q, k, v = h @ w_q, h @ w_k, h @ w_v  # [..., T, Dh], [..., T, Dh], [..., T, Dv]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])  # [..., T, T]
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)  # [..., T, T]
    update = scores.softmax(dim=-1) @ v @ w_o  # [..., T, D]
    return x + update  # [..., T, D]: the raw x goes past attention, not the normalised one


def rms_norm(x: Tensor) -> Tensor:
    """x / sqrt(mean(x^2) + 1e-6) along the last dimension of x [..., D]; Zhang and Sennrich 2019."""
    wide = x.to(torch.promote_types(x.dtype, torch.float32))  # [..., D]: squares fit
    return (wide * torch.rsqrt(wide.square().mean(dim=-1, keepdim=True) + 1e-6)).to(x.dtype)  # [..., D]
