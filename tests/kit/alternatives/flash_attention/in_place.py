"""What is carried along is updated in place."""

import math

import torch


def flash_attention(q, k, v, block, causal=False):
    T_q, T_kv = q.shape[-2], k.shape[-2]
    if block < 1:
        raise ValueError("block must be at least 1")
    if causal and T_q > T_kv:
        raise ValueError("more queries than keys")
    scale = 1.0 / math.sqrt(q.shape[-1])
    m = torch.full(q.shape[:-1], float("-inf"), dtype=q.dtype, device=q.device)
    total = torch.zeros(q.shape[:-1], dtype=q.dtype, device=q.device)
    o = torch.zeros(*q.shape[:-1], v.shape[-1], dtype=q.dtype, device=q.device)
    rows = torch.arange(T_q, device=q.device) + (T_kv - T_q)
    for start in range(0, T_kv, block):
        end = min(start + block, T_kv)
        kb = k[..., start:end, :]
        vb = v[..., start:end, :]
        s = q @ kb.transpose(-2, -1) * scale
        if causal:
            cols = torch.arange(start, end, device=q.device)
            s = s.masked_fill(cols[None, :] > rows[:, None], float("-inf"))
        m_new = torch.maximum(m, s.max(dim=-1).values)
        p = torch.exp(s - m_new.unsqueeze(-1))
        alpha = torch.exp(m - m_new)
        total.mul_(alpha).add_(p.sum(dim=-1))
        o.mul_(alpha.unsqueeze(-1)).add_(p @ vb)
        m = m_new
    return o / total.unsqueeze(-1)
