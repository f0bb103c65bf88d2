"""Fused attention with torch's own mask for queries that are the last positions."""

import math

import torch
import torch.nn.functional as F
from torch.nn.attention.bias import causal_lower_right


def rotate(x, start, theta):
    half = x.shape[3] // 2
    frequency = theta ** (-torch.arange(half, device=x.device).float() / half)  # [Dh/2]
    position = torch.arange(start, start + x.shape[1], device=x.device).float()  # [T]
    angle = torch.outer(position, frequency).unsqueeze(1)  # [T, 1, Dh/2]
    cos, sin = angle.cos(), angle.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1).to(x.dtype)


def prefill(x, W, num_heads, num_kv_heads, past=None, flash=True, theta=1e6):
    B, T, C = x.shape
    q = (x @ W[0]).view(B, T, num_heads, -1)
    k = (x @ W[1]).view(B, T, num_kv_heads, -1)
    v = (x @ W[2]).view(B, T, num_kv_heads, -1)
    start = past[0].shape[1] if past is not None else 0
    q, k = rotate(q, start, theta), rotate(k, start, theta)
    if past is not None:
        k = torch.cat([past[0], k], dim=1)
        v = torch.cat([past[1], v], dim=1)
    past = (k, v)
    n_rep = num_heads // num_kv_heads
    q = q.transpose(1, 2)
    k = k.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    v = v.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    seen = torch.ones(T, start + T, dtype=torch.bool, device=x.device).tril(start)
    if flash and T > 1:
        heads = F.scaled_dot_product_attention(q, k, v, attn_mask=causal_lower_right(T, start + T))
    else:
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        scores = scores.masked_fill(~seen, float("-inf"))
        heads = scores.softmax(dim=-1).to(q.dtype) @ v
    return heads.transpose(1, 2).reshape(B, T, C) @ W[3], past
