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


# --- two_slips_1
import torch
from torch import Tensor


def flash_attention(q: Tensor, k: Tensor, v: Tensor, block: int, causal: bool = False) -> Tensor:
    n_q, n_k = q.shape[-2], k.shape[-2]
    if block < 1:
        raise ValueError("block must be positive")
    if causal and n_q > n_k:
        raise ValueError("more queries than keys")
    m = torch.full_like(q[..., 0], float("-inf"))
    l = torch.zeros_like(m)  # noqa: E741
    acc = torch.zeros(*q.shape[:-1], v.shape[-1], dtype=q.dtype, device=q.device)
    for i in range(0, n_k, block):
        kb, vb = k[..., i : i + block, :], v[..., i : i + block, :]
        s = q @ kb.transpose(-1, -2)
        if causal:
            cols = torch.arange(i, i + kb.shape[-2], device=q.device)
            rows = torch.arange(n_q, device=q.device)[:, None] + (n_k - n_q)
            s = s.masked_fill(cols > rows, float("-inf"))
        m_new = torch.maximum(m, s.max(dim=-1).values)
        p = torch.exp(s - m_new[..., None])
        alpha = torch.exp(m - m_new)
        l = l * alpha + p.sum(-1)  # noqa: E741
        acc = acc + p @ vb
        m = m_new
    return acc / l[..., None]


# --- two_slips_2
import math

import torch
from torch import Tensor


def _hide(scores: Tensor, start: int, offset: int) -> Tensor:
    row = torch.arange(scores.shape[-2], device=scores.device) + offset
    col = torch.arange(scores.shape[-1], device=scores.device) + start
    return scores.masked_fill(col[None, :] > row[:, None], -math.inf)


def flash_attention(q: Tensor, k: Tensor, v: Tensor, block: int, causal: bool = False) -> Tensor:
    T_q, T_kv = q.size(-2), k.size(-2)
    if block <= 0 or (causal and T_kv < T_q):
        raise ValueError("invalid block or lengths")
    scaled = q / math.sqrt(q.size(-1))
    best = q.new_full((*q.shape[:-1], 1), -math.inf)
    denominator = q.new_zeros((*q.shape[:-1], 1))
    out = 0
    for start in range(0, T_kv, block):
        stop = min(start + block, T_kv)
        sc = scaled @ k[..., start:stop, :].mT
        if causal:
            sc = _hide(sc, start, 0)
        top = torch.maximum(best, sc.amax(dim=-1, keepdim=True))
        w = (sc - top).exp()
        decay = (best - top).exp()
        denominator = denominator * decay + w.sum(dim=-1, keepdim=True)
        out = out * decay + w @ v[..., start:stop, :]
        best = top
    return out


# --- two_slips_3
import torch
from torch import Tensor


def flash_attention(q: Tensor, k: Tensor, v: Tensor, block: int, causal: bool = False) -> Tensor:
    T_q, T_kv, d = q.shape[-2], k.shape[-2], q.shape[-1]
    if block < 1 or (causal and T_q > T_kv):
        raise ValueError(f"block={block}, T_q={T_q}, T_kv={T_kv}")
    m = torch.full(q.shape[:-1], -torch.inf, dtype=q.dtype, device=q.device)
    total = torch.zeros(q.shape[:-1], dtype=q.dtype, device=q.device)
    o = torch.zeros(q.shape[:-1] + (v.shape[-1],), dtype=q.dtype, device=q.device)
    last = torch.arange(T_q, device=q.device) + T_kv - T_q
    blocks = T_kv // block
    for b in range(blocks):
        idx = torch.arange(b * block, min((b + 1) * block, T_kv), device=q.device)
        s = torch.einsum("...qd,...kd->...qk", q, k[..., idx, :]) * d**-0.5
        if causal:
            s = s.masked_fill(idx > last.unsqueeze(-1), -torch.inf)
        new_m = s.amax(-1)
        e = torch.exp(s - new_m.unsqueeze(-1))
        c = torch.exp(m - new_m)
        total = c * total + e.sum(-1)
        o = c.unsqueeze(-1) * o + torch.einsum("...qk,...kv->...qv", e, v[..., idx, :])
        m = new_m
    return o / total.unsqueeze(-1)


