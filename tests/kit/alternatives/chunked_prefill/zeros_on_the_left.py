"""The square mask as it was, with columns of zeros for the cached keys on its left."""

import math

import torch
import torch.nn.functional as F


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
    past_is_empty = past is None
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
    if flash and past_is_empty:
        heads = F.scaled_dot_product_attention(q, k, v, is_causal=True)
    else:
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        future = torch.full((T, T), float("-inf"), device=x.device).triu(1)
        scores = scores + torch.cat([torch.zeros(T, start, device=x.device), future], dim=1)
        heads = scores.softmax(dim=-1).to(q.dtype) @ v
    return heads.transpose(1, 2).reshape(B, T, C) @ W[3], past
