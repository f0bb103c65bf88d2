"""Queries in tiles too; hidden tiles are skipped; sums in float32."""

import math

import torch


def tile(q, k, v, block, offset, causal):
    wide = torch.float64 if q.dtype == torch.float64 else torch.float32
    m = torch.full(q.shape[:-1], -math.inf, dtype=wide, device=q.device)
    l = torch.zeros_like(m)
    acc = torch.zeros(*q.shape[:-1], v.shape[-1], dtype=wide, device=q.device)
    rows = torch.arange(q.shape[-2], device=q.device)[:, None] + offset
    for j in range(0, k.shape[-2], block):
        if causal and j > offset + q.shape[-2] - 1:
            break
        s = q.to(wide) @ k[..., j : j + block, :].to(wide).transpose(-1, -2) * q.shape[-1] ** -0.5
        if causal:
            s = torch.where(torch.arange(j, j + s.shape[-1], device=q.device) <= rows, s, -math.inf)
        new = torch.maximum(m, s.max(-1).values)
        base = torch.where(new == -math.inf, torch.zeros_like(new), new)
        p = torch.exp(s - base[..., None])
        a = torch.exp(m - base)
        l, acc, m = a * l + p.sum(-1), a[..., None] * acc + p @ v[..., j : j + block, :].to(wide), new
    return (acc / l[..., None]).to(q.dtype)


def flash_attention(q, k, v, block, causal=False):
    T_q, T_kv = q.shape[-2], k.shape[-2]
    if block <= 0:
        raise ValueError("block must be positive")
    if causal and T_kv < T_q:
        raise ValueError("queries before the first key")
    rows = [tile(q[..., i : i + block, :], k, v, block, i + T_kv - T_q, causal) for i in range(0, T_q, block)]
    return torch.cat(rows, dim=-2)
