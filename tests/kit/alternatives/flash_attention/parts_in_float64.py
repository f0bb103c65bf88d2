"""Keeps the maximum, sum and output of every block, in float64, and merges them all at the end."""

import math

import torch


def flash_attention(q, k, v, block, causal=False):
    T_q, T_kv = q.shape[-2], k.shape[-2]
    if block < 1 or (causal and T_q > T_kv):
        raise ValueError("no such blocks, or queries without keys")
    q64, k64, v64 = q.double(), k.double(), v.double()
    row = torch.arange(T_kv - T_q, T_kv, device=q.device)
    tops, sums, outs = [], [], []
    for start in range(0, T_kv, block):
        keys, values = k64[..., start : start + block, :], v64[..., start : start + block, :]
        scores = q64 @ keys.transpose(-2, -1) / math.sqrt(q.shape[-1])
        if causal:
            column = torch.arange(start, start + keys.shape[-2], device=q.device)
            scores = scores.masked_fill(column > row[:, None], -math.inf)
        top = scores.amax(-1)
        p = (scores - top.masked_fill(top == -math.inf, 0.0)[..., None]).exp()
        tops.append(top)
        sums.append(p.sum(-1))
        outs.append(p @ values)
    every = torch.stack(tops)
    weight = (every - every.amax(0)).exp()
    total = (weight * torch.stack(sums)).sum(0)
    out = (weight[..., None] * torch.stack(outs)).sum(0)
    return (out / total[..., None]).to(q.dtype)
