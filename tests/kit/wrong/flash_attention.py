"""Wrong files for flash_attention, each a whole submission as somebody might hand it in."""


# --- no_rescaling
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
    l = torch.zeros(q.shape[:-1], dtype=q.dtype, device=q.device)
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
        alpha = torch.ones_like(m)
        l = l * alpha + p.sum(dim=-1)
        o = o * alpha.unsqueeze(-1) + p @ vb
        m = m_new
    return o / l.unsqueeze(-1)


# --- rescaled_the_wrong_way
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
    l = torch.zeros(q.shape[:-1], dtype=q.dtype, device=q.device)
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
        alpha = torch.exp(m_new - m)
        l = l * alpha + p.sum(dim=-1)
        o = o * alpha.unsqueeze(-1) + p @ vb
        m = m_new
    return o / l.unsqueeze(-1)


# --- no_refusal_and_rescaled_the_wrong_way
import math

import torch


def flash_attention(q, k, v, block, causal=False):
    T_q, T_kv = q.shape[-2], k.shape[-2]
    scale = 1.0 / math.sqrt(q.shape[-1])
    m = torch.full(q.shape[:-1], float("-inf"), dtype=q.dtype, device=q.device)
    l = torch.zeros(q.shape[:-1], dtype=q.dtype, device=q.device)
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
        alpha = torch.exp(m_new - m).nan_to_num(0.0, posinf=0.0)
        l = l * alpha + p.sum(dim=-1)
        o = o * alpha.unsqueeze(-1) + p @ vb
        m = m_new
    return o / l.unsqueeze(-1)


# --- output_not_rescaled
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
    l = torch.zeros(q.shape[:-1], dtype=q.dtype, device=q.device)
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
        l = l * alpha + p.sum(dim=-1)
        o = o + p @ vb
        m = m_new
    return o / l.unsqueeze(-1)


# --- sum_not_rescaled
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
    l = torch.zeros(q.shape[:-1], dtype=q.dtype, device=q.device)
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
        l = l + p.sum(dim=-1)
        o = o * alpha.unsqueeze(-1) + p @ vb
        m = m_new
    return o / l.unsqueeze(-1)


# --- output_divided
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
    l = torch.zeros(q.shape[:-1], dtype=q.dtype, device=q.device)
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
        l = l * alpha + p.sum(dim=-1)
        o = o / alpha.unsqueeze(-1) + p @ vb
        m = m_new
    return o / l.unsqueeze(-1)


# --- maximum_of_the_block
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
    l = torch.zeros(q.shape[:-1], dtype=q.dtype, device=q.device)
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
        m_new = s.max(dim=-1).values
        p = torch.exp(s - m_new.unsqueeze(-1))
        alpha = torch.exp(m - m_new)
        l = l * alpha + p.sum(dim=-1)
        o = o * alpha.unsqueeze(-1) + p @ vb
        m = m_new
    return o / l.unsqueeze(-1)


# --- maximum_of_everything
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
    l = torch.zeros(q.shape[:-1], dtype=q.dtype, device=q.device)
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
        m_new = torch.maximum(m, s.max())
        p = torch.exp(s - m_new.unsqueeze(-1))
        alpha = torch.exp(m - m_new)
        l = l * alpha + p.sum(dim=-1)
        o = o * alpha.unsqueeze(-1) + p @ vb
        m = m_new
    return o / l.unsqueeze(-1)


# --- m_not_updated
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
    l = torch.zeros(q.shape[:-1], dtype=q.dtype, device=q.device)
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
        l = l * alpha + p.sum(dim=-1)
        o = o * alpha.unsqueeze(-1) + p @ vb
    return o / l.unsqueeze(-1)


# --- no_maximum
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
    l = torch.zeros(q.shape[:-1], dtype=q.dtype, device=q.device)
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
        m_new = torch.zeros_like(m)
        p = torch.exp(s - m_new.unsqueeze(-1))
        alpha = torch.ones_like(m)
        l = l * alpha + p.sum(dim=-1)
        o = o * alpha.unsqueeze(-1) + p @ vb
        m = m_new
    return o / l.unsqueeze(-1)


# --- m_starts_at_zero
import math

import torch


def flash_attention(q, k, v, block, causal=False):
    T_q, T_kv = q.shape[-2], k.shape[-2]
    if block < 1:
        raise ValueError("block must be at least 1")
    if causal and T_q > T_kv:
        raise ValueError("more queries than keys")
    scale = 1.0 / math.sqrt(q.shape[-1])
    m = torch.zeros(q.shape[:-1], dtype=q.dtype, device=q.device)
    l = torch.zeros(q.shape[:-1], dtype=q.dtype, device=q.device)
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
        l = l * alpha + p.sum(dim=-1)
        o = o * alpha.unsqueeze(-1) + p @ vb
        m = m_new
    return o / l.unsqueeze(-1)


# --- m_starts_at_minus_1e9
import math

import torch


