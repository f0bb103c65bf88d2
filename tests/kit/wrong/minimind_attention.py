"""Wrong files for minimind_attention, each a whole submission as somebody might hand it in."""


# --- no_refusal
import math

import torch


def rotate(x, theta, start):
    half = x.shape[-1] // 2
    pos = torch.arange(start, start + x.shape[2], device=x.device).float()
    freq = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angle = pos[:, None] * freq
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)


def minimind_attention(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    B, T, C = x.shape
    Dh = C // num_heads
    q = (x @ W[0]).view(B, T, num_heads, Dh).transpose(1, 2)
    k = (x @ W[1]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    v = (x @ W[2]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    start = 0 if cache is None else cache[0].shape[2]
    q, k = rotate(q, theta, start), rotate(k, theta, start)
    if cache is not None:
        k = torch.cat([cache[0], k], dim=2)
        v = torch.cat([cache[1], v], dim=2)
    groups = num_heads // num_kv_heads
    keys = k.repeat_interleave(groups, dim=1)
    values = v.repeat_interleave(groups, dim=1)
    scores = q @ keys.transpose(-2, -1) / math.sqrt(Dh)
    mask = torch.ones(T, k.shape[2], dtype=torch.bool, device=x.device).tril(start)
    scores = scores.masked_fill(~mask, float("-inf"))
    out = scores.softmax(-1) @ values
    out = out.transpose(1, 2).reshape(B, T, C)
    return out @ W[3], (k, v)


# --- no_refusal_and_no_offset
import math

import torch


def rotate(x, theta, start):
    half = x.shape[-1] // 2
    pos = torch.arange(start, start + x.shape[2], device=x.device).float()
    freq = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angle = pos[:, None] * freq
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)


def minimind_attention(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    B, T, C = x.shape
    Dh = C // num_heads
    q = (x @ W[0]).view(B, T, num_heads, Dh).transpose(1, 2)
    k = (x @ W[1]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    v = (x @ W[2]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    start = 0
    past = 0 if cache is None else cache[0].shape[2]
    q, k = rotate(q, theta, start), rotate(k, theta, start)
    if cache is not None:
        k = torch.cat([cache[0], k], dim=2)
        v = torch.cat([cache[1], v], dim=2)
    groups = num_heads // num_kv_heads
    keys = k.repeat_interleave(groups, dim=1)
    values = v.repeat_interleave(groups, dim=1)
    scores = q @ keys.transpose(-2, -1) / math.sqrt(Dh)
    mask = torch.ones(T, k.shape[2], dtype=torch.bool, device=x.device).tril(past)
    scores = scores.masked_fill(~mask, float("-inf"))
    out = scores.softmax(-1) @ values
    out = out.transpose(1, 2).reshape(B, T, C)
    return out @ W[3], (k, v)


# --- mask_without_offset
import torch
from torch import Tensor
import torch.nn.functional as F


def precompute(dim: int, end: int, theta: float, device):
    freqs = 1.0 / (theta ** (torch.arange(0, dim, 2, device=device)[: (dim // 2)].float() / dim))
    t = torch.arange(end, device=device)
    freqs = torch.outer(t, freqs).float()
    freqs_cos = torch.cat([torch.cos(freqs), torch.cos(freqs)], dim=-1)
    freqs_sin = torch.cat([torch.sin(freqs), torch.sin(freqs)], dim=-1)
    return freqs_cos, freqs_sin


def apply_rotary_pos_emb(q, k, cos, sin):
    def rotate_half(x):
        return torch.cat((-x[..., x.shape[-1] // 2:], x[..., : x.shape[-1] // 2]), dim=-1)

    q_embed = (q * cos) + (rotate_half(q) * sin)
    k_embed = (k * cos) + (rotate_half(k) * sin)
    return q_embed.to(q.dtype), k_embed.to(k.dtype)


def repeat_kv(x, n_rep):
    bs, n_kv, slen, head_dim = x.shape
    if n_rep == 1:
        return x
    return x[:, :, None].expand(bs, n_kv, n_rep, slen, head_dim).reshape(bs, n_kv * n_rep, slen, head_dim)


def minimind_attention(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    if num_heads % num_kv_heads:
        raise ValueError("H must be divisible by H_kv")
    bsz, seq_len, hidden = x.shape
    head_dim = hidden // num_heads
    xq, xk, xv = x @ W[0], x @ W[1], x @ W[2]
    xq = xq.reshape(bsz, seq_len, num_heads, head_dim).transpose(1, 2)
    xk = xk.reshape(bsz, seq_len, num_kv_heads, head_dim).transpose(1, 2)
    xv = xv.reshape(bsz, seq_len, num_kv_heads, head_dim).transpose(1, 2)
    past = cache[0].shape[2] if cache is not None else 0
    cos, sin = precompute(head_dim, past + seq_len, theta, x.device)
    xq, xk = apply_rotary_pos_emb(xq, xk, cos[past:], sin[past:])
    xq, xk = xq.to(x.dtype), xk.to(x.dtype)
    if cache is not None:
        xk = torch.cat([cache[0], xk], dim=2)
        xv = torch.cat([cache[1], xv], dim=2)
    past_kv = (xk, xv)
    n_rep = num_heads // num_kv_heads
    xk, xv = repeat_kv(xk, n_rep), repeat_kv(xv, n_rep)
    scores = (xq @ xk.transpose(-2, -1)) * head_dim ** -0.5
    scores = scores + torch.triu(torch.full((seq_len, past + seq_len), float("-inf"), device=x.device), diagonal=1).to(x.dtype)
    scores = F.softmax(scores.float(), dim=-1).type_as(xq)
    output = scores @ xv
    output = output.transpose(1, 2).reshape(bsz, seq_len, -1)
    return output @ W[3], past_kv


# --- no_refusal_and_mask_without_offset
import torch
from torch import Tensor
import torch.nn.functional as F


def precompute(dim: int, end: int, theta: float, device):
    freqs = 1.0 / (theta ** (torch.arange(0, dim, 2, device=device)[: (dim // 2)].float() / dim))
    t = torch.arange(end, device=device)
    freqs = torch.outer(t, freqs).float()
    freqs_cos = torch.cat([torch.cos(freqs), torch.cos(freqs)], dim=-1)
    freqs_sin = torch.cat([torch.sin(freqs), torch.sin(freqs)], dim=-1)
    return freqs_cos, freqs_sin


def apply_rotary_pos_emb(q, k, cos, sin):
    def rotate_half(x):
        return torch.cat((-x[..., x.shape[-1] // 2:], x[..., : x.shape[-1] // 2]), dim=-1)

    q_embed = (q * cos) + (rotate_half(q) * sin)
    k_embed = (k * cos) + (rotate_half(k) * sin)
    return q_embed.to(q.dtype), k_embed.to(k.dtype)


def repeat_kv(x, n_rep):
    bs, n_kv, slen, head_dim = x.shape
    if n_rep == 1:
        return x
    return x[:, :, None].expand(bs, n_kv, n_rep, slen, head_dim).reshape(bs, n_kv * n_rep, slen, head_dim)


def minimind_attention(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    bsz, seq_len, hidden = x.shape
    head_dim = hidden // num_heads
    xq, xk, xv = x @ W[0], x @ W[1], x @ W[2]
    xq = xq.reshape(bsz, seq_len, num_heads, head_dim).transpose(1, 2)
    xk = xk.reshape(bsz, seq_len, num_kv_heads, head_dim).transpose(1, 2)
    xv = xv.reshape(bsz, seq_len, num_kv_heads, head_dim).transpose(1, 2)
    past = cache[0].shape[2] if cache is not None else 0
    cos, sin = precompute(head_dim, past + seq_len, theta, x.device)
    xq, xk = apply_rotary_pos_emb(xq, xk, cos[past:], sin[past:])
    xq, xk = xq.to(x.dtype), xk.to(x.dtype)
    if cache is not None:
        xk = torch.cat([cache[0], xk], dim=2)
        xv = torch.cat([cache[1], xv], dim=2)
    past_kv = (xk, xv)
    n_rep = num_heads // num_kv_heads
    xk, xv = repeat_kv(xk, n_rep), repeat_kv(xv, n_rep)
    scores = (xq @ xk.transpose(-2, -1)) * head_dim ** -0.5
    scores = scores + torch.triu(torch.full((seq_len, past + seq_len), float("-inf"), device=x.device), diagonal=1).to(x.dtype)
    scores = F.softmax(scores.float(), dim=-1).type_as(xq)
    output = scores @ xv
    output = output.transpose(1, 2).reshape(bsz, seq_len, -1)
    return output @ W[3], past_kv


# --- mask_sees_one_too_many
import torch
from torch import Tensor
import torch.nn.functional as F


def precompute(dim: int, end: int, theta: float, device):
    freqs = 1.0 / (theta ** (torch.arange(0, dim, 2, device=device)[: (dim // 2)].float() / dim))
    t = torch.arange(end, device=device)
    freqs = torch.outer(t, freqs).float()
    freqs_cos = torch.cat([torch.cos(freqs), torch.cos(freqs)], dim=-1)
    freqs_sin = torch.cat([torch.sin(freqs), torch.sin(freqs)], dim=-1)
    return freqs_cos, freqs_sin


def apply_rotary_pos_emb(q, k, cos, sin):
    def rotate_half(x):
        return torch.cat((-x[..., x.shape[-1] // 2:], x[..., : x.shape[-1] // 2]), dim=-1)

    q_embed = (q * cos) + (rotate_half(q) * sin)
    k_embed = (k * cos) + (rotate_half(k) * sin)
    return q_embed.to(q.dtype), k_embed.to(k.dtype)


def repeat_kv(x, n_rep):
    bs, n_kv, slen, head_dim = x.shape
    if n_rep == 1:
        return x
    return x[:, :, None].expand(bs, n_kv, n_rep, slen, head_dim).reshape(bs, n_kv * n_rep, slen, head_dim)


def minimind_attention(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    if num_heads % num_kv_heads:
        raise ValueError("H must be divisible by H_kv")
    bsz, seq_len, hidden = x.shape
    head_dim = hidden // num_heads
    xq, xk, xv = x @ W[0], x @ W[1], x @ W[2]
    xq = xq.reshape(bsz, seq_len, num_heads, head_dim).transpose(1, 2)
    xk = xk.reshape(bsz, seq_len, num_kv_heads, head_dim).transpose(1, 2)
    xv = xv.reshape(bsz, seq_len, num_kv_heads, head_dim).transpose(1, 2)
    past = cache[0].shape[2] if cache is not None else 0
    cos, sin = precompute(head_dim, past + seq_len, theta, x.device)
    xq, xk = apply_rotary_pos_emb(xq, xk, cos[past:], sin[past:])
    xq, xk = xq.to(x.dtype), xk.to(x.dtype)
    if cache is not None:
        xk = torch.cat([cache[0], xk], dim=2)
        xv = torch.cat([cache[1], xv], dim=2)
    past_kv = (xk, xv)
    n_rep = num_heads // num_kv_heads
    xk, xv = repeat_kv(xk, n_rep), repeat_kv(xv, n_rep)
    scores = (xq @ xk.transpose(-2, -1)) * head_dim ** -0.5
    scores = scores + torch.triu(torch.full((seq_len, past + seq_len), float("-inf"), device=x.device), diagonal=2 + past).to(x.dtype)
    scores = F.softmax(scores.float(), dim=-1).type_as(xq)
    output = scores @ xv
    output = output.transpose(1, 2).reshape(bsz, seq_len, -1)
    return output @ W[3], past_kv


# --- mask_hides_itself
import math

import torch


def rotate(x, theta, start):
    half = x.shape[-1] // 2
    pos = torch.arange(start, start + x.shape[2], device=x.device).float()
    freq = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angle = pos[:, None] * freq
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)


def minimind_attention(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    if num_heads % num_kv_heads != 0:
        raise ValueError("num_heads must be a multiple of num_kv_heads")
    B, T, C = x.shape
    Dh = C // num_heads
    q = (x @ W[0]).view(B, T, num_heads, Dh).transpose(1, 2)
    k = (x @ W[1]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    v = (x @ W[2]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    start = 0 if cache is None else cache[0].shape[2]
    q, k = rotate(q, theta, start), rotate(k, theta, start)
    if cache is not None:
        k = torch.cat([cache[0], k], dim=2)
        v = torch.cat([cache[1], v], dim=2)
    groups = num_heads // num_kv_heads
    keys = k.repeat_interleave(groups, dim=1)
    values = v.repeat_interleave(groups, dim=1)
    scores = q @ keys.transpose(-2, -1) / math.sqrt(Dh)
    mask = torch.ones(T, k.shape[2], dtype=torch.bool, device=x.device).tril(start - 1)
    scores = scores.masked_fill(~mask, float("-inf"))
    out = scores.softmax(-1) @ values
    out = out.transpose(1, 2).reshape(B, T, C)
    return out @ W[3], (k, v)


# --- no_mask_with_cache
import math

import torch


def rotate(x, theta, start):
    half = x.shape[-1] // 2
    pos = torch.arange(start, start + x.shape[2], device=x.device).float()
    freq = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angle = pos[:, None] * freq
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)


def minimind_attention(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    if num_heads % num_kv_heads != 0:
        raise ValueError("num_heads must be a multiple of num_kv_heads")
    B, T, C = x.shape
    Dh = C // num_heads
    q = (x @ W[0]).view(B, T, num_heads, Dh).transpose(1, 2)
    k = (x @ W[1]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    v = (x @ W[2]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    start = 0 if cache is None else cache[0].shape[2]
    q, k = rotate(q, theta, start), rotate(k, theta, start)
    if cache is not None:
        k = torch.cat([cache[0], k], dim=2)
        v = torch.cat([cache[1], v], dim=2)
    groups = num_heads // num_kv_heads
    keys = k.repeat_interleave(groups, dim=1)
    values = v.repeat_interleave(groups, dim=1)
    scores = q @ keys.transpose(-2, -1) / math.sqrt(Dh)
    mask = torch.ones(T, k.shape[2], dtype=torch.bool, device=x.device).tril(start)
    if cache is None:
        scores = scores.masked_fill(~mask, float("-inf"))
    out = scores.softmax(-1) @ values
    out = out.transpose(1, 2).reshape(B, T, C)
    return out @ W[3], (k, v)


# --- causal_only_first_call_no_refusal
import torch
from torch import Tensor
import torch.nn.functional as F


def precompute(dim: int, end: int, theta: float, device):
    freqs = 1.0 / (theta ** (torch.arange(0, dim, 2, device=device)[: (dim // 2)].float() / dim))
    t = torch.arange(end, device=device)
    freqs = torch.outer(t, freqs).float()
    freqs_cos = torch.cat([torch.cos(freqs), torch.cos(freqs)], dim=-1)
    freqs_sin = torch.cat([torch.sin(freqs), torch.sin(freqs)], dim=-1)
    return freqs_cos, freqs_sin


def apply_rotary_pos_emb(q, k, cos, sin):
    def rotate_half(x):
        return torch.cat((-x[..., x.shape[-1] // 2:], x[..., : x.shape[-1] // 2]), dim=-1)

    q_embed = (q * cos) + (rotate_half(q) * sin)
    k_embed = (k * cos) + (rotate_half(k) * sin)
    return q_embed.to(q.dtype), k_embed.to(k.dtype)


def repeat_kv(x, n_rep):
    bs, n_kv, slen, head_dim = x.shape
    if n_rep == 1:
        return x
    return x[:, :, None].expand(bs, n_kv, n_rep, slen, head_dim).reshape(bs, n_kv * n_rep, slen, head_dim)


def minimind_attention(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    bsz, seq_len, hidden = x.shape
    head_dim = hidden // num_heads
    xq, xk, xv = x @ W[0], x @ W[1], x @ W[2]
    xq = xq.reshape(bsz, seq_len, num_heads, head_dim).transpose(1, 2)
    xk = xk.reshape(bsz, seq_len, num_kv_heads, head_dim).transpose(1, 2)
    xv = xv.reshape(bsz, seq_len, num_kv_heads, head_dim).transpose(1, 2)
    past = cache[0].shape[2] if cache is not None else 0
    cos, sin = precompute(head_dim, past + seq_len, theta, x.device)
    xq, xk = apply_rotary_pos_emb(xq, xk, cos[past:], sin[past:])
    xq, xk = xq.to(x.dtype), xk.to(x.dtype)
    if cache is not None:
        xk = torch.cat([cache[0], xk], dim=2)
        xv = torch.cat([cache[1], xv], dim=2)
    past_kv = (xk, xv)
    n_rep = num_heads // num_kv_heads
    xk, xv = repeat_kv(xk, n_rep), repeat_kv(xv, n_rep)
    scores = (xq @ xk.transpose(-2, -1)) * head_dim ** -0.5
    if past == 0:
        scores = scores + torch.triu(torch.full((seq_len, past + seq_len), float("-inf"), device=x.device), diagonal=1 + past).to(x.dtype)
    scores = F.softmax(scores.float(), dim=-1).type_as(xq)
    output = scores @ xv
    output = output.transpose(1, 2).reshape(bsz, seq_len, -1)
    return output @ W[3], past_kv


# --- no_causal_at_all
import math

import torch


def rotate(x, theta, start):
    half = x.shape[-1] // 2
    pos = torch.arange(start, start + x.shape[2], device=x.device).float()
    freq = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angle = pos[:, None] * freq
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)


def minimind_attention(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    if num_heads % num_kv_heads != 0:
        raise ValueError("num_heads must be a multiple of num_kv_heads")
    B, T, C = x.shape
    Dh = C // num_heads
    q = (x @ W[0]).view(B, T, num_heads, Dh).transpose(1, 2)
    k = (x @ W[1]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    v = (x @ W[2]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    start = 0 if cache is None else cache[0].shape[2]
    q, k = rotate(q, theta, start), rotate(k, theta, start)
    if cache is not None:
        k = torch.cat([cache[0], k], dim=2)
        v = torch.cat([cache[1], v], dim=2)
    groups = num_heads // num_kv_heads
    keys = k.repeat_interleave(groups, dim=1)
    values = v.repeat_interleave(groups, dim=1)
    scores = q @ keys.transpose(-2, -1) / math.sqrt(Dh)
    out = scores.softmax(-1) @ values
    out = out.transpose(1, 2).reshape(B, T, C)
    return out @ W[3], (k, v)


# --- interleaved_pairs
import math

import torch


def rotate(x, theta, start):
    half = x.shape[-1] // 2
    pos = torch.arange(start, start + x.shape[2], device=x.device).float()
    freq = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angle = pos[:, None] * freq
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    x1, x2 = x[..., 0::2], x[..., 1::2]
    return torch.stack([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1).flatten(-2)


def minimind_attention(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    if num_heads % num_kv_heads != 0:
        raise ValueError("num_heads must be a multiple of num_kv_heads")
    B, T, C = x.shape
    Dh = C // num_heads
    q = (x @ W[0]).view(B, T, num_heads, Dh).transpose(1, 2)
    k = (x @ W[1]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    v = (x @ W[2]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    start = 0 if cache is None else cache[0].shape[2]
    q, k = rotate(q, theta, start), rotate(k, theta, start)
    if cache is not None:
        k = torch.cat([cache[0], k], dim=2)
        v = torch.cat([cache[1], v], dim=2)
    groups = num_heads // num_kv_heads
    keys = k.repeat_interleave(groups, dim=1)
    values = v.repeat_interleave(groups, dim=1)
    scores = q @ keys.transpose(-2, -1) / math.sqrt(Dh)
    mask = torch.ones(T, k.shape[2], dtype=torch.bool, device=x.device).tril(start)
    scores = scores.masked_fill(~mask, float("-inf"))
    out = scores.softmax(-1) @ values
    out = out.transpose(1, 2).reshape(B, T, C)
    return out @ W[3], (k, v)


# --- rotates_backwards
import math

import torch


def rotate(x, theta, start):
    half = x.shape[-1] // 2
    pos = torch.arange(start, start + x.shape[2], device=x.device).float()
    freq = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angle = pos[:, None] * freq
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos + x2 * sin, x2 * cos - x1 * sin], -1)


def minimind_attention(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    if num_heads % num_kv_heads != 0:
        raise ValueError("num_heads must be a multiple of num_kv_heads")
    B, T, C = x.shape
    Dh = C // num_heads
    q = (x @ W[0]).view(B, T, num_heads, Dh).transpose(1, 2)
    k = (x @ W[1]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    v = (x @ W[2]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    start = 0 if cache is None else cache[0].shape[2]
    q, k = rotate(q, theta, start), rotate(k, theta, start)
    if cache is not None:
        k = torch.cat([cache[0], k], dim=2)
        v = torch.cat([cache[1], v], dim=2)
    groups = num_heads // num_kv_heads
    keys = k.repeat_interleave(groups, dim=1)
    values = v.repeat_interleave(groups, dim=1)
    scores = q @ keys.transpose(-2, -1) / math.sqrt(Dh)
    mask = torch.ones(T, k.shape[2], dtype=torch.bool, device=x.device).tril(start)
    scores = scores.masked_fill(~mask, float("-inf"))
    out = scores.softmax(-1) @ values
    out = out.transpose(1, 2).reshape(B, T, C)
    return out @ W[3], (k, v)


# --- rotate_half_sign_and_no_refusal
import torch
from torch import Tensor
import torch.nn.functional as F


def precompute(dim: int, end: int, theta: float, device):
    freqs = 1.0 / (theta ** (torch.arange(0, dim, 2, device=device)[: (dim // 2)].float() / dim))
    t = torch.arange(end, device=device)
    freqs = torch.outer(t, freqs).float()
    freqs_cos = torch.cat([torch.cos(freqs), torch.cos(freqs)], dim=-1)
    freqs_sin = torch.cat([torch.sin(freqs), torch.sin(freqs)], dim=-1)
    return freqs_cos, freqs_sin


def apply_rotary_pos_emb(q, k, cos, sin):
    def rotate_half(x):
        return torch.cat((x[..., x.shape[-1] // 2:], -x[..., : x.shape[-1] // 2]), dim=-1)

    q_embed = (q * cos) + (rotate_half(q) * sin)
    k_embed = (k * cos) + (rotate_half(k) * sin)
    return q_embed.to(q.dtype), k_embed.to(k.dtype)


def repeat_kv(x, n_rep):
    bs, n_kv, slen, head_dim = x.shape
    if n_rep == 1:
        return x
    return x[:, :, None].expand(bs, n_kv, n_rep, slen, head_dim).reshape(bs, n_kv * n_rep, slen, head_dim)


def minimind_attention(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    bsz, seq_len, hidden = x.shape
    head_dim = hidden // num_heads
    xq, xk, xv = x @ W[0], x @ W[1], x @ W[2]
    xq = xq.reshape(bsz, seq_len, num_heads, head_dim).transpose(1, 2)
    xk = xk.reshape(bsz, seq_len, num_kv_heads, head_dim).transpose(1, 2)
    xv = xv.reshape(bsz, seq_len, num_kv_heads, head_dim).transpose(1, 2)
    past = cache[0].shape[2] if cache is not None else 0
    cos, sin = precompute(head_dim, past + seq_len, theta, x.device)
    xq, xk = apply_rotary_pos_emb(xq, xk, cos[past:], sin[past:])
    xq, xk = xq.to(x.dtype), xk.to(x.dtype)
    if cache is not None:
        xk = torch.cat([cache[0], xk], dim=2)
        xv = torch.cat([cache[1], xv], dim=2)
    past_kv = (xk, xv)
    n_rep = num_heads // num_kv_heads
    xk, xv = repeat_kv(xk, n_rep), repeat_kv(xv, n_rep)
    scores = (xq @ xk.transpose(-2, -1)) * head_dim ** -0.5
    scores = scores + torch.triu(torch.full((seq_len, past + seq_len), float("-inf"), device=x.device), diagonal=1 + past).to(x.dtype)
    scores = F.softmax(scores.float(), dim=-1).type_as(xq)
    output = scores @ xv
    output = output.transpose(1, 2).reshape(bsz, seq_len, -1)
    return output @ W[3], past_kv


# --- no_rope
import math

import torch


def rotate(x, theta, start):
    half = x.shape[-1] // 2
    pos = torch.arange(start, start + x.shape[2], device=x.device).float()
    freq = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angle = pos[:, None] * freq
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)


def minimind_attention(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    if num_heads % num_kv_heads != 0:
        raise ValueError("num_heads must be a multiple of num_kv_heads")
    B, T, C = x.shape
    Dh = C // num_heads
    q = (x @ W[0]).view(B, T, num_heads, Dh).transpose(1, 2)
    k = (x @ W[1]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    v = (x @ W[2]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    start = 0 if cache is None else cache[0].shape[2]
    if cache is not None:
        k = torch.cat([cache[0], k], dim=2)
        v = torch.cat([cache[1], v], dim=2)
    groups = num_heads // num_kv_heads
    keys = k.repeat_interleave(groups, dim=1)
    values = v.repeat_interleave(groups, dim=1)
    scores = q @ keys.transpose(-2, -1) / math.sqrt(Dh)
    mask = torch.ones(T, k.shape[2], dtype=torch.bool, device=x.device).tril(start)
    scores = scores.masked_fill(~mask, float("-inf"))
    out = scores.softmax(-1) @ values
    out = out.transpose(1, 2).reshape(B, T, C)
    return out @ W[3], (k, v)


# --- only_queries_rotated
import math

import torch


def rotate(x, theta, start):
    half = x.shape[-1] // 2
    pos = torch.arange(start, start + x.shape[2], device=x.device).float()
    freq = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angle = pos[:, None] * freq
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)


def minimind_attention(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    if num_heads % num_kv_heads != 0:
        raise ValueError("num_heads must be a multiple of num_kv_heads")
    B, T, C = x.shape
    Dh = C // num_heads
    q = (x @ W[0]).view(B, T, num_heads, Dh).transpose(1, 2)
    k = (x @ W[1]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    v = (x @ W[2]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    start = 0 if cache is None else cache[0].shape[2]
    q = rotate(q, theta, start)
    if cache is not None:
        k = torch.cat([cache[0], k], dim=2)
        v = torch.cat([cache[1], v], dim=2)
    groups = num_heads // num_kv_heads
    keys = k.repeat_interleave(groups, dim=1)
    values = v.repeat_interleave(groups, dim=1)
    scores = q @ keys.transpose(-2, -1) / math.sqrt(Dh)
    mask = torch.ones(T, k.shape[2], dtype=torch.bool, device=x.device).tril(start)
    scores = scores.masked_fill(~mask, float("-inf"))
    out = scores.softmax(-1) @ values
    out = out.transpose(1, 2).reshape(B, T, C)
    return out @ W[3], (k, v)


# --- values_rotated_too
import math

import torch


def rotate(x, theta, start):
    half = x.shape[-1] // 2
    pos = torch.arange(start, start + x.shape[2], device=x.device).float()
    freq = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angle = pos[:, None] * freq
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)


def minimind_attention(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    if num_heads % num_kv_heads != 0:
        raise ValueError("num_heads must be a multiple of num_kv_heads")
    B, T, C = x.shape
    Dh = C // num_heads
    q = (x @ W[0]).view(B, T, num_heads, Dh).transpose(1, 2)
    k = (x @ W[1]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    v = (x @ W[2]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    start = 0 if cache is None else cache[0].shape[2]
    q, k, v = (rotate(t, theta, start) for t in (q, k, v))
    if cache is not None:
        k = torch.cat([cache[0], k], dim=2)
        v = torch.cat([cache[1], v], dim=2)
    groups = num_heads // num_kv_heads
    keys = k.repeat_interleave(groups, dim=1)
    values = v.repeat_interleave(groups, dim=1)
    scores = q @ keys.transpose(-2, -1) / math.sqrt(Dh)
    mask = torch.ones(T, k.shape[2], dtype=torch.bool, device=x.device).tril(start)
    scores = scores.masked_fill(~mask, float("-inf"))
    out = scores.softmax(-1) @ values
    out = out.transpose(1, 2).reshape(B, T, C)
    return out @ W[3], (k, v)


# --- theta_ignored
import torch
from torch import Tensor
import torch.nn.functional as F


def precompute(dim: int, end: int, theta: float, device):
    freqs = 1.0 / (theta ** (torch.arange(0, dim, 2, device=device)[: (dim // 2)].float() / dim))
    t = torch.arange(end, device=device)
    freqs = torch.outer(t, freqs).float()
    freqs_cos = torch.cat([torch.cos(freqs), torch.cos(freqs)], dim=-1)
    freqs_sin = torch.cat([torch.sin(freqs), torch.sin(freqs)], dim=-1)
    return freqs_cos, freqs_sin


def apply_rotary_pos_emb(q, k, cos, sin):
    def rotate_half(x):
        return torch.cat((-x[..., x.shape[-1] // 2:], x[..., : x.shape[-1] // 2]), dim=-1)

    q_embed = (q * cos) + (rotate_half(q) * sin)
    k_embed = (k * cos) + (rotate_half(k) * sin)
    return q_embed.to(q.dtype), k_embed.to(k.dtype)


def repeat_kv(x, n_rep):
    bs, n_kv, slen, head_dim = x.shape
    if n_rep == 1:
        return x
    return x[:, :, None].expand(bs, n_kv, n_rep, slen, head_dim).reshape(bs, n_kv * n_rep, slen, head_dim)


def minimind_attention(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    if num_heads % num_kv_heads:
        raise ValueError("H must be divisible by H_kv")
    bsz, seq_len, hidden = x.shape
    head_dim = hidden // num_heads
    xq, xk, xv = x @ W[0], x @ W[1], x @ W[2]
    xq = xq.reshape(bsz, seq_len, num_heads, head_dim).transpose(1, 2)
    xk = xk.reshape(bsz, seq_len, num_kv_heads, head_dim).transpose(1, 2)
    xv = xv.reshape(bsz, seq_len, num_kv_heads, head_dim).transpose(1, 2)
    past = cache[0].shape[2] if cache is not None else 0
    cos, sin = precompute(head_dim, past + seq_len, 10000.0, x.device)
    xq, xk = apply_rotary_pos_emb(xq, xk, cos[past:], sin[past:])
    xq, xk = xq.to(x.dtype), xk.to(x.dtype)
    if cache is not None:
        xk = torch.cat([cache[0], xk], dim=2)
        xv = torch.cat([cache[1], xv], dim=2)
    past_kv = (xk, xv)
    n_rep = num_heads // num_kv_heads
    xk, xv = repeat_kv(xk, n_rep), repeat_kv(xv, n_rep)
    scores = (xq @ xk.transpose(-2, -1)) * head_dim ** -0.5
    scores = scores + torch.triu(torch.full((seq_len, past + seq_len), float("-inf"), device=x.device), diagonal=1 + past).to(x.dtype)
    scores = F.softmax(scores.float(), dim=-1).type_as(xq)
    output = scores @ xv
    output = output.transpose(1, 2).reshape(bsz, seq_len, -1)
    return output @ W[3], past_kv


# --- theta_default_hard_coded
import torch
from torch import Tensor
import torch.nn.functional as F


def precompute(dim: int, end: int, theta: float, device):
    freqs = 1.0 / (theta ** (torch.arange(0, dim, 2, device=device)[: (dim // 2)].float() / dim))
    t = torch.arange(end, device=device)
    freqs = torch.outer(t, freqs).float()
    freqs_cos = torch.cat([torch.cos(freqs), torch.cos(freqs)], dim=-1)
    freqs_sin = torch.cat([torch.sin(freqs), torch.sin(freqs)], dim=-1)
    return freqs_cos, freqs_sin


def apply_rotary_pos_emb(q, k, cos, sin):
    def rotate_half(x):
        return torch.cat((-x[..., x.shape[-1] // 2:], x[..., : x.shape[-1] // 2]), dim=-1)

    q_embed = (q * cos) + (rotate_half(q) * sin)
    k_embed = (k * cos) + (rotate_half(k) * sin)
    return q_embed.to(q.dtype), k_embed.to(k.dtype)


def repeat_kv(x, n_rep):
    bs, n_kv, slen, head_dim = x.shape
    if n_rep == 1:
        return x
    return x[:, :, None].expand(bs, n_kv, n_rep, slen, head_dim).reshape(bs, n_kv * n_rep, slen, head_dim)


def minimind_attention(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    if num_heads % num_kv_heads:
        raise ValueError("H must be divisible by H_kv")
    bsz, seq_len, hidden = x.shape
    head_dim = hidden // num_heads
    xq, xk, xv = x @ W[0], x @ W[1], x @ W[2]
    xq = xq.reshape(bsz, seq_len, num_heads, head_dim).transpose(1, 2)
    xk = xk.reshape(bsz, seq_len, num_kv_heads, head_dim).transpose(1, 2)
    xv = xv.reshape(bsz, seq_len, num_kv_heads, head_dim).transpose(1, 2)
    past = cache[0].shape[2] if cache is not None else 0
    cos, sin = precompute(head_dim, past + seq_len, 1e6, x.device)
    xq, xk = apply_rotary_pos_emb(xq, xk, cos[past:], sin[past:])
    xq, xk = xq.to(x.dtype), xk.to(x.dtype)
    if cache is not None:
        xk = torch.cat([cache[0], xk], dim=2)
        xv = torch.cat([cache[1], xv], dim=2)
    past_kv = (xk, xv)
    n_rep = num_heads // num_kv_heads
    xk, xv = repeat_kv(xk, n_rep), repeat_kv(xv, n_rep)
    scores = (xq @ xk.transpose(-2, -1)) * head_dim ** -0.5
    scores = scores + torch.triu(torch.full((seq_len, past + seq_len), float("-inf"), device=x.device), diagonal=1 + past).to(x.dtype)
    scores = F.softmax(scores.float(), dim=-1).type_as(xq)
    output = scores @ xv
    output = output.transpose(1, 2).reshape(bsz, seq_len, -1)
    return output @ W[3], past_kv


# --- exponent_without_two
import math

import torch


def rotate(x, theta, start):
    half = x.shape[-1] // 2
    pos = torch.arange(start, start + x.shape[2], device=x.device).float()
    freq = theta ** (-torch.arange(half, device=x.device).float() / x.shape[-1])
    angle = pos[:, None] * freq
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)


def minimind_attention(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    if num_heads % num_kv_heads != 0:
        raise ValueError("num_heads must be a multiple of num_kv_heads")
    B, T, C = x.shape
    Dh = C // num_heads
    q = (x @ W[0]).view(B, T, num_heads, Dh).transpose(1, 2)
    k = (x @ W[1]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    v = (x @ W[2]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    start = 0 if cache is None else cache[0].shape[2]
    q, k = rotate(q, theta, start), rotate(k, theta, start)
    if cache is not None:
        k = torch.cat([cache[0], k], dim=2)
        v = torch.cat([cache[1], v], dim=2)
    groups = num_heads // num_kv_heads
    keys = k.repeat_interleave(groups, dim=1)
    values = v.repeat_interleave(groups, dim=1)
    scores = q @ keys.transpose(-2, -1) / math.sqrt(Dh)
    mask = torch.ones(T, k.shape[2], dtype=torch.bool, device=x.device).tril(start)
    scores = scores.masked_fill(~mask, float("-inf"))
    out = scores.softmax(-1) @ values
    out = out.transpose(1, 2).reshape(B, T, C)
    return out @ W[3], (k, v)


# --- exponent_over_half
import math

import torch


def rotate(x, theta, start):
    half = x.shape[-1] // 2
    pos = torch.arange(start, start + x.shape[2], device=x.device).float()
    freq = theta ** (-2 * torch.arange(half, device=x.device).float() / half)
    angle = pos[:, None] * freq
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)


def minimind_attention(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    if num_heads % num_kv_heads != 0:
        raise ValueError("num_heads must be a multiple of num_kv_heads")
    B, T, C = x.shape
    Dh = C // num_heads
    q = (x @ W[0]).view(B, T, num_heads, Dh).transpose(1, 2)
    k = (x @ W[1]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    v = (x @ W[2]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    start = 0 if cache is None else cache[0].shape[2]
    q, k = rotate(q, theta, start), rotate(k, theta, start)
    if cache is not None:
        k = torch.cat([cache[0], k], dim=2)
        v = torch.cat([cache[1], v], dim=2)
    groups = num_heads // num_kv_heads
    keys = k.repeat_interleave(groups, dim=1)
    values = v.repeat_interleave(groups, dim=1)
    scores = q @ keys.transpose(-2, -1) / math.sqrt(Dh)
    mask = torch.ones(T, k.shape[2], dtype=torch.bool, device=x.device).tril(start)
    scores = scores.masked_fill(~mask, float("-inf"))
    out = scores.softmax(-1) @ values
    out = out.transpose(1, 2).reshape(B, T, C)
    return out @ W[3], (k, v)


# --- positions_from_one
import math

import torch


def rotate(x, theta, start):
    half = x.shape[-1] // 2
    pos = torch.arange(start + 1, start + x.shape[2] + 1, device=x.device).float()
    freq = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angle = pos[:, None] * freq
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)


def minimind_attention(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    if num_heads % num_kv_heads != 0:
        raise ValueError("num_heads must be a multiple of num_kv_heads")
    B, T, C = x.shape
    Dh = C // num_heads
    q = (x @ W[0]).view(B, T, num_heads, Dh).transpose(1, 2)
    k = (x @ W[1]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    v = (x @ W[2]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    start = 0 if cache is None else cache[0].shape[2]
    q, k = rotate(q, theta, start), rotate(k, theta, start)
    if cache is not None:
        k = torch.cat([cache[0], k], dim=2)
        v = torch.cat([cache[1], v], dim=2)
    groups = num_heads // num_kv_heads
    keys = k.repeat_interleave(groups, dim=1)
    values = v.repeat_interleave(groups, dim=1)
    scores = q @ keys.transpose(-2, -1) / math.sqrt(Dh)
    mask = torch.ones(T, k.shape[2], dtype=torch.bool, device=x.device).tril(start)
    scores = scores.masked_fill(~mask, float("-inf"))
    out = scores.softmax(-1) @ values
    out = out.transpose(1, 2).reshape(B, T, C)
    return out @ W[3], (k, v)


# --- queries_from_zero_keys_from_past
import math

import torch


def rotate(x, theta, start):
    half = x.shape[-1] // 2
    pos = torch.arange(start, start + x.shape[2], device=x.device).float()
    freq = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angle = pos[:, None] * freq
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)


def minimind_attention(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    if num_heads % num_kv_heads != 0:
        raise ValueError("num_heads must be a multiple of num_kv_heads")
    B, T, C = x.shape
    Dh = C // num_heads
    q = (x @ W[0]).view(B, T, num_heads, Dh).transpose(1, 2)
    k = (x @ W[1]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    v = (x @ W[2]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    start = 0 if cache is None else cache[0].shape[2]
    q, k = rotate(q, theta, 0), rotate(k, theta, start)
    if cache is not None:
        k = torch.cat([cache[0], k], dim=2)
        v = torch.cat([cache[1], v], dim=2)
    groups = num_heads // num_kv_heads
    keys = k.repeat_interleave(groups, dim=1)
    values = v.repeat_interleave(groups, dim=1)
    scores = q @ keys.transpose(-2, -1) / math.sqrt(Dh)
    mask = torch.ones(T, k.shape[2], dtype=torch.bool, device=x.device).tril(start)
    scores = scores.masked_fill(~mask, float("-inf"))
    out = scores.softmax(-1) @ values
    out = out.transpose(1, 2).reshape(B, T, C)
    return out @ W[3], (k, v)


# --- all_keys_rotated_again
import math

import torch


def rotate(x, theta, start):
    half = x.shape[-1] // 2
    pos = torch.arange(start, start + x.shape[2], device=x.device).float()
    freq = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angle = pos[:, None] * freq
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)


def minimind_attention(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    if num_heads % num_kv_heads != 0:
        raise ValueError("num_heads must be a multiple of num_kv_heads")
    B, T, C = x.shape
    Dh = C // num_heads
    q = (x @ W[0]).view(B, T, num_heads, Dh).transpose(1, 2)
    k = (x @ W[1]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    v = (x @ W[2]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    start = 0 if cache is None else cache[0].shape[2]
    q = rotate(q, theta, start)
    if cache is not None:
        k = torch.cat([cache[0], k], dim=2)
        v = torch.cat([cache[1], v], dim=2)
    k = rotate(k, theta, 0)
    groups = num_heads // num_kv_heads
    keys = k.repeat_interleave(groups, dim=1)
    values = v.repeat_interleave(groups, dim=1)
    scores = q @ keys.transpose(-2, -1) / math.sqrt(Dh)
    mask = torch.ones(T, k.shape[2], dtype=torch.bool, device=x.device).tril(start)
    scores = scores.masked_fill(~mask, float("-inf"))
    out = scores.softmax(-1) @ values
    out = out.transpose(1, 2).reshape(B, T, C)
    return out @ W[3], (k, v)


# --- cache_unrotated
import math

import torch


def rotate(x, theta, start):
    half = x.shape[-1] // 2
    pos = torch.arange(start, start + x.shape[2], device=x.device).float()
    freq = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angle = pos[:, None] * freq
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)


def minimind_attention(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    if num_heads % num_kv_heads != 0:
        raise ValueError("num_heads must be a multiple of num_kv_heads")
    B, T, C = x.shape
    Dh = C // num_heads
    q = (x @ W[0]).view(B, T, num_heads, Dh).transpose(1, 2)
    k = (x @ W[1]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    v = (x @ W[2]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    start = 0 if cache is None else cache[0].shape[2]
    q = rotate(q, theta, start)
    if cache is not None:
        k = torch.cat([cache[0], k], dim=2)
        v = torch.cat([cache[1], v], dim=2)
    groups = num_heads // num_kv_heads
    keys = rotate(k, theta, 0).repeat_interleave(groups, dim=1)
    values = v.repeat_interleave(groups, dim=1)
    scores = q @ keys.transpose(-2, -1) / math.sqrt(Dh)
    mask = torch.ones(T, k.shape[2], dtype=torch.bool, device=x.device).tril(start)
    scores = scores.masked_fill(~mask, float("-inf"))
    out = scores.softmax(-1) @ values
    out = out.transpose(1, 2).reshape(B, T, C)
    return out @ W[3], (k, v)


# --- cache_unrotated_returned_only
import math

import torch


def rotate(x, theta, start):
    half = x.shape[-1] // 2
    pos = torch.arange(start, start + x.shape[2], device=x.device).float()
    freq = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angle = pos[:, None] * freq
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)


def minimind_attention(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    if num_heads % num_kv_heads != 0:
        raise ValueError("num_heads must be a multiple of num_kv_heads")
    B, T, C = x.shape
    Dh = C // num_heads
    q = (x @ W[0]).view(B, T, num_heads, Dh).transpose(1, 2)
    k = (x @ W[1]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    v = (x @ W[2]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    start = 0 if cache is None else cache[0].shape[2]
    raw = k
    q, k = rotate(q, theta, start), rotate(k, theta, start)
    if cache is not None:
        raw = torch.cat([cache[0], raw], dim=2)
        k = torch.cat([cache[0], k], dim=2)
        v = torch.cat([cache[1], v], dim=2)
    groups = num_heads // num_kv_heads
    keys = k.repeat_interleave(groups, dim=1)
    values = v.repeat_interleave(groups, dim=1)
    scores = q @ keys.transpose(-2, -1) / math.sqrt(Dh)
    mask = torch.ones(T, k.shape[2], dtype=torch.bool, device=x.device).tril(start)
    scores = scores.masked_fill(~mask, float("-inf"))
    out = scores.softmax(-1) @ values
    out = out.transpose(1, 2).reshape(B, T, C)
    return out @ W[3], (raw, v)


# --- new_keys_first
import math

import torch


def rotate(x, theta, start):
    half = x.shape[-1] // 2
    pos = torch.arange(start, start + x.shape[2], device=x.device).float()
    freq = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angle = pos[:, None] * freq
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)


def minimind_attention(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    if num_heads % num_kv_heads != 0:
        raise ValueError("num_heads must be a multiple of num_kv_heads")
    B, T, C = x.shape
    Dh = C // num_heads
    q = (x @ W[0]).view(B, T, num_heads, Dh).transpose(1, 2)
    k = (x @ W[1]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    v = (x @ W[2]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    start = 0 if cache is None else cache[0].shape[2]
    q, k = rotate(q, theta, start), rotate(k, theta, start)
    if cache is not None:
        k = torch.cat([k, cache[0]], dim=2)
        v = torch.cat([v, cache[1]], dim=2)
    groups = num_heads // num_kv_heads
    keys = k.repeat_interleave(groups, dim=1)
    values = v.repeat_interleave(groups, dim=1)
    scores = q @ keys.transpose(-2, -1) / math.sqrt(Dh)
    mask = torch.ones(T, k.shape[2], dtype=torch.bool, device=x.device).tril(start)
    scores = scores.masked_fill(~mask, float("-inf"))
    out = scores.softmax(-1) @ values
    out = out.transpose(1, 2).reshape(B, T, C)
    return out @ W[3], (k, v)


# --- no_refusal_new_first
import torch
from torch import Tensor
import torch.nn.functional as F


def precompute(dim: int, end: int, theta: float, device):
    freqs = 1.0 / (theta ** (torch.arange(0, dim, 2, device=device)[: (dim // 2)].float() / dim))
    t = torch.arange(end, device=device)
    freqs = torch.outer(t, freqs).float()
    freqs_cos = torch.cat([torch.cos(freqs), torch.cos(freqs)], dim=-1)
    freqs_sin = torch.cat([torch.sin(freqs), torch.sin(freqs)], dim=-1)
    return freqs_cos, freqs_sin


def apply_rotary_pos_emb(q, k, cos, sin):
    def rotate_half(x):
        return torch.cat((-x[..., x.shape[-1] // 2:], x[..., : x.shape[-1] // 2]), dim=-1)

    q_embed = (q * cos) + (rotate_half(q) * sin)
    k_embed = (k * cos) + (rotate_half(k) * sin)
    return q_embed.to(q.dtype), k_embed.to(k.dtype)


def repeat_kv(x, n_rep):
    bs, n_kv, slen, head_dim = x.shape
    if n_rep == 1:
        return x
    return x[:, :, None].expand(bs, n_kv, n_rep, slen, head_dim).reshape(bs, n_kv * n_rep, slen, head_dim)


def minimind_attention(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    bsz, seq_len, hidden = x.shape
    head_dim = hidden // num_heads
    xq, xk, xv = x @ W[0], x @ W[1], x @ W[2]
    xq = xq.reshape(bsz, seq_len, num_heads, head_dim).transpose(1, 2)
    xk = xk.reshape(bsz, seq_len, num_kv_heads, head_dim).transpose(1, 2)
    xv = xv.reshape(bsz, seq_len, num_kv_heads, head_dim).transpose(1, 2)
    past = cache[0].shape[2] if cache is not None else 0
    cos, sin = precompute(head_dim, past + seq_len, theta, x.device)
    xq, xk = apply_rotary_pos_emb(xq, xk, cos[past:], sin[past:])
    xq, xk = xq.to(x.dtype), xk.to(x.dtype)
    if cache is not None:
        xk = torch.cat([xk, cache[0]], dim=2)
        xv = torch.cat([xv, cache[1]], dim=2)
    past_kv = (xk, xv)
    n_rep = num_heads // num_kv_heads
    xk, xv = repeat_kv(xk, n_rep), repeat_kv(xv, n_rep)
    scores = (xq @ xk.transpose(-2, -1)) * head_dim ** -0.5
    scores = scores + torch.triu(torch.full((seq_len, past + seq_len), float("-inf"), device=x.device), diagonal=1 + past).to(x.dtype)
    scores = F.softmax(scores.float(), dim=-1).type_as(xq)
    output = scores @ xv
    output = output.transpose(1, 2).reshape(bsz, seq_len, -1)
    return output @ W[3], past_kv


# --- cache_returns_only_new
import math

import torch


def rotate(x, theta, start):
    half = x.shape[-1] // 2
    pos = torch.arange(start, start + x.shape[2], device=x.device).float()
    freq = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angle = pos[:, None] * freq
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)


def minimind_attention(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    if num_heads % num_kv_heads != 0:
        raise ValueError("num_heads must be a multiple of num_kv_heads")
    B, T, C = x.shape
    Dh = C // num_heads
    q = (x @ W[0]).view(B, T, num_heads, Dh).transpose(1, 2)
    k = (x @ W[1]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    v = (x @ W[2]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    start = 0 if cache is None else cache[0].shape[2]
    q, k = rotate(q, theta, start), rotate(k, theta, start)
    new = (k, v)
    if cache is not None:
        k = torch.cat([cache[0], k], dim=2)
        v = torch.cat([cache[1], v], dim=2)
    groups = num_heads // num_kv_heads
    keys = k.repeat_interleave(groups, dim=1)
    values = v.repeat_interleave(groups, dim=1)
    scores = q @ keys.transpose(-2, -1) / math.sqrt(Dh)
    mask = torch.ones(T, k.shape[2], dtype=torch.bool, device=x.device).tril(start)
    scores = scores.masked_fill(~mask, float("-inf"))
    out = scores.softmax(-1) @ values
    out = out.transpose(1, 2).reshape(B, T, C)
    return out @ W[3], new


# --- cache_ignored
import math

import torch


def rotate(x, theta, start):
    half = x.shape[-1] // 2
    pos = torch.arange(start, start + x.shape[2], device=x.device).float()
    freq = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angle = pos[:, None] * freq
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)


def minimind_attention(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    if num_heads % num_kv_heads != 0:
        raise ValueError("num_heads must be a multiple of num_kv_heads")
    B, T, C = x.shape
    Dh = C // num_heads
    q = (x @ W[0]).view(B, T, num_heads, Dh).transpose(1, 2)
    k = (x @ W[1]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    v = (x @ W[2]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    start = 0
    q, k = rotate(q, theta, start), rotate(k, theta, start)
    groups = num_heads // num_kv_heads
    keys = k.repeat_interleave(groups, dim=1)
    values = v.repeat_interleave(groups, dim=1)
    scores = q @ keys.transpose(-2, -1) / math.sqrt(Dh)
    mask = torch.ones(T, k.shape[2], dtype=torch.bool, device=x.device).tril(start)
    scores = scores.masked_fill(~mask, float("-inf"))
    out = scores.softmax(-1) @ values
    out = out.transpose(1, 2).reshape(B, T, C)
    return out @ W[3], (k, v)


# --- cache_repeated_heads
import torch
from torch import Tensor
import torch.nn.functional as F


def precompute(dim: int, end: int, theta: float, device):
    freqs = 1.0 / (theta ** (torch.arange(0, dim, 2, device=device)[: (dim // 2)].float() / dim))
    t = torch.arange(end, device=device)
    freqs = torch.outer(t, freqs).float()
    freqs_cos = torch.cat([torch.cos(freqs), torch.cos(freqs)], dim=-1)
    freqs_sin = torch.cat([torch.sin(freqs), torch.sin(freqs)], dim=-1)
    return freqs_cos, freqs_sin


def apply_rotary_pos_emb(q, k, cos, sin):
    def rotate_half(x):
        return torch.cat((-x[..., x.shape[-1] // 2:], x[..., : x.shape[-1] // 2]), dim=-1)

    q_embed = (q * cos) + (rotate_half(q) * sin)
    k_embed = (k * cos) + (rotate_half(k) * sin)
    return q_embed.to(q.dtype), k_embed.to(k.dtype)


def repeat_kv(x, n_rep):
    bs, n_kv, slen, head_dim = x.shape
    if n_rep == 1:
        return x
    return x[:, :, None].expand(bs, n_kv, n_rep, slen, head_dim).reshape(bs, n_kv * n_rep, slen, head_dim)


def minimind_attention(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    if num_heads % num_kv_heads:
        raise ValueError("H must be divisible by H_kv")
    bsz, seq_len, hidden = x.shape
    head_dim = hidden // num_heads
    xq, xk, xv = x @ W[0], x @ W[1], x @ W[2]
    xq = xq.reshape(bsz, seq_len, num_heads, head_dim).transpose(1, 2)
    xk = xk.reshape(bsz, seq_len, num_kv_heads, head_dim).transpose(1, 2)
    xv = xv.reshape(bsz, seq_len, num_kv_heads, head_dim).transpose(1, 2)
    past = cache[0].shape[2] if cache is not None else 0
    cos, sin = precompute(head_dim, past + seq_len, theta, x.device)
    xq, xk = apply_rotary_pos_emb(xq, xk, cos[past:], sin[past:])
    xq, xk = xq.to(x.dtype), xk.to(x.dtype)
    if cache is not None:
        xk = torch.cat([cache[0], xk], dim=2)
        xv = torch.cat([cache[1], xv], dim=2)
    n_rep = num_heads // num_kv_heads
    xk, xv = repeat_kv(xk, n_rep), repeat_kv(xv, n_rep)
    past_kv = (xk, xv)
    scores = (xq @ xk.transpose(-2, -1)) * head_dim ** -0.5
    scores = scores + torch.triu(torch.full((seq_len, past + seq_len), float("-inf"), device=x.device), diagonal=1 + past).to(x.dtype)
    scores = F.softmax(scores.float(), dim=-1).type_as(xq)
    output = scores @ xv
    output = output.transpose(1, 2).reshape(bsz, seq_len, -1)
    return output @ W[3], past_kv


# --- cache_along_wrong_axis
import math

import torch


def rotate(x, theta, start):
    half = x.shape[-1] // 2
    pos = torch.arange(start, start + x.shape[2], device=x.device).float()
    freq = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angle = pos[:, None] * freq
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)


def minimind_attention(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    if num_heads % num_kv_heads != 0:
        raise ValueError("num_heads must be a multiple of num_kv_heads")
    B, T, C = x.shape
    Dh = C // num_heads
    q = (x @ W[0]).view(B, T, num_heads, Dh).transpose(1, 2)
    k = (x @ W[1]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    v = (x @ W[2]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    start = 0 if cache is None else cache[0].shape[2]
    q, k = rotate(q, theta, start), rotate(k, theta, start)
    if cache is not None:
        k = torch.cat([cache[0], k], dim=1)
        v = torch.cat([cache[1], v], dim=1)
    groups = num_heads // num_kv_heads
    keys = k.repeat_interleave(groups, dim=1)
    values = v.repeat_interleave(groups, dim=1)
    scores = q @ keys.transpose(-2, -1) / math.sqrt(Dh)
    mask = torch.ones(T, k.shape[2], dtype=torch.bool, device=x.device).tril(start)
    scores = scores.masked_fill(~mask, float("-inf"))
    out = scores.softmax(-1) @ values
    out = out.transpose(1, 2).reshape(B, T, C)
    return out @ W[3], (k, v)


# --- cache_layout_btHd
import torch
from torch import Tensor
import torch.nn.functional as F


def precompute(dim: int, end: int, theta: float, device):
    freqs = 1.0 / (theta ** (torch.arange(0, dim, 2, device=device)[: (dim // 2)].float() / dim))
    t = torch.arange(end, device=device)
    freqs = torch.outer(t, freqs).float()
    freqs_cos = torch.cat([torch.cos(freqs), torch.cos(freqs)], dim=-1)
    freqs_sin = torch.cat([torch.sin(freqs), torch.sin(freqs)], dim=-1)
    return freqs_cos, freqs_sin


def apply_rotary_pos_emb(q, k, cos, sin):
    def rotate_half(x):
        return torch.cat((-x[..., x.shape[-1] // 2:], x[..., : x.shape[-1] // 2]), dim=-1)

    q_embed = (q * cos) + (rotate_half(q) * sin)
    k_embed = (k * cos) + (rotate_half(k) * sin)
    return q_embed.to(q.dtype), k_embed.to(k.dtype)


def repeat_kv(x, n_rep):
    bs, n_kv, slen, head_dim = x.shape
    if n_rep == 1:
        return x
    return x[:, :, None].expand(bs, n_kv, n_rep, slen, head_dim).reshape(bs, n_kv * n_rep, slen, head_dim)


def minimind_attention(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    if num_heads % num_kv_heads:
        raise ValueError("H must be divisible by H_kv")
    bsz, seq_len, hidden = x.shape
    head_dim = hidden // num_heads
    xq, xk, xv = x @ W[0], x @ W[1], x @ W[2]
    xq = xq.reshape(bsz, seq_len, num_heads, head_dim).transpose(1, 2)
    xk = xk.reshape(bsz, seq_len, num_kv_heads, head_dim).transpose(1, 2)
    xv = xv.reshape(bsz, seq_len, num_kv_heads, head_dim).transpose(1, 2)
    past = cache[0].shape[1] if cache is not None else 0
    cos, sin = precompute(head_dim, past + seq_len, theta, x.device)
    xq, xk = apply_rotary_pos_emb(xq, xk, cos[past:], sin[past:])
    xq, xk = xq.to(x.dtype), xk.to(x.dtype)
    if cache is not None:
        xk = torch.cat([cache[0].transpose(1, 2), xk], dim=2)
        xv = torch.cat([cache[1].transpose(1, 2), xv], dim=2)
    past_kv = (xk.transpose(1, 2), xv.transpose(1, 2))
    n_rep = num_heads // num_kv_heads
    xk, xv = repeat_kv(xk, n_rep), repeat_kv(xv, n_rep)
    scores = (xq @ xk.transpose(-2, -1)) * head_dim ** -0.5
    scores = scores + torch.triu(torch.full((seq_len, past + seq_len), float("-inf"), device=x.device), diagonal=1 + past).to(x.dtype)
    scores = F.softmax(scores.float(), dim=-1).type_as(xq)
    output = scores @ xv
    output = output.transpose(1, 2).reshape(bsz, seq_len, -1)
    return output @ W[3], past_kv


# --- heads_tiled
import math

import torch


def rotate(x, theta, start):
    half = x.shape[-1] // 2
    pos = torch.arange(start, start + x.shape[2], device=x.device).float()
    freq = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angle = pos[:, None] * freq
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)


def minimind_attention(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    if num_heads % num_kv_heads != 0:
        raise ValueError("num_heads must be a multiple of num_kv_heads")
    B, T, C = x.shape
    Dh = C // num_heads
    q = (x @ W[0]).view(B, T, num_heads, Dh).transpose(1, 2)
    k = (x @ W[1]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    v = (x @ W[2]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    start = 0 if cache is None else cache[0].shape[2]
    q, k = rotate(q, theta, start), rotate(k, theta, start)
    if cache is not None:
        k = torch.cat([cache[0], k], dim=2)
        v = torch.cat([cache[1], v], dim=2)
    groups = num_heads // num_kv_heads
    keys = k.repeat(1, groups, 1, 1)
    values = v.repeat(1, groups, 1, 1)
    scores = q @ keys.transpose(-2, -1) / math.sqrt(Dh)
    mask = torch.ones(T, k.shape[2], dtype=torch.bool, device=x.device).tril(start)
    scores = scores.masked_fill(~mask, float("-inf"))
    out = scores.softmax(-1) @ values
    out = out.transpose(1, 2).reshape(B, T, C)
    return out @ W[3], (k, v)


# --- no_refusal_and_tiled
import math

import torch


def rotate(x, theta, start):
    half = x.shape[-1] // 2
    pos = torch.arange(start, start + x.shape[2], device=x.device).float()
    freq = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angle = pos[:, None] * freq
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)


def minimind_attention(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    B, T, C = x.shape
    Dh = C // num_heads
    q = (x @ W[0]).view(B, T, num_heads, Dh).transpose(1, 2)
    k = (x @ W[1]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    v = (x @ W[2]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    start = 0 if cache is None else cache[0].shape[2]
    q, k = rotate(q, theta, start), rotate(k, theta, start)
    if cache is not None:
        k = torch.cat([cache[0], k], dim=2)
        v = torch.cat([cache[1], v], dim=2)
    groups = num_heads // num_kv_heads
    keys = k.repeat(1, groups, 1, 1)
    values = v.repeat(1, groups, 1, 1)
    scores = q @ keys.transpose(-2, -1) / math.sqrt(Dh)
    mask = torch.ones(T, k.shape[2], dtype=torch.bool, device=x.device).tril(start)
    scores = scores.masked_fill(~mask, float("-inf"))
    out = scores.softmax(-1) @ values
    out = out.transpose(1, 2).reshape(B, T, C)
    return out @ W[3], (k, v)


# --- no_scale
import math

import torch


def rotate(x, theta, start):
    half = x.shape[-1] // 2
    pos = torch.arange(start, start + x.shape[2], device=x.device).float()
    freq = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angle = pos[:, None] * freq
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)


def minimind_attention(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    if num_heads % num_kv_heads != 0:
        raise ValueError("num_heads must be a multiple of num_kv_heads")
    B, T, C = x.shape
    Dh = C // num_heads
    q = (x @ W[0]).view(B, T, num_heads, Dh).transpose(1, 2)
    k = (x @ W[1]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    v = (x @ W[2]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    start = 0 if cache is None else cache[0].shape[2]
    q, k = rotate(q, theta, start), rotate(k, theta, start)
    if cache is not None:
        k = torch.cat([cache[0], k], dim=2)
        v = torch.cat([cache[1], v], dim=2)
    groups = num_heads // num_kv_heads
    keys = k.repeat_interleave(groups, dim=1)
    values = v.repeat_interleave(groups, dim=1)
    scores = q @ keys.transpose(-2, -1)
    mask = torch.ones(T, k.shape[2], dtype=torch.bool, device=x.device).tril(start)
    scores = scores.masked_fill(~mask, float("-inf"))
    out = scores.softmax(-1) @ values
    out = out.transpose(1, 2).reshape(B, T, C)
    return out @ W[3], (k, v)


# --- scale_sqrt_c
import math

import torch


def rotate(x, theta, start):
    half = x.shape[-1] // 2
    pos = torch.arange(start, start + x.shape[2], device=x.device).float()
    freq = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angle = pos[:, None] * freq
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)


def minimind_attention(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    if num_heads % num_kv_heads != 0:
        raise ValueError("num_heads must be a multiple of num_kv_heads")
    B, T, C = x.shape
    Dh = C // num_heads
    q = (x @ W[0]).view(B, T, num_heads, Dh).transpose(1, 2)
    k = (x @ W[1]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    v = (x @ W[2]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    start = 0 if cache is None else cache[0].shape[2]
    q, k = rotate(q, theta, start), rotate(k, theta, start)
    if cache is not None:
        k = torch.cat([cache[0], k], dim=2)
        v = torch.cat([cache[1], v], dim=2)
    groups = num_heads // num_kv_heads
    keys = k.repeat_interleave(groups, dim=1)
    values = v.repeat_interleave(groups, dim=1)
    scores = q @ keys.transpose(-2, -1) / math.sqrt(C)
    mask = torch.ones(T, k.shape[2], dtype=torch.bool, device=x.device).tril(start)
    scores = scores.masked_fill(~mask, float("-inf"))
    out = scores.softmax(-1) @ values
    out = out.transpose(1, 2).reshape(B, T, C)
    return out @ W[3], (k, v)


# --- scale_dh
import torch
from torch import Tensor
import torch.nn.functional as F


def precompute(dim: int, end: int, theta: float, device):
    freqs = 1.0 / (theta ** (torch.arange(0, dim, 2, device=device)[: (dim // 2)].float() / dim))
    t = torch.arange(end, device=device)
    freqs = torch.outer(t, freqs).float()
    freqs_cos = torch.cat([torch.cos(freqs), torch.cos(freqs)], dim=-1)
    freqs_sin = torch.cat([torch.sin(freqs), torch.sin(freqs)], dim=-1)
    return freqs_cos, freqs_sin


def apply_rotary_pos_emb(q, k, cos, sin):
    def rotate_half(x):
        return torch.cat((-x[..., x.shape[-1] // 2:], x[..., : x.shape[-1] // 2]), dim=-1)

    q_embed = (q * cos) + (rotate_half(q) * sin)
    k_embed = (k * cos) + (rotate_half(k) * sin)
    return q_embed.to(q.dtype), k_embed.to(k.dtype)


def repeat_kv(x, n_rep):
    bs, n_kv, slen, head_dim = x.shape
    if n_rep == 1:
        return x
    return x[:, :, None].expand(bs, n_kv, n_rep, slen, head_dim).reshape(bs, n_kv * n_rep, slen, head_dim)


def minimind_attention(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    if num_heads % num_kv_heads:
        raise ValueError("H must be divisible by H_kv")
    bsz, seq_len, hidden = x.shape
    head_dim = hidden // num_heads
    xq, xk, xv = x @ W[0], x @ W[1], x @ W[2]
    xq = xq.reshape(bsz, seq_len, num_heads, head_dim).transpose(1, 2)
    xk = xk.reshape(bsz, seq_len, num_kv_heads, head_dim).transpose(1, 2)
    xv = xv.reshape(bsz, seq_len, num_kv_heads, head_dim).transpose(1, 2)
    past = cache[0].shape[2] if cache is not None else 0
    cos, sin = precompute(head_dim, past + seq_len, theta, x.device)
    xq, xk = apply_rotary_pos_emb(xq, xk, cos[past:], sin[past:])
    xq, xk = xq.to(x.dtype), xk.to(x.dtype)
    if cache is not None:
        xk = torch.cat([cache[0], xk], dim=2)
        xv = torch.cat([cache[1], xv], dim=2)
    past_kv = (xk, xv)
    n_rep = num_heads // num_kv_heads
    xk, xv = repeat_kv(xk, n_rep), repeat_kv(xv, n_rep)
    scores = (xq @ xk.transpose(-2, -1)) * (1 / head_dim)
    scores = scores + torch.triu(torch.full((seq_len, past + seq_len), float("-inf"), device=x.device), diagonal=1 + past).to(x.dtype)
    scores = F.softmax(scores.float(), dim=-1).type_as(xq)
    output = scores @ xv
    output = output.transpose(1, 2).reshape(bsz, seq_len, -1)
    return output @ W[3], past_kv


# --- merge_without_transpose
import math

import torch


def rotate(x, theta, start):
    half = x.shape[-1] // 2
    pos = torch.arange(start, start + x.shape[2], device=x.device).float()
    freq = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angle = pos[:, None] * freq
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)


def minimind_attention(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    if num_heads % num_kv_heads != 0:
        raise ValueError("num_heads must be a multiple of num_kv_heads")
    B, T, C = x.shape
    Dh = C // num_heads
    q = (x @ W[0]).view(B, T, num_heads, Dh).transpose(1, 2)
    k = (x @ W[1]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    v = (x @ W[2]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    start = 0 if cache is None else cache[0].shape[2]
    q, k = rotate(q, theta, start), rotate(k, theta, start)
    if cache is not None:
        k = torch.cat([cache[0], k], dim=2)
        v = torch.cat([cache[1], v], dim=2)
    groups = num_heads // num_kv_heads
    keys = k.repeat_interleave(groups, dim=1)
    values = v.repeat_interleave(groups, dim=1)
    scores = q @ keys.transpose(-2, -1) / math.sqrt(Dh)
    mask = torch.ones(T, k.shape[2], dtype=torch.bool, device=x.device).tril(start)
    scores = scores.masked_fill(~mask, float("-inf"))
    out = scores.softmax(-1) @ values
    out = out.reshape(B, T, C)
    return out @ W[3], (k, v)


# --- split_without_transpose
import math

import torch


def rotate(x, theta, start):
    half = x.shape[-1] // 2
    pos = torch.arange(start, start + x.shape[2], device=x.device).float()
    freq = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angle = pos[:, None] * freq
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)


def minimind_attention(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    if num_heads % num_kv_heads != 0:
        raise ValueError("num_heads must be a multiple of num_kv_heads")
    B, T, C = x.shape
    Dh = C // num_heads
    q = (x @ W[0]).view(B, num_heads, T, Dh)
    k = (x @ W[1]).view(B, num_kv_heads, T, Dh)
    v = (x @ W[2]).view(B, num_kv_heads, T, Dh)
    start = 0 if cache is None else cache[0].shape[2]
    q, k = rotate(q, theta, start), rotate(k, theta, start)
    if cache is not None:
        k = torch.cat([cache[0], k], dim=2)
        v = torch.cat([cache[1], v], dim=2)
    groups = num_heads // num_kv_heads
    keys = k.repeat_interleave(groups, dim=1)
    values = v.repeat_interleave(groups, dim=1)
    scores = q @ keys.transpose(-2, -1) / math.sqrt(Dh)
    mask = torch.ones(T, k.shape[2], dtype=torch.bool, device=x.device).tril(start)
    scores = scores.masked_fill(~mask, float("-inf"))
    out = scores.softmax(-1) @ values
    out = out.transpose(1, 2).reshape(B, T, C)
    return out @ W[3], (k, v)


# --- heads_interleaved
import math

import torch


def rotate(x, theta, start):
    half = x.shape[-1] // 2
    pos = torch.arange(start, start + x.shape[2], device=x.device).float()
    freq = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angle = pos[:, None] * freq
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)


def minimind_attention(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    if num_heads % num_kv_heads != 0:
        raise ValueError("num_heads must be a multiple of num_kv_heads")
    B, T, C = x.shape
    Dh = C // num_heads
    q = (x @ W[0]).view(B, T, Dh, num_heads).permute(0, 3, 1, 2)
    k = (x @ W[1]).view(B, T, Dh, num_kv_heads).permute(0, 3, 1, 2)
    v = (x @ W[2]).view(B, T, Dh, num_kv_heads).permute(0, 3, 1, 2)
    start = 0 if cache is None else cache[0].shape[2]
    q, k = rotate(q, theta, start), rotate(k, theta, start)
    if cache is not None:
        k = torch.cat([cache[0], k], dim=2)
        v = torch.cat([cache[1], v], dim=2)
    groups = num_heads // num_kv_heads
    keys = k.repeat_interleave(groups, dim=1)
    values = v.repeat_interleave(groups, dim=1)
    scores = q @ keys.transpose(-2, -1) / math.sqrt(Dh)
    mask = torch.ones(T, k.shape[2], dtype=torch.bool, device=x.device).tril(start)
    scores = scores.masked_fill(~mask, float("-inf"))
    out = scores.softmax(-1) @ values
    out = out.permute(0, 2, 3, 1).reshape(B, T, C)
    return out @ W[3], (k, v)


# --- weights_transposed
import math

import torch


def rotate(x, theta, start):
    half = x.shape[-1] // 2
    pos = torch.arange(start, start + x.shape[2], device=x.device).float()
    freq = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angle = pos[:, None] * freq
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)


def minimind_attention(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    if num_heads % num_kv_heads != 0:
        raise ValueError("num_heads must be a multiple of num_kv_heads")
    B, T, C = x.shape
    Dh = C // num_heads
    q = (x @ W[0].T).view(B, T, num_heads, Dh).transpose(1, 2)
    k = (x @ W[1]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    v = (x @ W[2]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    start = 0 if cache is None else cache[0].shape[2]
    q, k = rotate(q, theta, start), rotate(k, theta, start)
    if cache is not None:
        k = torch.cat([cache[0], k], dim=2)
        v = torch.cat([cache[1], v], dim=2)
    groups = num_heads // num_kv_heads
    keys = k.repeat_interleave(groups, dim=1)
    values = v.repeat_interleave(groups, dim=1)
    scores = q @ keys.transpose(-2, -1) / math.sqrt(Dh)
    mask = torch.ones(T, k.shape[2], dtype=torch.bool, device=x.device).tril(start)
    scores = scores.masked_fill(~mask, float("-inf"))
    out = scores.softmax(-1) @ values
    out = out.transpose(1, 2).reshape(B, T, C)
    return out @ W[3].T, (k, v)


# --- no_output_projection
import math

import torch


def rotate(x, theta, start):
    half = x.shape[-1] // 2
    pos = torch.arange(start, start + x.shape[2], device=x.device).float()
    freq = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angle = pos[:, None] * freq
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)


def minimind_attention(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    if num_heads % num_kv_heads != 0:
        raise ValueError("num_heads must be a multiple of num_kv_heads")
    B, T, C = x.shape
    Dh = C // num_heads
    q = (x @ W[0]).view(B, T, num_heads, Dh).transpose(1, 2)
    k = (x @ W[1]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    v = (x @ W[2]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    start = 0 if cache is None else cache[0].shape[2]
    q, k = rotate(q, theta, start), rotate(k, theta, start)
    if cache is not None:
        k = torch.cat([cache[0], k], dim=2)
        v = torch.cat([cache[1], v], dim=2)
    groups = num_heads // num_kv_heads
    keys = k.repeat_interleave(groups, dim=1)
    values = v.repeat_interleave(groups, dim=1)
    scores = q @ keys.transpose(-2, -1) / math.sqrt(Dh)
    mask = torch.ones(T, k.shape[2], dtype=torch.bool, device=x.device).tril(start)
    scores = scores.masked_fill(~mask, float("-inf"))
    out = scores.softmax(-1) @ values
    out = out.transpose(1, 2).reshape(B, T, C)
    return out, (k, v)


# --- merge_view
import math

import torch


def rotate(x, theta, start):
    half = x.shape[-1] // 2
    pos = torch.arange(start, start + x.shape[2], device=x.device).float()
    freq = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angle = pos[:, None] * freq
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)


def minimind_attention(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    if num_heads % num_kv_heads != 0:
        raise ValueError("num_heads must be a multiple of num_kv_heads")
    B, T, C = x.shape
    Dh = C // num_heads
    q = (x @ W[0]).view(B, T, num_heads, Dh).transpose(1, 2)
    k = (x @ W[1]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    v = (x @ W[2]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    start = 0 if cache is None else cache[0].shape[2]
    q, k = rotate(q, theta, start), rotate(k, theta, start)
    if cache is not None:
        k = torch.cat([cache[0], k], dim=2)
        v = torch.cat([cache[1], v], dim=2)
    groups = num_heads // num_kv_heads
    keys = k.repeat_interleave(groups, dim=1)
    values = v.repeat_interleave(groups, dim=1)
    scores = q @ keys.transpose(-2, -1) / math.sqrt(Dh)
    mask = torch.ones(T, k.shape[2], dtype=torch.bool, device=x.device).tril(start)
    scores = scores.masked_fill(~mask, float("-inf"))
    out = scores.softmax(-1) @ values
    out = out.transpose(1, 2).view(B, T, C)
    return out @ W[3], (k, v)


# --- keys_transposed_1_2
import math

import torch


def rotate(x, theta, start):
    half = x.shape[-1] // 2
    pos = torch.arange(start, start + x.shape[2], device=x.device).float()
    freq = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angle = pos[:, None] * freq
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)


def minimind_attention(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    if num_heads % num_kv_heads != 0:
        raise ValueError("num_heads must be a multiple of num_kv_heads")
    B, T, C = x.shape
    Dh = C // num_heads
    q = (x @ W[0]).view(B, T, num_heads, Dh).transpose(1, 2)
    k = (x @ W[1]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    v = (x @ W[2]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    start = 0 if cache is None else cache[0].shape[2]
    q, k = rotate(q, theta, start), rotate(k, theta, start)
    if cache is not None:
        k = torch.cat([cache[0], k], dim=2)
        v = torch.cat([cache[1], v], dim=2)
    groups = num_heads // num_kv_heads
    keys = k.repeat_interleave(groups, dim=1)
    values = v.repeat_interleave(groups, dim=1)
    scores = q @ keys.transpose(1, 2) / math.sqrt(Dh)
    mask = torch.ones(T, k.shape[2], dtype=torch.bool, device=x.device).tril(start)
    scores = scores.masked_fill(~mask, float("-inf"))
    out = scores.softmax(-1) @ values
    out = out.transpose(1, 2).reshape(B, T, C)
    return out @ W[3], (k, v)


# --- cos_sin_in_half
import math

import torch


def rotate(x, theta, start):
    half = x.shape[-1] // 2
    pos = torch.arange(start, start + x.shape[2], device=x.device).to(x.dtype)
    freq = theta ** (-2 * torch.arange(half, device=x.device).to(x.dtype) / x.shape[-1])
    angle = pos[:, None] * freq
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)


def minimind_attention(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    if num_heads % num_kv_heads != 0:
        raise ValueError("num_heads must be a multiple of num_kv_heads")
    B, T, C = x.shape
    Dh = C // num_heads
    q = (x @ W[0]).view(B, T, num_heads, Dh).transpose(1, 2)
    k = (x @ W[1]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    v = (x @ W[2]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    start = 0 if cache is None else cache[0].shape[2]
    q, k = rotate(q, theta, start), rotate(k, theta, start)
    if cache is not None:
        k = torch.cat([cache[0], k], dim=2)
        v = torch.cat([cache[1], v], dim=2)
    groups = num_heads // num_kv_heads
    keys = k.repeat_interleave(groups, dim=1)
    values = v.repeat_interleave(groups, dim=1)
    scores = q @ keys.transpose(-2, -1) / math.sqrt(Dh)
    mask = torch.ones(T, k.shape[2], dtype=torch.bool, device=x.device).tril(start)
    scores = scores.masked_fill(~mask, float("-inf"))
    out = scores.softmax(-1) @ values
    out = out.transpose(1, 2).reshape(B, T, C)
    return out @ W[3], (k, v)


# --- mask_on_cpu
import math

import torch


def rotate(x, theta, start):
    half = x.shape[-1] // 2
    pos = torch.arange(start, start + x.shape[2], device=x.device).float()
    freq = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angle = pos[:, None] * freq
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)


def minimind_attention(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    if num_heads % num_kv_heads != 0:
        raise ValueError("num_heads must be a multiple of num_kv_heads")
    B, T, C = x.shape
    Dh = C // num_heads
    q = (x @ W[0]).view(B, T, num_heads, Dh).transpose(1, 2)
    k = (x @ W[1]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    v = (x @ W[2]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    start = 0 if cache is None else cache[0].shape[2]
    q, k = rotate(q, theta, start), rotate(k, theta, start)
    if cache is not None:
        k = torch.cat([cache[0], k], dim=2)
        v = torch.cat([cache[1], v], dim=2)
    groups = num_heads // num_kv_heads
    keys = k.repeat_interleave(groups, dim=1)
    values = v.repeat_interleave(groups, dim=1)
    scores = q @ keys.transpose(-2, -1) / math.sqrt(Dh)
    mask = torch.ones(T, k.shape[2], dtype=torch.bool).tril(start)
    scores = scores.masked_fill(~mask, float("-inf"))
    out = scores.softmax(-1) @ values
    out = out.transpose(1, 2).reshape(B, T, C)
    return out @ W[3], (k, v)


# --- result_float32
import math

import torch


def rotate(x, theta, start):
    half = x.shape[-1] // 2
    pos = torch.arange(start, start + x.shape[2], device=x.device).float()
    freq = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angle = pos[:, None] * freq
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)


def minimind_attention(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    if num_heads % num_kv_heads != 0:
        raise ValueError("num_heads must be a multiple of num_kv_heads")
    x, W = x.float(), [w.float() for w in W]
    if cache is not None:
        cache = [c.float() for c in cache]
    B, T, C = x.shape
    Dh = C // num_heads
    q = (x @ W[0]).view(B, T, num_heads, Dh).transpose(1, 2)
    k = (x @ W[1]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    v = (x @ W[2]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    start = 0 if cache is None else cache[0].shape[2]
    q, k = rotate(q, theta, start), rotate(k, theta, start)
    if cache is not None:
        k = torch.cat([cache[0], k], dim=2)
        v = torch.cat([cache[1], v], dim=2)
    groups = num_heads // num_kv_heads
    keys = k.repeat_interleave(groups, dim=1)
    values = v.repeat_interleave(groups, dim=1)
    scores = q @ keys.transpose(-2, -1) / math.sqrt(Dh)
    mask = torch.ones(T, k.shape[2], dtype=torch.bool, device=x.device).tril(start)
    scores = scores.masked_fill(~mask, float("-inf"))
    out = scores.softmax(-1) @ values
    out = out.transpose(1, 2).reshape(B, T, C)
    return out @ W[3], (k, v)


# --- no_grad
import math

import torch


def rotate(x, theta, start):
    half = x.shape[-1] // 2
    pos = torch.arange(start, start + x.shape[2], device=x.device).float()
    freq = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angle = pos[:, None] * freq
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)


@torch.no_grad()
def minimind_attention(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    if num_heads % num_kv_heads != 0:
        raise ValueError("num_heads must be a multiple of num_kv_heads")
    B, T, C = x.shape
    Dh = C // num_heads
    q = (x @ W[0]).view(B, T, num_heads, Dh).transpose(1, 2)
    k = (x @ W[1]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    v = (x @ W[2]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    start = 0 if cache is None else cache[0].shape[2]
    q, k = rotate(q, theta, start), rotate(k, theta, start)
    if cache is not None:
        k = torch.cat([cache[0], k], dim=2)
        v = torch.cat([cache[1], v], dim=2)
    groups = num_heads // num_kv_heads
    keys = k.repeat_interleave(groups, dim=1)
    values = v.repeat_interleave(groups, dim=1)
    scores = q @ keys.transpose(-2, -1) / math.sqrt(Dh)
    mask = torch.ones(T, k.shape[2], dtype=torch.bool, device=x.device).tril(start)
    scores = scores.masked_fill(~mask, float("-inf"))
    out = scores.softmax(-1) @ values
    out = out.transpose(1, 2).reshape(B, T, C)
    return out @ W[3], (k, v)


# --- table_of_64
import torch
from torch import Tensor
import torch.nn.functional as F


def precompute(dim: int, end: int, theta: float, device):
    freqs = 1.0 / (theta ** (torch.arange(0, dim, 2, device=device)[: (dim // 2)].float() / dim))
    t = torch.arange(end, device=device)
    freqs = torch.outer(t, freqs).float()
    freqs_cos = torch.cat([torch.cos(freqs), torch.cos(freqs)], dim=-1)
    freqs_sin = torch.cat([torch.sin(freqs), torch.sin(freqs)], dim=-1)
    return freqs_cos, freqs_sin


def apply_rotary_pos_emb(q, k, cos, sin):
    def rotate_half(x):
        return torch.cat((-x[..., x.shape[-1] // 2:], x[..., : x.shape[-1] // 2]), dim=-1)

    q_embed = (q * cos) + (rotate_half(q) * sin)
    k_embed = (k * cos) + (rotate_half(k) * sin)
    return q_embed.to(q.dtype), k_embed.to(k.dtype)


def repeat_kv(x, n_rep):
    bs, n_kv, slen, head_dim = x.shape
    if n_rep == 1:
        return x
    return x[:, :, None].expand(bs, n_kv, n_rep, slen, head_dim).reshape(bs, n_kv * n_rep, slen, head_dim)


def minimind_attention(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    if num_heads % num_kv_heads:
        raise ValueError("H must be divisible by H_kv")
    bsz, seq_len, hidden = x.shape
    head_dim = hidden // num_heads
    xq, xk, xv = x @ W[0], x @ W[1], x @ W[2]
    xq = xq.reshape(bsz, seq_len, num_heads, head_dim).transpose(1, 2)
    xk = xk.reshape(bsz, seq_len, num_kv_heads, head_dim).transpose(1, 2)
    xv = xv.reshape(bsz, seq_len, num_kv_heads, head_dim).transpose(1, 2)
    past = cache[0].shape[2] if cache is not None else 0
    cos, sin = precompute(head_dim, 64, theta, x.device)
    xq, xk = apply_rotary_pos_emb(xq, xk, cos[past:past + seq_len], sin[past:past + seq_len])
    xq, xk = xq.to(x.dtype), xk.to(x.dtype)
    if cache is not None:
        xk = torch.cat([cache[0], xk], dim=2)
        xv = torch.cat([cache[1], xv], dim=2)
    past_kv = (xk, xv)
    n_rep = num_heads // num_kv_heads
    xk, xv = repeat_kv(xk, n_rep), repeat_kv(xv, n_rep)
    scores = (xq @ xk.transpose(-2, -1)) * head_dim ** -0.5
    scores = scores + torch.triu(torch.full((seq_len, past + seq_len), float("-inf"), device=x.device), diagonal=1 + past).to(x.dtype)
    scores = F.softmax(scores.float(), dim=-1).type_as(xq)
    output = scores @ xv
    output = output.transpose(1, 2).reshape(bsz, seq_len, -1)
    return output @ W[3], past_kv


# --- table_remembered
import torch
from torch import Tensor
import torch.nn.functional as F


def precompute(dim: int, end: int, theta: float, device):
    freqs = 1.0 / (theta ** (torch.arange(0, dim, 2, device=device)[: (dim // 2)].float() / dim))
    t = torch.arange(end, device=device)
    freqs = torch.outer(t, freqs).float()
    freqs_cos = torch.cat([torch.cos(freqs), torch.cos(freqs)], dim=-1)
    freqs_sin = torch.cat([torch.sin(freqs), torch.sin(freqs)], dim=-1)
    return freqs_cos, freqs_sin


_TABLES = {}


def tables(dim, end, theta, device):
    if dim not in _TABLES:
        _TABLES[dim] = precompute(dim, 4096, theta, device)
    cos, sin = _TABLES[dim]
    return cos[:end], sin[:end]


def apply_rotary_pos_emb(q, k, cos, sin):
    def rotate_half(x):
        return torch.cat((-x[..., x.shape[-1] // 2:], x[..., : x.shape[-1] // 2]), dim=-1)

    q_embed = (q * cos) + (rotate_half(q) * sin)
    k_embed = (k * cos) + (rotate_half(k) * sin)
    return q_embed.to(q.dtype), k_embed.to(k.dtype)


def repeat_kv(x, n_rep):
    bs, n_kv, slen, head_dim = x.shape
    if n_rep == 1:
        return x
    return x[:, :, None].expand(bs, n_kv, n_rep, slen, head_dim).reshape(bs, n_kv * n_rep, slen, head_dim)


def minimind_attention(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    if num_heads % num_kv_heads:
        raise ValueError("H must be divisible by H_kv")
    bsz, seq_len, hidden = x.shape
    head_dim = hidden // num_heads
    xq, xk, xv = x @ W[0], x @ W[1], x @ W[2]
    xq = xq.reshape(bsz, seq_len, num_heads, head_dim).transpose(1, 2)
    xk = xk.reshape(bsz, seq_len, num_kv_heads, head_dim).transpose(1, 2)
    xv = xv.reshape(bsz, seq_len, num_kv_heads, head_dim).transpose(1, 2)
    past = cache[0].shape[2] if cache is not None else 0
    cos, sin = tables(head_dim, past + seq_len, theta, x.device)
    xq, xk = apply_rotary_pos_emb(xq, xk, cos[past:], sin[past:])
    xq, xk = xq.to(x.dtype), xk.to(x.dtype)
    if cache is not None:
        xk = torch.cat([cache[0], xk], dim=2)
        xv = torch.cat([cache[1], xv], dim=2)
    past_kv = (xk, xv)
    n_rep = num_heads // num_kv_heads
    xk, xv = repeat_kv(xk, n_rep), repeat_kv(xv, n_rep)
    scores = (xq @ xk.transpose(-2, -1)) * head_dim ** -0.5
    scores = scores + torch.triu(torch.full((seq_len, past + seq_len), float("-inf"), device=x.device), diagonal=1 + past).to(x.dtype)
    scores = F.softmax(scores.float(), dim=-1).type_as(xq)
    output = scores @ xv
    output = output.transpose(1, 2).reshape(bsz, seq_len, -1)
    return output @ W[3], past_kv


# --- argument_renamed
import math

import torch


def rotate(x, theta, start):
    half = x.shape[-1] // 2
    pos = torch.arange(start, start + x.shape[2], device=x.device).float()
    freq = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angle = pos[:, None] * freq
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)


def minimind_attention(x, W, num_heads, num_kv_heads, rope_theta=1e6, past=None):
    if num_heads % num_kv_heads != 0:
        raise ValueError("num_heads must be a multiple of num_kv_heads")
    B, T, C = x.shape
    Dh = C // num_heads
    q = (x @ W[0]).view(B, T, num_heads, Dh).transpose(1, 2)
    k = (x @ W[1]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    v = (x @ W[2]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    start = 0 if past is None else past[0].shape[2]
    q, k = rotate(q, rope_theta, start), rotate(k, rope_theta, start)
    if past is not None:
        k = torch.cat([past[0], k], dim=2)
        v = torch.cat([past[1], v], dim=2)
    groups = num_heads // num_kv_heads
    keys = k.repeat_interleave(groups, dim=1)
    values = v.repeat_interleave(groups, dim=1)
    scores = q @ keys.transpose(-2, -1) / math.sqrt(Dh)
    mask = torch.ones(T, k.shape[2], dtype=torch.bool, device=x.device).tril(start)
    scores = scores.masked_fill(~mask, float("-inf"))
    out = scores.softmax(-1) @ values
    out = out.transpose(1, 2).reshape(B, T, C)
    return out @ W[3], (k, v)


# --- values_not_cached
import math

import torch


def rotate(x, theta, start):
    half = x.shape[-1] // 2
    pos = torch.arange(start, start + x.shape[2], device=x.device).float()
    freq = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angle = pos[:, None] * freq
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)


def minimind_attention(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    if num_heads % num_kv_heads != 0:
        raise ValueError("num_heads must be a multiple of num_kv_heads")
    B, T, C = x.shape
    Dh = C // num_heads
    q = (x @ W[0]).view(B, T, num_heads, Dh).transpose(1, 2)
    k = (x @ W[1]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    v = (x @ W[2]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    start = 0 if cache is None else cache[0].shape[2]
    q, k = rotate(q, theta, start), rotate(k, theta, start)
    if cache is not None:
        k = torch.cat([cache[0], k], dim=2)
        v = torch.cat([cache[1].new_zeros(cache[1].shape), v], dim=2)
    groups = num_heads // num_kv_heads
    keys = k.repeat_interleave(groups, dim=1)
    values = v.repeat_interleave(groups, dim=1)
    scores = q @ keys.transpose(-2, -1) / math.sqrt(Dh)
    mask = torch.ones(T, k.shape[2], dtype=torch.bool, device=x.device).tril(start)
    scores = scores.masked_fill(~mask, float("-inf"))
    out = scores.softmax(-1) @ values
    out = out.transpose(1, 2).reshape(B, T, C)
    return out @ W[3], (k, v)


# --- x_rotated_before_projection
import math

import torch


def rotate(x, theta, start):
    half = x.shape[-1] // 2
    pos = torch.arange(start, start + x.shape[2], device=x.device).float()
    freq = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angle = pos[:, None] * freq
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)


def minimind_attention(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    if num_heads % num_kv_heads != 0:
        raise ValueError("num_heads must be a multiple of num_kv_heads")
    B, T, C = x.shape
    Dh = C // num_heads
    start = 0 if cache is None else cache[0].shape[2]
    r = rotate(x[:, None], theta, start)[:, 0]
    q = (r @ W[0]).view(B, T, num_heads, Dh).transpose(1, 2)
    k = (r @ W[1]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    v = (x @ W[2]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    if cache is not None:
        k = torch.cat([cache[0], k], dim=2)
        v = torch.cat([cache[1], v], dim=2)
    groups = num_heads // num_kv_heads
    keys = k.repeat_interleave(groups, dim=1)
    values = v.repeat_interleave(groups, dim=1)
    scores = q @ keys.transpose(-2, -1) / math.sqrt(Dh)
    mask = torch.ones(T, k.shape[2], dtype=torch.bool, device=x.device).tril(start)
    scores = scores.masked_fill(~mask, float("-inf"))
    out = scores.softmax(-1) @ values
    out = out.transpose(1, 2).reshape(B, T, C)
    return out @ W[3], (k, v)


# --- causal_mask_fill_small
import math

import torch


def rotate(x, theta, start):
    half = x.shape[-1] // 2
    pos = torch.arange(start, start + x.shape[2], device=x.device).float()
    freq = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angle = pos[:, None] * freq
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)


def minimind_attention(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    if num_heads % num_kv_heads != 0:
        raise ValueError("num_heads must be a multiple of num_kv_heads")
    B, T, C = x.shape
    Dh = C // num_heads
    q = (x @ W[0]).view(B, T, num_heads, Dh).transpose(1, 2)
    k = (x @ W[1]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    v = (x @ W[2]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    start = 0 if cache is None else cache[0].shape[2]
    q, k = rotate(q, theta, start), rotate(k, theta, start)
    if cache is not None:
        k = torch.cat([cache[0], k], dim=2)
        v = torch.cat([cache[1], v], dim=2)
    groups = num_heads // num_kv_heads
    keys = k.repeat_interleave(groups, dim=1)
    values = v.repeat_interleave(groups, dim=1)
    scores = q @ keys.transpose(-2, -1) / math.sqrt(Dh)
    mask = torch.ones(T, k.shape[2], dtype=torch.bool, device=x.device).tril(start)
    scores = scores.masked_fill(~mask, -10.0)
    out = scores.softmax(-1) @ values
    out = out.transpose(1, 2).reshape(B, T, C)
    return out @ W[3], (k, v)


# --- mask_fill_1e9
import math

import torch


def rotate(x, theta, start):
    half = x.shape[-1] // 2
    pos = torch.arange(start, start + x.shape[2], device=x.device).float()
    freq = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angle = pos[:, None] * freq
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)


def minimind_attention(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    if num_heads % num_kv_heads != 0:
        raise ValueError("num_heads must be a multiple of num_kv_heads")
    B, T, C = x.shape
    Dh = C // num_heads
    q = (x @ W[0]).view(B, T, num_heads, Dh).transpose(1, 2)
    k = (x @ W[1]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    v = (x @ W[2]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    start = 0 if cache is None else cache[0].shape[2]
    q, k = rotate(q, theta, start), rotate(k, theta, start)
    if cache is not None:
        k = torch.cat([cache[0], k], dim=2)
        v = torch.cat([cache[1], v], dim=2)
    groups = num_heads // num_kv_heads
    keys = k.repeat_interleave(groups, dim=1)
    values = v.repeat_interleave(groups, dim=1)
    scores = q @ keys.transpose(-2, -1) / math.sqrt(Dh)
    mask = torch.ones(T, k.shape[2], dtype=torch.bool, device=x.device).tril(start)
    scores = scores.masked_fill(~mask, -1e9)
    out = scores.softmax(-1) @ values
    out = out.transpose(1, 2).reshape(B, T, C)
    return out @ W[3], (k, v)


# --- cache_as_list
import math

import torch


def rotate(x, theta, start):
    half = x.shape[-1] // 2
    pos = torch.arange(start, start + x.shape[2], device=x.device).float()
    freq = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angle = pos[:, None] * freq
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)


def minimind_attention(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    if num_heads % num_kv_heads != 0:
        raise ValueError("num_heads must be a multiple of num_kv_heads")
    B, T, C = x.shape
    Dh = C // num_heads
    q = (x @ W[0]).view(B, T, num_heads, Dh).transpose(1, 2)
    k = (x @ W[1]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    v = (x @ W[2]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    start = 0 if cache is None else cache[0].shape[2]
    q, k = rotate(q, theta, start), rotate(k, theta, start)
    if cache is not None:
        k = torch.cat([cache[0], k], dim=2)
        v = torch.cat([cache[1], v], dim=2)
    groups = num_heads // num_kv_heads
    keys = k.repeat_interleave(groups, dim=1)
    values = v.repeat_interleave(groups, dim=1)
    scores = q @ keys.transpose(-2, -1) / math.sqrt(Dh)
    mask = torch.ones(T, k.shape[2], dtype=torch.bool, device=x.device).tril(start)
    scores = scores.masked_fill(~mask, float("-inf"))
    out = scores.softmax(-1) @ values
    out = out.transpose(1, 2).reshape(B, T, C)
    return out @ W[3], [keys, values]


# --- softmax_over_queries
import math

import torch


def rotate(x, theta, start):
    half = x.shape[-1] // 2
    pos = torch.arange(start, start + x.shape[2], device=x.device).float()
    freq = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angle = pos[:, None] * freq
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)


def minimind_attention(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    if num_heads % num_kv_heads != 0:
        raise ValueError("num_heads must be a multiple of num_kv_heads")
    B, T, C = x.shape
    Dh = C // num_heads
    q = (x @ W[0]).view(B, T, num_heads, Dh).transpose(1, 2)
    k = (x @ W[1]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    v = (x @ W[2]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    start = 0 if cache is None else cache[0].shape[2]
    q, k = rotate(q, theta, start), rotate(k, theta, start)
    if cache is not None:
        k = torch.cat([cache[0], k], dim=2)
        v = torch.cat([cache[1], v], dim=2)
    groups = num_heads // num_kv_heads
    keys = k.repeat_interleave(groups, dim=1)
    values = v.repeat_interleave(groups, dim=1)
    scores = q @ keys.transpose(-2, -1) / math.sqrt(Dh)
    mask = torch.ones(T, k.shape[2], dtype=torch.bool, device=x.device).tril(start)
    scores = scores.masked_fill(~mask, float("-inf"))
    out = scores.softmax(-2) @ values
    out = out.transpose(1, 2).reshape(B, T, C)
    return out @ W[3], (k, v)


# --- mask_transposed
import torch
from torch import Tensor
import torch.nn.functional as F


def precompute(dim: int, end: int, theta: float, device):
    freqs = 1.0 / (theta ** (torch.arange(0, dim, 2, device=device)[: (dim // 2)].float() / dim))
    t = torch.arange(end, device=device)
    freqs = torch.outer(t, freqs).float()
    freqs_cos = torch.cat([torch.cos(freqs), torch.cos(freqs)], dim=-1)
    freqs_sin = torch.cat([torch.sin(freqs), torch.sin(freqs)], dim=-1)
    return freqs_cos, freqs_sin


def apply_rotary_pos_emb(q, k, cos, sin):
    def rotate_half(x):
        return torch.cat((-x[..., x.shape[-1] // 2:], x[..., : x.shape[-1] // 2]), dim=-1)

    q_embed = (q * cos) + (rotate_half(q) * sin)
    k_embed = (k * cos) + (rotate_half(k) * sin)
    return q_embed.to(q.dtype), k_embed.to(k.dtype)


def repeat_kv(x, n_rep):
    bs, n_kv, slen, head_dim = x.shape
    if n_rep == 1:
        return x
    return x[:, :, None].expand(bs, n_kv, n_rep, slen, head_dim).reshape(bs, n_kv * n_rep, slen, head_dim)


def minimind_attention(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    if num_heads % num_kv_heads:
        raise ValueError("H must be divisible by H_kv")
    bsz, seq_len, hidden = x.shape
    head_dim = hidden // num_heads
    xq, xk, xv = x @ W[0], x @ W[1], x @ W[2]
    xq = xq.reshape(bsz, seq_len, num_heads, head_dim).transpose(1, 2)
    xk = xk.reshape(bsz, seq_len, num_kv_heads, head_dim).transpose(1, 2)
    xv = xv.reshape(bsz, seq_len, num_kv_heads, head_dim).transpose(1, 2)
    past = cache[0].shape[2] if cache is not None else 0
    cos, sin = precompute(head_dim, past + seq_len, theta, x.device)
    xq, xk = apply_rotary_pos_emb(xq, xk, cos[past:], sin[past:])
    xq, xk = xq.to(x.dtype), xk.to(x.dtype)
    if cache is not None:
        xk = torch.cat([cache[0], xk], dim=2)
        xv = torch.cat([cache[1], xv], dim=2)
    past_kv = (xk, xv)
    n_rep = num_heads // num_kv_heads
    xk, xv = repeat_kv(xk, n_rep), repeat_kv(xv, n_rep)
    scores = (xq @ xk.transpose(-2, -1)) * head_dim ** -0.5
    scores = scores + torch.tril(torch.full((seq_len, past + seq_len), float("-inf"), device=x.device), diagonal=past - 1).to(x.dtype)
    scores = F.softmax(scores.float(), dim=-1).type_as(xq)
    output = scores @ xv
    output = output.transpose(1, 2).reshape(bsz, seq_len, -1)
    return output @ W[3], past_kv


# --- frequencies_per_head_of_model
import math

import torch


def rotate(x, theta, start, dim):
    half = x.shape[-1] // 2
    pos = torch.arange(start, start + x.shape[2], device=x.device).float()
    freq = theta ** (-2 * torch.arange(half, device=x.device).float() / dim)
    angle = pos[:, None] * freq
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)


def minimind_attention(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    if num_heads % num_kv_heads != 0:
        raise ValueError("num_heads must be a multiple of num_kv_heads")
    B, T, C = x.shape
    Dh = C // num_heads
    q = (x @ W[0]).view(B, T, num_heads, Dh).transpose(1, 2)
    k = (x @ W[1]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    v = (x @ W[2]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    start = 0 if cache is None else cache[0].shape[2]
    q, k = rotate(q, theta, start, C), rotate(k, theta, start, C)
    if cache is not None:
        k = torch.cat([cache[0], k], dim=2)
        v = torch.cat([cache[1], v], dim=2)
    groups = num_heads // num_kv_heads
    keys = k.repeat_interleave(groups, dim=1)
    values = v.repeat_interleave(groups, dim=1)
    scores = q @ keys.transpose(-2, -1) / math.sqrt(Dh)
    mask = torch.ones(T, k.shape[2], dtype=torch.bool, device=x.device).tril(start)
    scores = scores.masked_fill(~mask, float("-inf"))
    out = scores.softmax(-1) @ values
    out = out.transpose(1, 2).reshape(B, T, C)
    return out @ W[3], (k, v)


# --- scales_weights_in_place
import math

import torch


def rotate(x, theta, start):
    half = x.shape[-1] // 2
    pos = torch.arange(start, start + x.shape[2], device=x.device).float()
    freq = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angle = pos[:, None] * freq
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)


def minimind_attention(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    if num_heads % num_kv_heads != 0:
        raise ValueError("num_heads must be a multiple of num_kv_heads")
    B, T, C = x.shape
    Dh = C // num_heads
    q = (x @ W[0]).view(B, T, num_heads, Dh).transpose(1, 2)
    k = (x @ W[1]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    v = (x @ W[2]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    start = 0 if cache is None else cache[0].shape[2]
    W[0] *= 1 / math.sqrt(Dh)
    q, k = rotate(q, theta, start), rotate(k, theta, start)
    if cache is not None:
        k = torch.cat([cache[0], k], dim=2)
        v = torch.cat([cache[1], v], dim=2)
    groups = num_heads // num_kv_heads
    keys = k.repeat_interleave(groups, dim=1)
    values = v.repeat_interleave(groups, dim=1)
    scores = q @ keys.transpose(-2, -1)
    mask = torch.ones(T, k.shape[2], dtype=torch.bool, device=x.device).tril(start)
    scores = scores.masked_fill(~mask, float("-inf"))
    out = scores.softmax(-1) @ values
    out = out.transpose(1, 2).reshape(B, T, C)
    return out @ W[3], (k, v)


# --- theta_10000
import math
import torch
def rope(x, start, theta):
    d = x.shape[-1]
    inv = 1.0 / theta ** (torch.arange(0, d, 2, device=x.device).float() / d)
    ang = torch.outer(torch.arange(start, start + x.shape[2], device=x.device).float(), inv)
    cos, sin = ang.cos(), ang.sin()
    x1, x2 = x[..., : d // 2], x[..., d // 2 :]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1).to(x.dtype)
def minimind_attention(x, W, num_heads, num_kv_heads, theta=10000.0, cache=None):
    if num_heads % num_kv_heads:
        raise ValueError("heads")
    B, T, C = x.shape
    d = C // num_heads
    q = (x @ W[0]).view(B, T, num_heads, d).transpose(1, 2)
    k = (x @ W[1]).view(B, T, num_kv_heads, d).transpose(1, 2)
    v = (x @ W[2]).view(B, T, num_kv_heads, d).transpose(1, 2)
    past = 0 if cache is None else cache[0].shape[2]
    q, k = rope(q, past, theta), rope(k, past, theta)
    if cache is not None:
        k = torch.cat([cache[0], k], dim=2)
        v = torch.cat([cache[1], v], dim=2)
    g = num_heads // num_kv_heads
    K, V = k.repeat_interleave(g, dim=1), v.repeat_interleave(g, dim=1)
    s = q @ K.transpose(-2, -1) / math.sqrt(d)
    mask = torch.ones(T, past + T, dtype=torch.bool, device=x.device).tril(past)
    w = s.masked_fill(~mask, float("-inf")).softmax(-1)
    out = (w @ V).transpose(1, 2).reshape(B, T, C) @ W[3]
    return out, (k, v)


# --- w_transposed
import math
import torch
def rope(x, start, theta):
    d = x.shape[-1]
    inv = 1.0 / theta ** (torch.arange(0, d, 2, device=x.device).float() / d)
    ang = torch.outer(torch.arange(start, start + x.shape[2], device=x.device).float(), inv)
    cos, sin = ang.cos(), ang.sin()
    x1, x2 = x[..., : d // 2], x[..., d // 2 :]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1).to(x.dtype)
def minimind_attention(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    if num_heads % num_kv_heads:
        raise ValueError("heads")
    B, T, C = x.shape
    d = C // num_heads
    q = (x @ W[0]).view(B, T, num_heads, d).transpose(1, 2)
    k = (x @ W[1]).view(B, T, num_kv_heads, d).transpose(1, 2)
    v = (x @ W[2]).view(B, T, num_kv_heads, d).transpose(1, 2)
    past = 0 if cache is None else cache[0].shape[2]
    q, k = rope(q, past, theta), rope(k, past, theta)
    if cache is not None:
        k = torch.cat([cache[0], k], dim=2)
        v = torch.cat([cache[1], v], dim=2)
    g = num_heads // num_kv_heads
    K, V = k.repeat_interleave(g, dim=1), v.repeat_interleave(g, dim=1)
    s = q @ K.transpose(-2, -1) / math.sqrt(d)
    mask = torch.ones(T, past + T, dtype=torch.bool, device=x.device).tril(past)
    w = s.masked_fill(~mask, float("-inf")).softmax(-1)
    out = (w @ V).transpose(1, 2).reshape(B, T, C) @ W[3].T
    return out, (k, v)


# --- is_causal_if_several
import torch
import torch.nn.functional as F

def precompute(dim, start, end, theta, device, dtype):
    freqs = 1.0 / (theta ** (torch.arange(0, dim, 2, device=device)[: dim // 2].to(dtype) / dim))
    t = torch.arange(start, end, device=device).to(dtype)
    f = torch.outer(t, freqs)
    return torch.cat([f.cos(), f.cos()], -1), torch.cat([f.sin(), f.sin()], -1)

def rotate_half(x):
    return torch.cat((-x[..., x.shape[-1] // 2:], x[..., : x.shape[-1] // 2]), dim=-1)

def repeat_kv(x, n):
    b, h, t, d = x.shape
    if n == 1:
        return x
    return x[:, :, None].expand(b, h, n, t, d).reshape(b, h * n, t, d)

def minimind_attention(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    if num_heads % num_kv_heads != 0:
        raise ValueError
    b, t, c = x.shape
    hd = c // num_heads
    q = F.linear(x, W[0].t()).reshape(b, t, num_heads, hd).permute(0, 2, 1, 3)
    k = F.linear(x, W[1].t()).reshape(b, t, num_kv_heads, hd).permute(0, 2, 1, 3)
    v = F.linear(x, W[2].t()).reshape(b, t, num_kv_heads, hd).permute(0, 2, 1, 3)
    past = 0
    if cache is not None:
        past = cache[0].shape[-2]
    dt = torch.float64 if x.dtype == torch.float64 else torch.float32
    cos, sin = precompute(hd, past, past + t, theta, x.device, dt)
    q = (q * cos + rotate_half(q) * sin).to(x.dtype)
    k = (k * cos + rotate_half(k) * sin).to(x.dtype)
    if cache is not None:
        k = torch.cat([cache[0], k], dim=-2)
        v = torch.cat([cache[1], v], dim=-2)
    rows = torch.arange(t, device=x.device).unsqueeze(-1) + past
    cols = torch.arange(past + t, device=x.device).unsqueeze(0)
    o = F.scaled_dot_product_attention(q, repeat_kv(k, num_heads // num_kv_heads), repeat_kv(v, num_heads // num_kv_heads), is_causal=t > 1)
    return o.transpose(1, 2).flatten(2) @ W[3], (k, v)


# --- two_slips_1
import torch
from torch import Tensor

Cache = tuple[Tensor, Tensor]


def rope(t: Tensor, start: int, theta: float) -> Tensor:
    T, Dh = t.shape[2], t.shape[3]
    f = theta ** (-torch.arange(0, Dh, 2, device=t.device).float() / Dh)
    a = torch.outer(torch.arange(start, start + T, device=t.device).float(), f)
    x1, x2 = t[..., : Dh // 2], t[..., Dh // 2 :]
    return torch.cat([x1 * a.cos() - x2 * a.sin(), x2 * a.cos() + x1 * a.sin()], dim=-1).to(t.dtype)


def minimind_attention(
    x: Tensor, W: list[Tensor], num_heads: int, num_kv_heads: int, theta: float = 1e6, cache: Cache | None = None
) -> tuple[Tensor, Cache]:
    if num_heads % num_kv_heads != 0:
        raise ValueError("num_heads must be a multiple of num_kv_heads")
    B, T, C = x.shape
    Dh = C // num_heads
    past = cache[0].shape[2] if cache is not None else 0
    q = (x @ W[0]).view(B, T, num_heads, Dh).transpose(1, 2)
    k = (x @ W[1]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    v = (x @ W[2]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    q = rope(q, 0, theta)
    k = rope(k, 0, theta)
    if cache is not None:
        k = torch.cat([cache[0], k], dim=2)
        v = torch.cat([cache[1], v], dim=2)
    n = num_heads // num_kv_heads
    kk, vv = k.repeat_interleave(n, dim=1), v.repeat_interleave(n, dim=1)
    scores = q @ kk.transpose(-2, -1)
    mask = torch.ones(T, past + T, dtype=torch.bool, device=x.device).tril(past)
    scores = scores.masked_fill(~mask, float("-inf"))
    out = scores.softmax(dim=-1) @ vv
    return out.transpose(1, 2).reshape(B, T, C) @ W[3], (k, v)


# --- two_slips_2
import math

import torch
from torch import Tensor

Cache = tuple[Tensor, Tensor]


def rotate(v: Tensor, positions: Tensor, base: float) -> Tensor:
    half = v.shape[-1] // 2
    speed = base ** -(torch.arange(half, dtype=torch.float32, device=v.device) / half)
    angle = positions.float()[:, None] * speed
    c, s = angle.cos(), angle.sin()
    left, right = v.split(half, dim=-1)
    new_left = left * c + right * s
    new_right = right * c + left * s
    return torch.cat((new_left, new_right), dim=-1).to(v.dtype)


def minimind_attention(
    x: Tensor, W: list[Tensor], num_heads: int, num_kv_heads: int, theta: float = 1e6, cache: Cache | None = None
) -> tuple[Tensor, Cache]:
    B, T, C = x.shape
    if num_heads % num_kv_heads:
        raise ValueError(f"{num_heads} and {num_kv_heads}")
    project = lambda w, h: (x @ w).unflatten(-1, (h, -1)).transpose(1, 2)  # noqa: E731
    queries, keys, values = project(W[0], num_heads), project(W[1], num_kv_heads), project(W[2], num_kv_heads)
    old = 0 if cache is None else cache[0].size(2)
    spots = torch.arange(old, old + T, device=x.device)
    queries, keys = rotate(queries, spots, theta), rotate(keys, spots, theta)
    if cache is not None:
        keys, values = torch.cat((cache[0], keys), 2), torch.cat((cache[1], values), 2)
    new_cache = (keys, values)
    share = num_heads // num_kv_heads
    keys = keys.repeat(1, share, 1, 1)
    values = values.repeat(1, share, 1, 1)
    att = torch.einsum("bhqd,bhkd->bhqk", queries, keys) / math.sqrt(queries.size(-1))
    future = torch.arange(old + T, device=x.device)[None, :] > spots[:, None]
    att = att.masked_fill(future, -math.inf).softmax(-1)
    mixed = torch.einsum("bhqk,bhkd->bqhd", att, values).flatten(2)
    return mixed @ W[3], new_cache


# --- two_slips_3
import torch
from torch import Tensor

Cache = tuple[Tensor, Tensor]


def cos_sin(first: int, count: int, dim: int, theta: float, device) -> Cache:
    i = torch.arange(dim // 2, device=device, dtype=torch.float32)
    w = 1.0 / theta ** (i / dim)
    a = torch.arange(first, first + count, device=device, dtype=torch.float32)[:, None] * w
    a = torch.cat([a, a], dim=-1)
    return a.cos(), a.sin()


def half_turn(t: Tensor) -> Tensor:
    a, b = t.chunk(2, dim=-1)
    return torch.cat([-b, a], dim=-1)


def minimind_attention(
    x: Tensor, W: list[Tensor], num_heads: int, num_kv_heads: int, theta: float = 1e6, cache: Cache | None = None
) -> tuple[Tensor, Cache]:
    if num_heads % num_kv_heads:
        raise ValueError("groups of unequal size")
    B, T, C = x.shape
    Dh = C // num_heads
    xq, xk, xv = x @ W[0], x @ W[1], x @ W[2]
    xq = xq.reshape(B, T, num_heads, Dh).permute(0, 2, 1, 3)
    xk = xk.reshape(B, T, num_kv_heads, Dh).permute(0, 2, 1, 3)
    xv = xv.reshape(B, T, num_kv_heads, Dh).permute(0, 2, 1, 3)
    T_past = 0
    if cache is not None:
        T_past = cache[0].shape[-2]
    cos, sin = cos_sin(T_past, T, Dh, theta, x.device)
    xq = (xq * cos + half_turn(xq) * sin).to(x.dtype)
    xk = (xk * cos + half_turn(xk) * sin).to(x.dtype)
    if cache is not None:
        xk = torch.cat([xk, cache[0]], dim=2)
        xv = torch.cat([xv, cache[1]], dim=2)
    g = num_heads // num_kv_heads
    grouped = xq.reshape(B, num_kv_heads, g, T, Dh)
    scores = grouped @ xk.unsqueeze(2).mT * Dh**-0.5
    visible = torch.ones(T, T_past + T, dtype=torch.bool, device=x.device).tril(T_past)
    probs = torch.softmax(scores.masked_fill(~visible, -torch.inf), dim=-1)
    o = (probs @ xv.unsqueeze(2)).reshape(B, num_heads, T, Dh)
    return o.transpose(1, 2).reshape(B, T, C) @ W[3], (xk, xv)


# --- two_slips_4
import math

import torch
from torch import Tensor

Cache = tuple[Tensor, Tensor]


def spin(t: Tensor, start: int, theta: float) -> Tensor:
    n, d = t.shape[-2:]
    freq = torch.exp(-math.log(theta) * torch.arange(0, d, 2, device=t.device).float() / d)
    phi = (start + torch.arange(n, device=t.device).float()).unsqueeze(1) * freq
    a, b = t.chunk(2, -1)
    return torch.cat([a * phi.cos() - b * phi.sin(), b * phi.cos() + a * phi.sin()], -1).type_as(t)


def minimind_attention(
    x: Tensor, W: list[Tensor], num_heads: int, num_kv_heads: int, theta: float = 1e6, cache: Cache | None = None
) -> tuple[Tensor, Cache]:
    B, T, C = x.shape
    d = C // num_heads
    q = (x @ W[0]).reshape(B, T, num_heads, d).transpose(1, 2)
    k = (x @ W[1]).reshape(B, T, num_kv_heads, d).transpose(1, 2)
    v = (x @ W[2]).reshape(B, T, num_kv_heads, d).transpose(1, 2)
    before = 0 if cache is None else cache[0].shape[2]
    q, k = spin(q, before, theta), spin(k, before, theta)
    if cache is not None:
        k = torch.cat([cache[0], k], dim=2)
        v = torch.cat([cache[1], v], dim=2)
    which = [min(h * num_kv_heads // num_heads, num_kv_heads - 1) for h in range(num_heads)]
    K, V = k[:, which], v[:, which]
    s = q @ K.transpose(2, 3) / math.sqrt(d)
    row = torch.arange(before, before + T, device=x.device)
    col = torch.arange(before + T, device=x.device)
    s = torch.where(col[None, :] <= row[:, None], s, -math.inf)
    y = s.softmax(dim=-1) @ V
    return y.reshape(B, T, C) @ W[3], (k, v)


# --- two_slips_5
# slips: key and value heads are repeated in turns; RoPE pairs neighbouring channels 2i and 2i + 1 in place of i and i + Dh/2
import math

import torch
from torch import Tensor

Cache = tuple[Tensor, Tensor]


def apply_rope(t: Tensor, start: int, theta: float) -> Tensor:
    d = t.shape[-1]
    inv = 1.0 / (theta ** (torch.arange(0, d, 2, device=t.device).float() / d))
    ang = torch.outer(torch.arange(start, start + t.shape[2], device=t.device).float(), inv)
    cos, sin = ang.cos(), ang.sin()
    a, b = t[..., 0::2], t[..., 1::2]
    return torch.stack([a * cos - b * sin, b * cos + a * sin], dim=-1).flatten(-2).to(t.dtype)


def minimind_attention(
    x: Tensor, W: list[Tensor], num_heads: int, num_kv_heads: int, theta: float = 1e6, cache: Cache | None = None
) -> tuple[Tensor, Cache]:
    if num_heads % num_kv_heads != 0:
        raise ValueError("num_heads must be a multiple of num_kv_heads")
    B, T, C = x.shape
    dh = C // num_heads
    q = (x @ W[0]).view(B, T, num_heads, dh).transpose(1, 2)
    k = (x @ W[1]).view(B, T, num_kv_heads, dh).transpose(1, 2)
    v = (x @ W[2]).view(B, T, num_kv_heads, dh).transpose(1, 2)
    past = 0 if cache is None else cache[0].shape[2]
    q, k = apply_rope(q, past, theta), apply_rope(k, past, theta)
    if cache is not None:
        k = torch.cat([cache[0], k], dim=2)
        v = torch.cat([cache[1], v], dim=2)
    new_cache = (k, v)
    n = num_heads // num_kv_heads
    kk = k.repeat(1, n, 1, 1)
    vv = v.repeat(1, n, 1, 1)
    scores = q @ kk.transpose(-2, -1) / math.sqrt(dh)
    keep = torch.ones(T, past + T, dtype=torch.bool, device=x.device).tril(past)
    scores = scores.masked_fill(~keep, float("-inf"))
    y = (scores.softmax(-1) @ vv).transpose(1, 2).reshape(B, T, C)
    return y @ W[3], new_cache


# --- two_slips_6
# slips: the cache that is returned holds only the new tokens' keys and values; the scores are divided by sqrt(C)
import torch
import torch.nn.functional as F
from torch import Tensor

Cache = tuple[Tensor, Tensor]


def _rot(x, pos, theta):
    half = x.size(-1) // 2
    freqs = torch.pow(theta, -torch.arange(half, dtype=torch.float32, device=x.device) / half)
    ang = pos.float()[:, None] * freqs[None, :]
    cos = torch.cat([ang.cos()] * 2, dim=-1)
    sin = torch.cat([ang.sin()] * 2, dim=-1)
    turned = torch.cat([-x[..., half:], x[..., :half]], dim=-1)
    return (x * cos + turned * sin).type_as(x)


def minimind_attention(
    x: Tensor, W: list[Tensor], num_heads: int, num_kv_heads: int, theta: float = 1e6, cache: Cache | None = None
) -> tuple[Tensor, Cache]:
    if num_heads % num_kv_heads:
        raise ValueError("groups")
    bsz, seq, hidden = x.shape
    head_dim = hidden // num_heads
    wq, wk, wv, wo = W
    xq = (x @ wq).unflatten(-1, (num_heads, head_dim)).transpose(1, 2)
    xk = (x @ wk).unflatten(-1, (num_kv_heads, head_dim)).transpose(1, 2)
    xv = (x @ wv).unflatten(-1, (num_kv_heads, head_dim)).transpose(1, 2)
    offset = cache[0].size(2) if cache is not None else 0
    pos = torch.arange(offset, offset + seq, device=x.device)
    xq, xk = _rot(xq, pos, theta), _rot(xk, pos, theta)
    keys, values = xk, xv
    if cache is not None:
        keys = torch.cat([cache[0], xk], 2)
        values = torch.cat([cache[1], xv], 2)
    g = num_heads // num_kv_heads
    qg = xq.reshape(bsz, num_kv_heads, g, seq, head_dim)
    att = torch.einsum("bngqd,bnkd->bngqk", qg, keys) / hidden ** 0.5
    later = torch.arange(offset + seq, device=x.device)[None, :] > pos[:, None]
    att = F.softmax(att.masked_fill(later, float("-inf")), dim=-1)
    out = torch.einsum("bngqk,bnkd->bqngd", att, values).reshape(bsz, seq, hidden)
    return out @ wo, (xk, xv)


# --- two_slips_7
# slips: the heads are merged by a reshape without moving the head axis back; the angles are computed in the dtype of x, too coarse in float16
import torch
from torch import Tensor

Cache = tuple[Tensor, Tensor]


def rotate(x, cos, sin):
    x1, x2 = x.chunk(2, dim=-1)
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1).to(x.dtype)


def minimind_attention(
    x: Tensor, W: list[Tensor], num_heads: int, num_kv_heads: int, theta: float = 1e6, cache: Cache | None = None
) -> tuple[Tensor, Cache]:
    if num_heads % num_kv_heads != 0:
        raise ValueError(f"{num_heads} is not a multiple of {num_kv_heads}")
    B, T, C = x.shape
    D = C // num_heads

    def heads(t, n):
        return t.reshape(B, T, n, D).permute(0, 2, 1, 3)

    q, k, v = heads(x @ W[0], num_heads), heads(x @ W[1], num_kv_heads), heads(x @ W[2], num_kv_heads)

    # positions go on where the cache ends
    seen = cache[0].shape[-2] if cache else 0
    kind = x.dtype
    freq = torch.tensor([theta ** (-2 * i / D) for i in range(D // 2)], dtype=kind, device=x.device)
    pos = torch.arange(seen, seen + T, device=x.device).to(kind)
    angle = pos[:, None] * freq
    q, k = rotate(q, angle.cos(), angle.sin()), rotate(k, angle.cos(), angle.sin())
    if cache:
        k, v = torch.cat([cache[0], k], -2), torch.cat([cache[1], v], -2)

    rep = num_heads // num_kv_heads
    outs = []
    allowed = torch.ones(T, seen + T, dtype=torch.bool, device=x.device).tril(diagonal=seen)
    for h in range(num_heads):
        s = q[:, h] @ k[:, h // rep].mT * D**-0.5
        s = s.masked_fill(~allowed, -torch.inf)
        outs.append(s.softmax(-1) @ v[:, h // rep])
    y = torch.stack(outs, dim=1)
    y = y.reshape(B, T, C)
    return y @ W[3], (k, v)


# --- cached_keys_rotated_again
# slip: the keys are rotated after the cache was put in front, so that cached ones, already rotated, are turned once more
import math

import torch
from torch import Tensor

Cache = tuple[Tensor, Tensor]


def rope(x: Tensor, first: int, theta: float) -> Tensor:
    n, d = x.shape[-2:]
    inv_freq = 1.0 / theta ** (torch.arange(0, d, 2, device=x.device).float() / d)
    angles = torch.arange(first, first + n, device=x.device).float()[:, None] * inv_freq
    cos, sin = angles.cos().repeat(1, 2), angles.sin().repeat(1, 2)
    left, right = x.chunk(2, dim=-1)
    return (x * cos + torch.cat([-right, left], dim=-1) * sin).to(x.dtype)


def minimind_attention(
    x: Tensor, W: list[Tensor], num_heads: int, num_kv_heads: int, theta: float = 1e6, cache: Cache | None = None
) -> tuple[Tensor, Cache]:
    if num_heads % num_kv_heads:
        raise ValueError("num_heads must be a multiple of num_kv_heads")
    B, T, C = x.shape
    d = C // num_heads
    q = (x @ W[0]).reshape(B, T, num_heads, d).transpose(1, 2)
    k = (x @ W[1]).reshape(B, T, num_kv_heads, d).transpose(1, 2)
    v = (x @ W[2]).reshape(B, T, num_kv_heads, d).transpose(1, 2)
    past = 0
    if cache is not None:
        past = cache[0].shape[2]
        k = torch.cat((cache[0], k), dim=2)
        v = torch.cat((cache[1], v), dim=2)
    q = rope(q, past, theta)
    k = rope(k, 0, theta)
    kept = (k, v)
    k = k.repeat_interleave(num_heads // num_kv_heads, dim=1)
    v = v.repeat_interleave(num_heads // num_kv_heads, dim=1)
    s = q @ k.transpose(2, 3) / math.sqrt(d)
    s = s + torch.full((T, past + T), -math.inf, dtype=s.dtype, device=s.device).triu(past + 1)
    out = torch.softmax(s, dim=-1) @ v
    return out.transpose(1, 2).reshape(B, T, C) @ W[3], kept


# --- two_slips_8
import torch


def rotate_half(x):
    a, b = x.chunk(2, dim=-1)
    return torch.cat([b, -a], dim=-1)


def minimind_attention(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    if num_heads % num_kv_heads:
        raise ValueError("num_heads must be a multiple of num_kv_heads")
    B, T, C = x.shape
    Dh = C // num_heads
    past = 0 if cache is None else cache[0].shape[2]
    q = (x @ W[0]).view(B, T, num_heads, Dh).transpose(1, 2)
    k = (x @ W[1]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    v = (x @ W[2]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    dt = torch.float64 if x.dtype == torch.float64 else torch.float32
    freq = theta ** (-torch.arange(0, Dh, 2, dtype=dt, device=x.device) / Dh)
    pos = torch.arange(past, past + T, dtype=dt, device=x.device)
    ang = torch.outer(pos, freq).repeat(1, 2)
    cos, sin = ang.cos(), ang.sin()
    q = (q * cos + rotate_half(q) * sin).to(x.dtype)
    k = (k * cos + rotate_half(k) * sin).to(x.dtype)
    if cache is not None:
        k = torch.cat([cache[0], k], dim=2)
        v = torch.cat([cache[1], v], dim=2)
    new_cache = (k, v)
    k = k.repeat_interleave(num_heads // num_kv_heads, dim=1)
    v = v.repeat_interleave(num_heads // num_kv_heads, dim=1)
    s = q @ k.transpose(-1, -2) / Dh**0.5
    mask = torch.ones(T, past + T, dtype=torch.bool, device=x.device).tril()
    s = s.masked_fill(~mask, float("-inf"))
    out = (s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, C)
    return out @ W[3], new_cache


# --- two_slips_9
import math
import torch
from torch import Tensor


def rope(t: Tensor, offset: int, theta: float) -> Tensor:
    h = t.shape[-1] // 2
    kind = torch.promote_types(t.dtype, torch.float32)
    i = torch.arange(h, device=t.device, dtype=kind)
    p = torch.arange(offset, offset + t.shape[-2], device=t.device, dtype=kind)
    a = p[:, None] / theta ** (i / h)
    x1, x2 = t[..., :h], t[..., h:]
    return torch.cat([x1 * a.cos() - x2 * a.sin(), x2 * a.cos() + x1 * a.sin()], -1).to(t.dtype)


def minimind_attention(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    group, rest = divmod(num_heads, num_kv_heads)
    if rest:
        raise ValueError("heads do not divide")
    B, T, C = x.shape
    start = cache[0].shape[-2] if cache is not None else 0
    wq, wk, wv, wo = W
    q = rope((x @ wq).unflatten(2, (num_heads, -1)).transpose(1, 2), start, theta)
    k = rope((x @ wk).unflatten(2, (num_kv_heads, -1)).transpose(1, 2), start, theta)
    v = (x @ wv).unflatten(2, (num_kv_heads, -1)).transpose(1, 2)
    v = rope(v, start, theta)
    if cache is not None:
        k, v = torch.cat((cache[0], k), -2), torch.cat((cache[1], v), -2)
    pick = [h % num_kv_heads for h in range(num_heads)]
    scores = torch.einsum("bhid,bhjd->bhij", q, k[:, pick]) / math.sqrt(C // num_heads)
    i = torch.arange(T, device=x.device) + start
    j = torch.arange(start + T, device=x.device)
    scores = scores.masked_fill(j[None, :] > i[:, None], -math.inf)
    y = torch.einsum("bhij,bhjd->bihd", scores.softmax(-1), v[:, pick])
    return y.flatten(2) @ wo, (k, v)


# --- angles_computed_in_the_dtype_of_x
import torch


def minimind_attention(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    if num_heads % num_kv_heads != 0:
        raise ValueError("H must be a multiple of H_kv")
    B, T, C = x.shape
    d = C // num_heads
    n_rep = num_heads // num_kv_heads
    past = cache[0].size(2) if cache else 0

    xq = (x @ W[0]).view(B, T, num_heads, d)
    xk = (x @ W[1]).view(B, T, num_kv_heads, d)
    xv = (x @ W[2]).view(B, T, num_kv_heads, d)

    kind = x.dtype
    inv_freq = 1.0 / (theta ** (torch.arange(0, d, 2, device=x.device).to(kind) / d))
    t = torch.arange(past, past + T, device=x.device).to(kind)
    freqs = torch.einsum("t,f->tf", t, inv_freq)
    emb = torch.cat([freqs, freqs], dim=-1)
    cos, sin = emb.cos()[None, :, None, :], emb.sin()[None, :, None, :]

    def spin(u):
        half = torch.cat([-u[..., d // 2 :], u[..., : d // 2]], dim=-1)
        return (u * cos + half * sin).to(x.dtype)

    xq, xk, xv = spin(xq).transpose(1, 2), spin(xk).transpose(1, 2), xv.transpose(1, 2)
    if cache:
        xk = torch.cat([cache[0], xk], dim=2)
        xv = torch.cat([cache[1], xv], dim=2)
    kk = xk[:, :, None].expand(-1, -1, n_rep, -1, -1).reshape(B, num_heads, past + T, d)
    vv = xv[:, :, None].expand(-1, -1, n_rep, -1, -1).reshape(B, num_heads, past + T, d)
    att = xq @ kk.transpose(2, 3) / d**0.5
    future = torch.ones(T, past + T, dtype=torch.bool, device=x.device).triu(past + 1)
    att = att.masked_fill(future, float("-inf")).softmax(dim=-1)
    return (att @ vv).transpose(1, 2).reshape(B, T, C) @ W[3], (xk, xv)