# --- two_slips_4
import math

import torch
from torch import Tensor


def flash_attention(q: Tensor, k: Tensor, v: Tensor, block: int, causal: bool = False) -> Tensor:
    if block < 1:
        raise ValueError("block")
    n_q, n_kv = q.shape[-2], k.shape[-2]
    scale = 1 / math.sqrt(q.shape[-1])
    m, l, o = None, None, None  # noqa: E741
    for lo in range(0, n_kv, block):
        k_part, v_part = k.narrow(-2, lo, min(block, n_kv - lo)), v.narrow(-2, lo, min(block, n_kv - lo))
        s = q @ k_part.transpose(-2, -1) * scale
        if causal:
            i = torch.arange(n_q, device=q.device).view(-1, 1) + n_kv - n_q
            j = lo + torch.arange(k_part.shape[-2], device=q.device)
            s = s.masked_fill(j > i, -math.inf)
        peak = s.amax(dim=-1, keepdim=True)
        if m is None:
            m = peak
            p = torch.exp(s - m)
            l, o = p.sum(-1, keepdim=True), p @ v_part  # noqa: E741
            continue
        m_next = torch.max(m, peak)
        shrink = torch.exp(m_next - m)
        p = torch.exp(s - m_next)
        l = shrink * l + p.sum(-1, keepdim=True)  # noqa: E741
        o = shrink * o + p @ v_part
        m = m_next
    return o / l


# --- two_slips_5
# slips: the summed values are not rescaled when the maximum grows; the scores are not divided by sqrt(Dh)
import torch
from torch import Tensor


def flash_attention(q: Tensor, k: Tensor, v: Tensor, block: int, causal: bool = False) -> Tensor:
    T_q, T_kv = q.shape[-2], k.shape[-2]
    if block < 1:
        raise ValueError("block must be 1 or more")
    if causal and T_q > T_kv:
        raise ValueError("more queries than keys")
    m = torch.full_like(q[..., :1], float("-inf"))
    l = torch.zeros_like(m)
    o = torch.zeros(*q.shape[:-1], v.shape[-1], dtype=q.dtype, device=q.device)
    for start in range(0, T_kv, block):
        k_j = k[..., start : start + block, :]
        v_j = v[..., start : start + block, :]
        s = q @ k_j.transpose(-2, -1)
        if causal:
            i = torch.arange(T_q, device=q.device)[:, None]
            j = torch.arange(start, start + k_j.shape[-2], device=q.device)[None, :]
            s = s.masked_fill(j > i + T_kv - T_q, float("-inf"))
        m_new = torch.maximum(m, s.amax(dim=-1, keepdim=True)).detach()
        p = torch.exp(s - m_new)
        l = l * torch.exp(m - m_new) + p.sum(dim=-1, keepdim=True)
        o = o + p @ v_j
        m = m_new
    return o / l


# --- two_slips_6
# slips: the causal mask lines up at the top left (j <= i without T_kv - T_q); the sum of the factors is not rescaled
import math

import torch
from torch import Tensor


def flash_attention(q, k, v, block, causal=False):
    n_q, dh = q.shape[-2:]
    n_k = k.shape[-2]
    if block < 1 or (causal and n_q > n_k):
        raise ValueError("bad block or too many queries")
    best = q.new_full(q.shape[:-1], -math.inf)
    total = q.new_zeros(q.shape[:-1])
    acc = q.new_zeros(*q.shape[:-1], v.shape[-1])
    rows = torch.arange(n_q, device=q.device).unsqueeze(1)
    first = 0
    for kb, vb in zip(k.split(block, dim=-2), v.split(block, dim=-2)):
        s = torch.einsum("...qd,...kd->...qk", q, kb) / math.sqrt(dh)
        if causal:
            cols = first + torch.arange(kb.shape[-2], device=q.device)
            s = torch.where(cols <= rows, s, -math.inf)
        top = torch.maximum(best, s.detach().max(-1).values)
        e = (s - top[..., None]).exp()
        total = total + e.sum(-1)
        acc = acc * (best - top).exp()[..., None] + torch.einsum("...qk,...kd->...qd", e, vb)
        best = top
        first += kb.shape[-2]
    return acc / total[..., None]