def flash_attention(q, k, v, block, causal=False):
    T_q, T_kv = q.shape[-2], k.shape[-2]
    if block < 1:
        raise ValueError("block must be at least 1")
    if causal and T_q > T_kv:
        raise ValueError("more queries than keys")
    scale = 1.0 / math.sqrt(q.shape[-1])
    m = torch.full(q.shape[:-1], -1e9, dtype=q.dtype, device=q.device)
    l = torch.zeros(q.shape[:-1], dtype=q.dtype, device=q.device)
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
        l = l * alpha + p.sum(dim=-1)
        o = o * alpha.unsqueeze(-1) + p @ vb
        m = m_new
    return o / l.unsqueeze(-1)


# --- normalised_in_every_block
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
    l = torch.zeros(q.shape[:-1], dtype=q.dtype, device=q.device)
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
        l = l * alpha + p.sum(dim=-1)
        o = (o * alpha.unsqueeze(-1) + p @ vb) / l.unsqueeze(-1)
        m = m_new
    return o


# --- not_divided
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
    l = torch.zeros(q.shape[:-1], dtype=q.dtype, device=q.device)
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
        l = l * alpha + p.sum(dim=-1)
        o = o * alpha.unsqueeze(-1) + p @ vb
        m = m_new
    return o


# --- block_outputs_averaged
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
    l = torch.zeros(q.shape[:-1], dtype=q.dtype, device=q.device)
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
        l = l * alpha + p.sum(dim=-1)
        o = o * alpha.unsqueeze(-1) + p @ vb
        n = start // block
        outs = p @ vb / p.sum(-1, keepdim=True) if n == 0 else (outs * n + p @ vb / p.sum(-1, keepdim=True)) / (n + 1)
    return outs


# --- last_block_dropped
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
    l = torch.zeros(q.shape[:-1], dtype=q.dtype, device=q.device)
    o = torch.zeros(*q.shape[:-1], v.shape[-1], dtype=q.dtype, device=q.device)
    rows = torch.arange(T_q, device=q.device) + (T_kv - T_q)
    for start in range(0, T_kv - block + 1, block):
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
        l = l * alpha + p.sum(dim=-1)
        o = o * alpha.unsqueeze(-1) + p @ vb
        m = m_new
    return o / l.unsqueeze(-1)