# --- two_slips_7
# slips: when the maximum grows only o is rescaled, not l; a shorter last block is never looked at
import math

import torch
from torch import Tensor


def flash_attention(q: Tensor, k: Tensor, v: Tensor, block: int, causal: bool = False) -> Tensor:
    Tq, Tk = q.shape[-2], k.shape[-2]
    if block < 1 or (causal and Tq > Tk):
        raise ValueError("bad block or causal with more queries than keys")
    m = torch.full(q.shape[:-1], -math.inf, dtype=q.dtype, device=q.device)
    l = torch.zeros_like(m)
    o = q.new_zeros(*q.shape[:-1], v.shape[-1])
    scale = 1 / math.sqrt(q.shape[-1])
    block = min(block, Tk)
    for b in range(Tk // block):
        kb = k[..., b * block : (b + 1) * block, :]
        vb = v[..., b * block : (b + 1) * block, :]
        s = q @ kb.transpose(-2, -1) * scale
        if causal:
            i = torch.arange(Tq, device=q.device)[:, None] + Tk - Tq
            j = torch.arange(b * block, b * block + kb.shape[-2], device=q.device)
            s = s.masked_fill(j > i, -math.inf)
        m_new = torch.maximum(m, s.detach().amax(-1))
        alpha = torch.exp(m - m_new)
        p = torch.exp(s - m_new[..., None])
        l = l + p.sum(-1)
        o = o * alpha[..., None] + p @ vb
        m = m_new
    return o / l[..., None]


# --- two_slips_8
# slips: the causal mask in a block forgets T_kv - T_q; the running maximum begins at 0, so that very low scores all underflow
import torch
from torch import Tensor


def flash_attention(q: Tensor, k: Tensor, v: Tensor, block: int, causal: bool = False) -> Tensor:
    n_q, n_k, dh = q.size(-2), k.size(-2), q.size(-1)
    if block < 1:
        raise ValueError("block must be at least 1")
    if causal and n_q > n_k:
        raise ValueError("more queries than keys")

    running_max = torch.full((*q.shape[:-1], 1), 0.0, dtype=q.dtype, device=q.device)
    denom = torch.zeros((*q.shape[:-1], 1), dtype=q.dtype, device=q.device)
    acc = torch.zeros((*q.shape[:-1], v.size(-1)), dtype=q.dtype, device=q.device)
    q_pos = torch.arange(n_q, device=q.device).view(-1, 1)

    for k_blk, v_blk, pos in zip(
        k.split(block, dim=-2), v.split(block, dim=-2), torch.arange(n_k, device=q.device).split(block)
    ):
        scores = torch.einsum("...qd,...kd->...qk", q, k_blk) / dh**0.5
        if causal:
            scores = scores.masked_fill(pos.view(1, -1) > q_pos, float("-inf"))
        new_max = torch.maximum(running_max, scores.max(dim=-1, keepdim=True).values).detach()
        shrink = (running_max - new_max).exp()
        e = (scores - new_max).exp()
        denom = denom * shrink + e.sum(dim=-1, keepdim=True)
        acc = acc * shrink + torch.matmul(e, v_blk)
        running_max = new_max
    return acc / denom


# --- two_slips_9
# slips: the new maximum is that of the block, not the larger one of old and new, so old factors overflow; the result stays float32 for half precision
import torch
from torch import Tensor


def flash_attention(q: Tensor, k: Tensor, v: Tensor, block: int, causal: bool = False) -> Tensor:
    Tq, Tk = q.shape[-2], k.shape[-2]
    if block <= 0 or (causal and Tk < Tq):
        raise ValueError
    dt = torch.promote_types(q.dtype, torch.float32)
    qs = q.to(dt) * q.shape[-1] ** -0.5
    m, l, o = None, 0.0, 0.0
    row = torch.arange(Tk - Tq, Tk, device=q.device)
    for start in range(0, Tk, block):
        kb = k[..., start : start + block, :].to(dt)
        vb = v[..., start : start + block, :].to(dt)
        s = qs @ kb.mT
        if causal:
            col = torch.arange(start, start + kb.shape[-2], device=q.device)
            s = torch.where(col[None, :] <= row[:, None], s, -torch.inf)
        m_blk = s.detach().max(-1, keepdim=True)[0]
        if m is None:
            m = m_blk
        m_new = m_blk
        fix = torch.exp(m - m_new)
        p = torch.exp(s - m_new)
        l = l * fix + p.sum(-1, keepdim=True)
        o = o * fix + p @ vb
        m = m_new
    return o / l


# --- stops_too_early_with_more_keys
# slip: with causal the loop stops at the number of queries, forgetting that they stand at the end of the keys
import torch
from torch import Tensor


def flash_attention(q: Tensor, k: Tensor, v: Tensor, block: int, causal: bool = False) -> Tensor:
    Lq, Lk = q.shape[-2], k.shape[-2]
    if block < 1:
        raise ValueError("block < 1")
    if causal and Lq > Lk:
        raise ValueError("causal needs as many keys as queries, at least")
    q = q / q.shape[-1] ** 0.5
    best = torch.full_like(q[..., :1], -torch.inf)
    total = torch.zeros_like(best)
    mixed = torch.zeros(*q.shape[:-1], v.shape[-1], dtype=q.dtype, device=q.device)
    where = torch.arange(Lk - Lq, Lk, device=q.device).unsqueeze(-1)
    for lo in range(0, Lk, block):
        if causal and lo >= Lq:
            break  # only future keys from here on
        hi = min(lo + block, Lk)
        s = q @ k[..., lo:hi, :].mT
        if causal:
            s = s.masked_fill(torch.arange(lo, hi, device=q.device) > where, -torch.inf)
        top = torch.maximum(best, s.detach().amax(-1, keepdim=True))
        decay, p = (best - top).exp(), (s - top).exp()
        total = total * decay + p.sum(-1, keepdim=True)
        mixed = mixed * decay + p @ v[..., lo:hi, :]
        best = top
    return mixed / total


# --- two_slips_10
import math
import torch


def flash_attention(q, k, v, block, causal=False):
    Tq, Tk = q.shape[-2], k.shape[-2]
    if block < 1 or (causal and Tq > Tk):
        raise ValueError("bad arguments")
    m = q.new_full(q.shape[:-1] + (1,), -math.inf)
    l = q.new_zeros(q.shape[:-1] + (1,))
    o = q.new_zeros(q.shape[:-1] + (v.shape[-1],))
    rows = torch.arange(Tq, device=q.device)[:, None]
    for j in range(0, Tk, block):
        kj, vj = k[..., j : j + block, :], v[..., j : j + block, :]
        s = q @ kj.transpose(-1, -2) / math.sqrt(q.shape[-1])
        if causal:
            cols = torch.arange(j, j + kj.shape[-2], device=q.device)
            s = s.masked_fill(cols > rows, -math.inf)
        new_m = torch.maximum(m, s.amax(-1, keepdim=True)).detach()
        safe = new_m.masked_fill(new_m == -math.inf, 0.0)
        p = torch.exp(s - safe)
        shrink = torch.exp(m - safe)
        l = l + p.sum(-1, keepdim=True)
        o = o * shrink + p @ vj
        m = new_m
    return o / l


# --- running_maximum_starts_at_0_not_at_inf
import torch


def flash_attention(q, k, v, block, causal=False):
    T_q, T_kv = q.shape[-2], k.shape[-2]
    if block < 1:
        raise ValueError("block must be 1 or more")
    if causal and T_q > T_kv:
        raise ValueError("causal needs T_q <= T_kv")
    out = None
    norm = 0
    m = torch.full((*q.shape[:-1], 1), 0.0, dtype=q.dtype, device=q.device)
    for start in range(0, T_kv, block):
        end = min(start + block, T_kv)
        s = (q @ k[..., start:end, :].mT) * (q.shape[-1] ** -0.5)
        if causal:
            i = torch.arange(T_kv - T_q, T_kv, device=q.device)
            j = torch.arange(start, end, device=q.device)
            s = s.masked_fill(i[:, None] < j[None, :], float("-inf"))
        m_new = torch.maximum(m, s.max(dim=-1, keepdim=True)[0])
        w = (s - m_new).exp()
        part = w @ v[..., start:end, :]
        r = (m - m_new).exp()
        out = part if out is None else out * r + part
        norm = norm * r + w.sum(dim=-1, keepdim=True)
        m = m_new
    return out / norm