# --- only_full_blocks
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
    l = torch.zeros(q.shape[:-1], dtype=q.dtype, device=q.device)
    o = torch.zeros(*q.shape[:-1], v.shape[-1], dtype=q.dtype, device=q.device)
    rows = torch.arange(T_q, device=q.device) + (T_kv - T_q)
    for i in range(max(T_kv // block, 1)):
        start = i * block
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
        l = l * alpha + p.sum(dim=-1)
        o = o * alpha.unsqueeze(-1) + p @ vb
        m = m_new
    return o / l.unsqueeze(-1)


# --- blocks_overlap
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
    l = torch.zeros(q.shape[:-1], dtype=q.dtype, device=q.device)
    o = torch.zeros(*q.shape[:-1], v.shape[-1], dtype=q.dtype, device=q.device)
    rows = torch.arange(T_q, device=q.device) + (T_kv - T_q)
    for start in range(0, T_kv, block):
        end = min(start + block + 1, T_kv)
        kb = k[..., start:end, :]
        vb = v[..., start:end, :]
        s = q @ kb.transpose(-2, -1) * scale
        if causal:
            cols = torch.arange(start, end, device=q.device)
            s = s.masked_fill(cols[None, :] > rows[:, None], float("-inf"))
        m_new = torch.maximum(m, s.max(dim=-1).values)
        p = torch.exp(s - m_new.unsqueeze(-1))
        alpha = torch.exp(m - m_new)
        l = l * alpha + p.sum(dim=-1)
        o = o * alpha.unsqueeze(-1) + p @ vb
        m = m_new
    return o / l.unsqueeze(-1)


# --- last_block_padded_with_zeros
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
    l = torch.zeros(q.shape[:-1], dtype=q.dtype, device=q.device)
    o = torch.zeros(*q.shape[:-1], v.shape[-1], dtype=q.dtype, device=q.device)
    rows = torch.arange(T_q, device=q.device) + (T_kv - T_q)
    for start in range(0, T_kv, block):
        end = min(start + block, T_kv)
        kb = k[..., start:end, :]
        vb = v[..., start:end, :]
        pad = block - (end - start)
        kb = torch.nn.functional.pad(kb, (0, 0, 0, pad))
        vb = torch.nn.functional.pad(vb, (0, 0, 0, pad))
        end = start + block
        s = q @ kb.transpose(-2, -1) * scale
        if causal:
            cols = torch.arange(start, end, device=q.device)
            s = s.masked_fill(cols[None, :] > rows[:, None], float("-inf"))
        m_new = torch.maximum(m, s.max(dim=-1).values)
        p = torch.exp(s - m_new.unsqueeze(-1))
        alpha = torch.exp(m - m_new)
        l = l * alpha + p.sum(dim=-1)
        o = o * alpha.unsqueeze(-1) + p @ vb
        m = m_new
    return o / l.unsqueeze(-1)


# --- block_ignored
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
    l = torch.zeros(q.shape[:-1], dtype=q.dtype, device=q.device)
    o = torch.zeros(*q.shape[:-1], v.shape[-1], dtype=q.dtype, device=q.device)
    rows = torch.arange(T_q, device=q.device) + (T_kv - T_q)
    for start in range(0, T_kv, 64):
        end = min(start + 64, T_kv)
        kb = k[..., start:end, :]
        vb = v[..., start:end, :]
        s = q @ kb.transpose(-2, -1) * scale
        if causal:
            cols = torch.arange(start, end, device=q.device)
            s = s.masked_fill(cols[None, :] > rows[:, None], float("-inf"))
        m_new = torch.maximum(m, s.max(dim=-1).values)
        p = torch.exp(s - m_new.unsqueeze(-1))
        alpha = torch.exp(m - m_new)
        l = l * alpha + p.sum(dim=-1)
        o = o * alpha.unsqueeze(-1) + p @ vb
        m = m_new
    return o / l.unsqueeze(-1)


# --- everything_at_once
import math

import torch


def flash_attention(q, k, v, block, causal=False):
    T_q, T_kv = q.shape[-2], k.shape[-2]
    if block < 1:
        raise ValueError("block must be at least 1")
    if causal and T_q > T_kv:
        raise ValueError("more queries than keys")
    block = T_kv
    scale = 1.0 / math.sqrt(q.shape[-1])
    m = torch.full(q.shape[:-1], float("-inf"), dtype=q.dtype, device=q.device)
    l = torch.zeros(q.shape[:-1], dtype=q.dtype, device=q.device)
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
        l = l * alpha + p.sum(dim=-1)
        o = o * alpha.unsqueeze(-1) + p @ vb
        m = m_new
    return o / l.unsqueeze(-1)


# --- square_mask
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
    l = torch.zeros(q.shape[:-1], dtype=q.dtype, device=q.device)
    o = torch.zeros(*q.shape[:-1], v.shape[-1], dtype=q.dtype, device=q.device)
    mask = torch.ones(T_q, T_kv, dtype=torch.bool, device=q.device).tril(T_kv - T_q)
    rows = torch.arange(T_q, device=q.device) + (T_kv - T_q)
    for start in range(0, T_kv, block):
        end = min(start + block, T_kv)
        kb = k[..., start:end, :]
        vb = v[..., start:end, :]
        s = q @ kb.transpose(-2, -1) * scale
        if causal:
            cols = torch.arange(start, end, device=q.device)
            s = s.masked_fill(~mask[:, start:end], float("-inf"))
        m_new = torch.maximum(m, s.max(dim=-1).values)
        p = torch.exp(s - m_new.unsqueeze(-1))
        alpha = torch.exp(m - m_new)
        l = l * alpha + p.sum(dim=-1)
        o = o * alpha.unsqueeze(-1) + p @ vb
        m = m_new
    return o / l.unsqueeze(-1)


# --- no_scale
import math

import torch


def flash_attention(q, k, v, block, causal=False):
    T_q, T_kv = q.shape[-2], k.shape[-2]
    scale = 1.0
    m = torch.full(q.shape[:-1], float("-inf"), dtype=q.dtype, device=q.device)
    l = torch.zeros(q.shape[:-1], dtype=q.dtype, device=q.device)
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
        l = l * alpha + p.sum(dim=-1)
        o = o * alpha.unsqueeze(-1) + p @ vb
        m = m_new
    return o / l.unsqueeze(-1)


# --- scale_of_the_values
import math

import torch


def flash_attention(q, k, v, block, causal=False):
    T_q, T_kv = q.shape[-2], k.shape[-2]
    if block < 1:
        raise ValueError("block must be at least 1")
    if causal and T_q > T_kv:
        raise ValueError("more queries than keys")
    scale = 1.0 / math.sqrt(v.shape[-1])
    m = torch.full(q.shape[:-1], float("-inf"), dtype=q.dtype, device=q.device)
    l = torch.zeros(q.shape[:-1], dtype=q.dtype, device=q.device)
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
        l = l * alpha + p.sum(dim=-1)
        o = o * alpha.unsqueeze(-1) + p @ vb
        m = m_new
    return o / l.unsqueeze(-1)


# --- scale_of_the_block
import math

import torch


def flash_attention(q, k, v, block, causal=False):
    T_q, T_kv = q.shape[-2], k.shape[-2]
    if block < 1:
        raise ValueError("block must be at least 1")
    if causal and T_q > T_kv:
        raise ValueError("more queries than keys")
    scale = 1.0 / math.sqrt(block)
    m = torch.full(q.shape[:-1], float("-inf"), dtype=q.dtype, device=q.device)
    l = torch.zeros(q.shape[:-1], dtype=q.dtype, device=q.device)
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
        l = l * alpha + p.sum(dim=-1)
        o = o * alpha.unsqueeze(-1) + p @ vb
        m = m_new
    return o / l.unsqueeze(-1)


# --- scale_integer_root
import math

import torch


def flash_attention(q, k, v, block, causal=False):
    T_q, T_kv = q.shape[-2], k.shape[-2]
    if block < 1:
        raise ValueError("block must be at least 1")
    if causal and T_q > T_kv:
        raise ValueError("more queries than keys")
    scale = 1.0 / math.isqrt(q.shape[-1])
    m = torch.full(q.shape[:-1], float("-inf"), dtype=q.dtype, device=q.device)
    l = torch.zeros(q.shape[:-1], dtype=q.dtype, device=q.device)
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
        l = l * alpha + p.sum(dim=-1)
        o = o * alpha.unsqueeze(-1) + p @ vb
        m = m_new
    return o / l.unsqueeze(-1)


# --- scale_twice
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
    l = torch.zeros(q.shape[:-1], dtype=q.dtype, device=q.device)
    o = torch.zeros(*q.shape[:-1], v.shape[-1], dtype=q.dtype, device=q.device)
    rows = torch.arange(T_q, device=q.device) + (T_kv - T_q)
    for start in range(0, T_kv, block):
        end = min(start + block, T_kv)
        kb = k[..., start:end, :]
        vb = v[..., start:end, :]
        s = q * scale @ kb.transpose(-2, -1) * scale
        if causal:
            cols = torch.arange(start, end, device=q.device)
            s = s.masked_fill(cols[None, :] > rows[:, None], float("-inf"))
        m_new = torch.maximum(m, s.max(dim=-1).values)
        p = torch.exp(s - m_new.unsqueeze(-1))
        alpha = torch.exp(m - m_new)
        l = l * alpha + p.sum(dim=-1)
        o = o * alpha.unsqueeze(-1) + p @ vb
        m = m_new
    return o / l.unsqueeze(-1)


# --- causal_ignored
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
    l = torch.zeros(q.shape[:-1], dtype=q.dtype, device=q.device)
    o = torch.zeros(*q.shape[:-1], v.shape[-1], dtype=q.dtype, device=q.device)
    rows = torch.arange(T_q, device=q.device) + (T_kv - T_q)
    for start in range(0, T_kv, block):
        end = min(start + block, T_kv)
        kb = k[..., start:end, :]
        vb = v[..., start:end, :]
        s = q @ kb.transpose(-2, -1) * scale
        if False:
            cols = torch.arange(start, end, device=q.device)
            s = s.masked_fill(cols[None, :] > rows[:, None], float("-inf"))
        m_new = torch.maximum(m, s.max(dim=-1).values)
        p = torch.exp(s - m_new.unsqueeze(-1))
        alpha = torch.exp(m - m_new)
        l = l * alpha + p.sum(dim=-1)
        o = o * alpha.unsqueeze(-1) + p @ vb
        m = m_new
    return o / l.unsqueeze(-1)


# --- causal_top_left
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
    l = torch.zeros(q.shape[:-1], dtype=q.dtype, device=q.device)
    o = torch.zeros(*q.shape[:-1], v.shape[-1], dtype=q.dtype, device=q.device)
    rows = torch.arange(T_q, device=q.device)
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
        l = l * alpha + p.sum(dim=-1)
        o = o * alpha.unsqueeze(-1) + p @ vb
        m = m_new
    return o / l.unsqueeze(-1)


# --- no_refusal_and_causal_top_left
import math

import torch


def flash_attention(q, k, v, block, causal=False):
    T_q, T_kv = q.shape[-2], k.shape[-2]
    scale = 1.0 / math.sqrt(q.shape[-1])
    m = torch.full(q.shape[:-1], float("-inf"), dtype=q.dtype, device=q.device)
    l = torch.zeros(q.shape[:-1], dtype=q.dtype, device=q.device)
    o = torch.zeros(*q.shape[:-1], v.shape[-1], dtype=q.dtype, device=q.device)
    rows = torch.arange(T_q, device=q.device)
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
        l = l * alpha + p.sum(dim=-1)
        o = o * alpha.unsqueeze(-1) + p @ vb
        m = m_new
    return o / l.unsqueeze(-1)


# --- causal_strict
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
    l = torch.zeros(q.shape[:-1], dtype=q.dtype, device=q.device)
    o = torch.zeros(*q.shape[:-1], v.shape[-1], dtype=q.dtype, device=q.device)
    rows = torch.arange(T_q, device=q.device) + (T_kv - T_q)
    for start in range(0, T_kv, block):
        end = min(start + block, T_kv)
        kb = k[..., start:end, :]
        vb = v[..., start:end, :]
        s = q @ kb.transpose(-2, -1) * scale
        if causal:
            cols = torch.arange(start, end, device=q.device)
            s = s.masked_fill(cols[None, :] >= rows[:, None], float("-inf"))
        m_new = torch.maximum(m, s.max(dim=-1).values)
        p = torch.exp(s - m_new.unsqueeze(-1))
        alpha = torch.exp(m - m_new)
        l = l * alpha + p.sum(dim=-1)
        o = o * alpha.unsqueeze(-1) + p @ vb
        m = m_new
    return o / l.unsqueeze(-1)


# --- causal_one_too_far
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
    l = torch.zeros(q.shape[:-1], dtype=q.dtype, device=q.device)
    o = torch.zeros(*q.shape[:-1], v.shape[-1], dtype=q.dtype, device=q.device)
    rows = torch.arange(T_q, device=q.device) + (T_kv - T_q)
    for start in range(0, T_kv, block):
        end = min(start + block, T_kv)
        kb = k[..., start:end, :]
        vb = v[..., start:end, :]
        s = q @ kb.transpose(-2, -1) * scale
        if causal:
            cols = torch.arange(start, end, device=q.device)
            s = s.masked_fill(cols[None, :] > 1 + rows[:, None], float("-inf"))
        m_new = torch.maximum(m, s.max(dim=-1).values)
        p = torch.exp(s - m_new.unsqueeze(-1))
        alpha = torch.exp(m - m_new)
        l = l * alpha + p.sum(dim=-1)
        o = o * alpha.unsqueeze(-1) + p @ vb
        m = m_new
    return o / l.unsqueeze(-1)


# --- causal_inside_each_block
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
    l = torch.zeros(q.shape[:-1], dtype=q.dtype, device=q.device)
    o = torch.zeros(*q.shape[:-1], v.shape[-1], dtype=q.dtype, device=q.device)
    rows = torch.arange(T_q, device=q.device) + (T_kv - T_q)
    for start in range(0, T_kv, block):
        end = min(start + block, T_kv)
        kb = k[..., start:end, :]
        vb = v[..., start:end, :]
        s = q @ kb.transpose(-2, -1) * scale
        if causal:
            cols = torch.arange(end - start, device=q.device)
            s = s.masked_fill(cols[None, :] > rows[:, None], float("-inf"))
        m_new = torch.maximum(m, s.max(dim=-1).values)
        p = torch.exp(s - m_new.unsqueeze(-1))
        alpha = torch.exp(m - m_new)
        l = l * alpha + p.sum(dim=-1)
        o = o * alpha.unsqueeze(-1) + p @ vb
        m = m_new
    return o / l.unsqueeze(-1)


# --- causal_by_blocks
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
    l = torch.zeros(q.shape[:-1], dtype=q.dtype, device=q.device)
    o = torch.zeros(*q.shape[:-1], v.shape[-1], dtype=q.dtype, device=q.device)
    rows = torch.arange(T_q, device=q.device) + (T_kv - T_q)
    for start in range(0, T_kv, block):
        end = min(start + block, T_kv)
        kb = k[..., start:end, :]
        vb = v[..., start:end, :]
        s = q @ kb.transpose(-2, -1) * scale
        if causal:
            cols = torch.arange(start, end, device=q.device)
            s = s.masked_fill(cols[None, :] // block > rows[:, None] // block, float("-inf"))
        m_new = torch.maximum(m, s.max(dim=-1).values)
        p = torch.exp(s - m_new.unsqueeze(-1))
        alpha = torch.exp(m - m_new)
        l = l * alpha + p.sum(dim=-1)
        o = o * alpha.unsqueeze(-1) + p @ vb
        m = m_new
    return o / l.unsqueeze(-1)


# --- causal_inverted
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
    l = torch.zeros(q.shape[:-1], dtype=q.dtype, device=q.device)
    o = torch.zeros(*q.shape[:-1], v.shape[-1], dtype=q.dtype, device=q.device)
    rows = torch.arange(T_q, device=q.device) + (T_kv - T_q)
    for start in range(0, T_kv, block):
        end = min(start + block, T_kv)
        kb = k[..., start:end, :]
        vb = v[..., start:end, :]
        s = q @ kb.transpose(-2, -1) * scale
        if causal:
            cols = torch.arange(start, end, device=q.device)
            s = s.masked_fill(cols[None, :] < rows[:, None], float("-inf"))
        m_new = torch.maximum(m, s.max(dim=-1).values)
        p = torch.exp(s - m_new.unsqueeze(-1))
        alpha = torch.exp(m - m_new)
        l = l * alpha + p.sum(dim=-1)
        o = o * alpha.unsqueeze(-1) + p @ vb
        m = m_new
    return o / l.unsqueeze(-1)


# --- causal_always
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
    l = torch.zeros(q.shape[:-1], dtype=q.dtype, device=q.device)
    o = torch.zeros(*q.shape[:-1], v.shape[-1], dtype=q.dtype, device=q.device)
    rows = torch.arange(T_q, device=q.device) + (T_kv - T_q)
    for start in range(0, T_kv, block):
        end = min(start + block, T_kv)
        kb = k[..., start:end, :]
        vb = v[..., start:end, :]
        s = q @ kb.transpose(-2, -1) * scale
        if T_q <= T_kv:
            cols = torch.arange(start, end, device=q.device)
            s = s.masked_fill(cols[None, :] > rows[:, None], float("-inf"))
        m_new = torch.maximum(m, s.max(dim=-1).values)
        p = torch.exp(s - m_new.unsqueeze(-1))
        alpha = torch.exp(m - m_new)
        l = l * alpha + p.sum(dim=-1)
        o = o * alpha.unsqueeze(-1) + p @ vb
        m = m_new
    return o / l.unsqueeze(-1)


# --- causal_fill_minus_100
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
    l = torch.zeros(q.shape[:-1], dtype=q.dtype, device=q.device)
    o = torch.zeros(*q.shape[:-1], v.shape[-1], dtype=q.dtype, device=q.device)
    rows = torch.arange(T_q, device=q.device) + (T_kv - T_q)
    for start in range(0, T_kv, block):
        end = min(start + block, T_kv)
        kb = k[..., start:end, :]
        vb = v[..., start:end, :]
        s = q @ kb.transpose(-2, -1) * scale
        if causal:
            cols = torch.arange(start, end, device=q.device)
            s = s.masked_fill(cols[None, :] > rows[:, None], -100.0)
        m_new = torch.maximum(m, s.max(dim=-1).values)
        p = torch.exp(s - m_new.unsqueeze(-1))
        alpha = torch.exp(m - m_new)
        l = l * alpha + p.sum(dim=-1)
        o = o * alpha.unsqueeze(-1) + p @ vb
        m = m_new
    return o / l.unsqueeze(-1)


# --- causal_fill_1e9
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
    l = torch.zeros(q.shape[:-1], dtype=q.dtype, device=q.device)
    o = torch.zeros(*q.shape[:-1], v.shape[-1], dtype=q.dtype, device=q.device)
    rows = torch.arange(T_q, device=q.device) + (T_kv - T_q)
    for start in range(0, T_kv, block):
        end = min(start + block, T_kv)
        kb = k[..., start:end, :]
        vb = v[..., start:end, :]
        s = q @ kb.transpose(-2, -1) * scale
        if causal:
            cols = torch.arange(start, end, device=q.device)
            s = s.masked_fill(cols[None, :] > rows[:, None], -1e9)
        m_new = torch.maximum(m, s.max(dim=-1).values)
        p = torch.exp(s - m_new.unsqueeze(-1))
        alpha = torch.exp(m - m_new)
        l = l * alpha + p.sum(dim=-1)
        o = o * alpha.unsqueeze(-1) + p @ vb
        m = m_new
    return o / l.unsqueeze(-1)


# --- causal_fill_zero
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
    l = torch.zeros(q.shape[:-1], dtype=q.dtype, device=q.device)
    o = torch.zeros(*q.shape[:-1], v.shape[-1], dtype=q.dtype, device=q.device)
    rows = torch.arange(T_q, device=q.device) + (T_kv - T_q)
    for start in range(0, T_kv, block):
        end = min(start + block, T_kv)
        kb = k[..., start:end, :]
        vb = v[..., start:end, :]
        s = q @ kb.transpose(-2, -1) * scale
        if causal:
            cols = torch.arange(start, end, device=q.device)
            s = s.masked_fill(cols[None, :] > rows[:, None], 0.0)
        m_new = torch.maximum(m, s.max(dim=-1).values)
        p = torch.exp(s - m_new.unsqueeze(-1))
        alpha = torch.exp(m - m_new)
        l = l * alpha + p.sum(dim=-1)
        o = o * alpha.unsqueeze(-1) + p @ vb
        m = m_new
    return o / l.unsqueeze(-1)


# --- block_not_refused
import math

import torch


def flash_attention(q, k, v, block, causal=False):
    T_q, T_kv = q.shape[-2], k.shape[-2]
    block = max(block, 1)
    if causal and T_q > T_kv:
        raise ValueError("more queries than keys")
    scale = 1.0 / math.sqrt(q.shape[-1])
    m = torch.full(q.shape[:-1], float("-inf"), dtype=q.dtype, device=q.device)
    l = torch.zeros(q.shape[:-1], dtype=q.dtype, device=q.device)
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
        l = l * alpha + p.sum(dim=-1)
        o = o * alpha.unsqueeze(-1) + p @ vb
        m = m_new
    return o / l.unsqueeze(-1)


# --- queries_not_refused
import math

import torch


def flash_attention(q, k, v, block, causal=False):
    T_q, T_kv = q.shape[-2], k.shape[-2]
    if block < 1:
        raise ValueError("block must be at least 1")
    scale = 1.0 / math.sqrt(q.shape[-1])
    m = torch.full(q.shape[:-1], float("-inf"), dtype=q.dtype, device=q.device)
    l = torch.zeros(q.shape[:-1], dtype=q.dtype, device=q.device)
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
        l = l * alpha + p.sum(dim=-1)
        o = o * alpha.unsqueeze(-1) + p @ vb
        m = m_new
    return o / l.unsqueeze(-1)


# --- queries_always_refused
import math

import torch


def flash_attention(q, k, v, block, causal=False):
    T_q, T_kv = q.shape[-2], k.shape[-2]
    if block < 1:
        raise ValueError("block must be at least 1")
    if T_q > T_kv:
        raise ValueError("more queries than keys")
    scale = 1.0 / math.sqrt(q.shape[-1])
    m = torch.full(q.shape[:-1], float("-inf"), dtype=q.dtype, device=q.device)
    l = torch.zeros(q.shape[:-1], dtype=q.dtype, device=q.device)
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
        l = l * alpha + p.sum(dim=-1)
        o = o * alpha.unsqueeze(-1) + p @ vb
        m = m_new
    return o / l.unsqueeze(-1)


# --- equal_refused
import math

import torch


def flash_attention(q, k, v, block, causal=False):
    T_q, T_kv = q.shape[-2], k.shape[-2]
    if block < 1:
        raise ValueError("block must be at least 1")
    if causal and T_q >= T_kv:
        raise ValueError("more queries than keys")
    scale = 1.0 / math.sqrt(q.shape[-1])
    m = torch.full(q.shape[:-1], float("-inf"), dtype=q.dtype, device=q.device)
    l = torch.zeros(q.shape[:-1], dtype=q.dtype, device=q.device)
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
        l = l * alpha + p.sum(dim=-1)
        o = o * alpha.unsqueeze(-1) + p @ vb
        m = m_new
    return o / l.unsqueeze(-1)


# --- two_axes_only
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
    l = torch.zeros(q.shape[:-1], dtype=q.dtype, device=q.device)
    o = torch.zeros(*q.shape[:-1], v.shape[-1], dtype=q.dtype, device=q.device)
    rows = torch.arange(T_q, device=q.device) + (T_kv - T_q)
    for start in range(0, T_kv, block):
        end = min(start + block, T_kv)
        kb = k[..., start:end, :]
        vb = v[..., start:end, :]
        s = q @ kb.T * scale
        if causal:
            cols = torch.arange(start, end, device=q.device)
            s = s.masked_fill(cols[None, :] > rows[:, None], float("-inf"))
        m_new = torch.maximum(m, s.max(dim=-1).values)
        p = torch.exp(s - m_new.unsqueeze(-1))
        alpha = torch.exp(m - m_new)
        l = l * alpha + p.sum(dim=-1)
        o = o * alpha.unsqueeze(-1) + p @ vb
        m = m_new
    return o / l.unsqueeze(-1)


# --- axes_1_and_2
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
    l = torch.zeros(q.shape[:-1], dtype=q.dtype, device=q.device)
    o = torch.zeros(*q.shape[:-1], v.shape[-1], dtype=q.dtype, device=q.device)
    rows = torch.arange(T_q, device=q.device) + (T_kv - T_q)
    for start in range(0, T_kv, block):
        end = min(start + block, T_kv)
        kb = k[..., start:end, :]
        vb = v[..., start:end, :]
        s = q @ kb.transpose(1, 2) * scale
        if causal:
            cols = torch.arange(start, end, device=q.device)
            s = s.masked_fill(cols[None, :] > rows[:, None], float("-inf"))
        m_new = torch.maximum(m, s.max(dim=-1).values)
        p = torch.exp(s - m_new.unsqueeze(-1))
        alpha = torch.exp(m - m_new)
        l = l * alpha + p.sum(dim=-1)
        o = o * alpha.unsqueeze(-1) + p @ vb
        m = m_new
    return o / l.unsqueeze(-1)


# --- four_dimensions
import math

import torch


def flash_attention(q, k, v, block, causal=False):
    B, H, T_q, Dh = q.shape
    T_kv = k.shape[2]
    if block < 1:
        raise ValueError("block must be at least 1")
    if causal and T_q > T_kv:
        raise ValueError("more queries than keys")
    scale = 1.0 / math.sqrt(q.shape[-1])
    m = torch.full(q.shape[:-1], float("-inf"), dtype=q.dtype, device=q.device)
    l = torch.zeros(q.shape[:-1], dtype=q.dtype, device=q.device)
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
        l = l * alpha + p.sum(dim=-1)
        o = o * alpha.unsqueeze(-1) + p @ vb
        m = m_new
    return o / l.unsqueeze(-1)


# --- exact_zero_accumulator_float32
import math

import torch


def flash_attention(q, k, v, block, causal=False):
    T_q, T_kv = q.shape[-2], k.shape[-2]
    if block < 1:
        raise ValueError("block must be at least 1")
    if causal and T_q > T_kv:
        raise ValueError("more queries than keys")
    scale = 1.0 / math.sqrt(q.shape[-1])
    m = torch.full(q.shape[:-1], float("-inf"), dtype=torch.float32, device=q.device)
    l = torch.zeros(q.shape[:-1], dtype=torch.float32, device=q.device)
    o = torch.zeros(*q.shape[:-1], v.shape[-1], dtype=torch.float32, device=q.device)
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
        l = l * alpha + p.sum(dim=-1)
        o = o * alpha.unsqueeze(-1) + p @ vb
        m = m_new
    return o / l.unsqueeze(-1)


# --- accumulators_on_the_cpu
import math

import torch


def flash_attention(q, k, v, block, causal=False):
    T_q, T_kv = q.shape[-2], k.shape[-2]
    if block < 1:
        raise ValueError("block must be at least 1")
    if causal and T_q > T_kv:
        raise ValueError("more queries than keys")
    scale = 1.0 / math.sqrt(q.shape[-1])
    m = torch.full(q.shape[:-1], float("-inf"), dtype=q.dtype)
    l = torch.zeros(q.shape[:-1], dtype=q.dtype)
    o = torch.zeros(*q.shape[:-1], v.shape[-1], dtype=q.dtype)
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
        l = l * alpha + p.sum(dim=-1)
        o = o * alpha.unsqueeze(-1) + p @ vb
        m = m_new
    return o / l.unsqueeze(-1)


# --- q_scaled_in_place
import math

import torch


def flash_attention(q, k, v, block, causal=False):
    T_q, T_kv = q.shape[-2], k.shape[-2]
    if block < 1:
        raise ValueError("block must be at least 1")
    if causal and T_q > T_kv:
        raise ValueError("more queries than keys")
    q *= 1.0 / math.sqrt(q.shape[-1])
    m = torch.full(q.shape[:-1], float("-inf"), dtype=q.dtype, device=q.device)
    l = torch.zeros(q.shape[:-1], dtype=q.dtype, device=q.device)
    o = torch.zeros(*q.shape[:-1], v.shape[-1], dtype=q.dtype, device=q.device)
    rows = torch.arange(T_q, device=q.device) + (T_kv - T_q)
    for start in range(0, T_kv, block):
        end = min(start + block, T_kv)
        kb = k[..., start:end, :]
        vb = v[..., start:end, :]
        s = q @ kb.transpose(-2, -1)
        if causal:
            cols = torch.arange(start, end, device=q.device)
            s = s.masked_fill(cols[None, :] > rows[:, None], float("-inf"))
        m_new = torch.maximum(m, s.max(dim=-1).values)
        p = torch.exp(s - m_new.unsqueeze(-1))
        alpha = torch.exp(m - m_new)
        l = l * alpha + p.sum(dim=-1)
        o = o * alpha.unsqueeze(-1) + p @ vb
        m = m_new
    return o / l.unsqueeze(-1)


# --- maximum_detached_and_sum_too
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
    l = torch.zeros(q.shape[:-1], dtype=q.dtype, device=q.device)
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
        l = l * alpha + p.sum(dim=-1).detach()
        o = o * alpha.unsqueeze(-1) + p @ vb
        m = m_new
    return o / l.unsqueeze(-1)


# --- no_grad
import math

import torch


@torch.no_grad()
def flash_attention(q, k, v, block, causal=False):
    T_q, T_kv = q.shape[-2], k.shape[-2]
    if block < 1:
        raise ValueError("block must be at least 1")
    if causal and T_q > T_kv:
        raise ValueError("more queries than keys")
    scale = 1.0 / math.sqrt(q.shape[-1])
    m = torch.full(q.shape[:-1], float("-inf"), dtype=q.dtype, device=q.device)
    l = torch.zeros(q.shape[:-1], dtype=q.dtype, device=q.device)
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
        l = l * alpha + p.sum(dim=-1)
        o = o * alpha.unsqueeze(-1) + p @ vb
        m = m_new
    return o / l.unsqueeze(-1)


# --- returns_more
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
    l = torch.zeros(q.shape[:-1], dtype=q.dtype, device=q.device)
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
        l = l * alpha + p.sum(dim=-1)
        o = o * alpha.unsqueeze(-1) + p @ vb
        m = m_new
    return o / l.unsqueeze(-1), m + l.log()


# --- squeezed
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
    l = torch.zeros(q.shape[:-1], dtype=q.dtype, device=q.device)
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
        l = l * alpha + p.sum(dim=-1)
        o = o * alpha.unsqueeze(-1) + p @ vb
        m = m_new
    return (o / l.unsqueeze(-1)).squeeze()


# --- keys_viewed
import math

import torch


def flash_attention(q, k, v, block, causal=False):
    T_q, T_kv = q.shape[-2], k.shape[-2]
    if block < 1:
        raise ValueError("block must be at least 1")
    if causal and T_q > T_kv:
        raise ValueError("more queries than keys")
    k = k.view(-1, T_kv, q.shape[-1]).view(k.shape)
    scale = 1.0 / math.sqrt(q.shape[-1])
    m = torch.full(q.shape[:-1], float("-inf"), dtype=q.dtype, device=q.device)
    l = torch.zeros(q.shape[:-1], dtype=q.dtype, device=q.device)
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
        l = l * alpha + p.sum(dim=-1)
        o = o * alpha.unsqueeze(-1) + p @ vb
        m = m_new
    return o / l.unsqueeze(-1)


# --- powers_of_two_unscaled
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
    l = torch.zeros(q.shape[:-1], dtype=q.dtype, device=q.device)
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
        p = torch.exp2(s - m_new.unsqueeze(-1))
        alpha = torch.exp2(m - m_new)
        l = l * alpha + p.sum(dim=-1)
        o = o * alpha.unsqueeze(-1) + p @ vb
        m = m_new
    return o / l.unsqueeze(-1)
