"""Wrong files for kv_decode, each a whole submission as somebody might hand it in."""


# --- no_refusal_and_positions_from_zero
import math

import torch


def rope(x, start, theta):
    T, Dh = x.shape[-2], x.shape[-1]
    inv_freq = 1.0 / theta ** (torch.arange(0, Dh, 2, device=x.device).float() / Dh)
    t = torch.arange(start, start + T, device=x.device).float()
    freqs = torch.outer(t, inv_freq)
    cos, sin = freqs.cos(), freqs.sin()
    x1, x2 = x[..., : Dh // 2], x[..., Dh // 2 :]
    return torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1).to(x.dtype)


def kv_decode(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    B, T, C = x.shape
    Dh = C // num_heads
    W_Q, W_K, W_V, W_O = W
    cache_k, cache_v = None, None
    outputs = []
    start = 0
    for c in chunks:
        xc = x[:, start : start + c]
        q = (xc @ W_Q).reshape(B, c, num_heads, Dh).transpose(1, 2)
        k = (xc @ W_K).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        v = (xc @ W_V).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        q = rope(q, 0, theta)
        k = rope(k, 0, theta)
        if cache_k is None:
            cache_k, cache_v = k, v
        else:
            cache_k = torch.cat([cache_k, k], dim=2)
            cache_v = torch.cat([cache_v, v], dim=2)
        kk = cache_k.repeat_interleave(num_heads // num_kv_heads, dim=1)
        vv = cache_v.repeat_interleave(num_heads // num_kv_heads, dim=1)
        scores = q @ kk.transpose(-2, -1) / math.sqrt(Dh)
        S = kk.shape[2]
        mask = torch.ones(c, S, dtype=torch.bool, device=x.device).tril(S - c)
        scores = scores.masked_fill(~mask, float("-inf"))
        weights = torch.softmax(scores, dim=-1)
        out = (weights @ vv).transpose(1, 2).reshape(B, c, C)
        outputs.append(out @ W_O)
        start += c
    return torch.cat(outputs, dim=1), (cache_k, cache_v)


# --- no_refusal_and_new_keys_in_front
import math

import torch


def rope(x, start, theta):
    T, Dh = x.shape[-2], x.shape[-1]
    inv_freq = 1.0 / theta ** (torch.arange(0, Dh, 2, device=x.device).float() / Dh)
    t = torch.arange(start, start + T, device=x.device).float()
    freqs = torch.outer(t, inv_freq)
    cos, sin = freqs.cos(), freqs.sin()
    x1, x2 = x[..., : Dh // 2], x[..., Dh // 2 :]
    return torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1).to(x.dtype)


def kv_decode(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    B, T, C = x.shape
    Dh = C // num_heads
    W_Q, W_K, W_V, W_O = W
    cache_k, cache_v = None, None
    outputs = []
    start = 0
    for c in chunks:
        xc = x[:, start : start + c]
        q = (xc @ W_Q).reshape(B, c, num_heads, Dh).transpose(1, 2)
        k = (xc @ W_K).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        v = (xc @ W_V).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        q = rope(q, start, theta)
        k = rope(k, start, theta)
        if cache_k is None:
            cache_k, cache_v = k, v
        else:
            cache_k = torch.cat([k, cache_k], dim=2)
            cache_v = torch.cat([v, cache_v], dim=2)
        kk = cache_k.repeat_interleave(num_heads // num_kv_heads, dim=1)
        vv = cache_v.repeat_interleave(num_heads // num_kv_heads, dim=1)
        scores = q @ kk.transpose(-2, -1) / math.sqrt(Dh)
        S = kk.shape[2]
        mask = torch.ones(c, S, dtype=torch.bool, device=x.device).tril(S - c)
        scores = scores.masked_fill(~mask, float("-inf"))
        weights = torch.softmax(scores, dim=-1)
        out = (weights @ vv).transpose(1, 2).reshape(B, c, C)
        outputs.append(out @ W_O)
        start += c
    return torch.cat(outputs, dim=1), (cache_k, cache_v)


# --- new_keys_in_front_values_behind
import torch
import torch.nn.functional as F
from torch import Tensor


class Decoder:
    def __init__(self, W, num_heads, num_kv_heads, theta):
        self.W, self.H, self.H_kv, self.theta = W, num_heads, num_kv_heads, theta
        self.past = None

    def rotate(self, x: Tensor, offset: int) -> Tensor:
        half = x.shape[-1] // 2
        freq = self.theta ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        pos = torch.arange(x.shape[2], device=x.device, dtype=torch.float32) + offset
        angle = pos[:, None] * freq
        cos, sin = torch.cat([angle.cos()] * 2, -1), torch.cat([angle.sin()] * 2, -1)
        turned = torch.cat([-x[..., half:], x[..., :half]], -1)
        return (x * cos + turned * sin).to(x.dtype)

    def heads(self, y, n):
        return y.unflatten(-1, (n, -1)).transpose(1, 2)

    def step(self, x):
        q = self.heads(x @ self.W[0], self.H)
        k = self.heads(x @ self.W[1], self.H_kv)
        v = self.heads(x @ self.W[2], self.H_kv)
        offset = 0 if self.past is None else self.past[0].shape[2]
        q, k = self.rotate(q, offset), self.rotate(k, offset)
        if self.past is not None:
            k = torch.cat((k, self.past[0]), 2)
            v = torch.cat((self.past[1], v), 2)
        self.past = (k, v)
        n = self.H // self.H_kv
        k, v = k.repeat_interleave(n, 1), v.repeat_interleave(n, 1)
        rows = torch.arange(offset, k.shape[2], device=x.device)[:, None]
        mask = torch.arange(k.shape[2], device=x.device) <= rows
        out = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        return out.transpose(1, 2).flatten(2) @ self.W[3]


def kv_decode(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    for c in chunks:
        if c <= 0:
            raise ValueError(f"a chunk of {c} tokens")
    if sum(chunks) != x.size(1):
        raise ValueError(f"chunks add up to {sum(chunks)}, the text has {x.size(1)} tokens")
    decoder = Decoder(W, num_heads, num_kv_heads, theta)
    outs = []
    for piece in x.split(list(chunks), dim=1):
        outs.append(decoder.step(piece))
    return torch.cat(outs, 1), decoder.past


# --- no_refusal_and_mask_top_left
import math

import torch


def rope(x, start, theta):
    T, Dh = x.shape[-2], x.shape[-1]
    inv_freq = 1.0 / theta ** (torch.arange(0, Dh, 2, device=x.device).float() / Dh)
    t = torch.arange(start, start + T, device=x.device).float()
    freqs = torch.outer(t, inv_freq)
    cos, sin = freqs.cos(), freqs.sin()
    x1, x2 = x[..., : Dh // 2], x[..., Dh // 2 :]
    return torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1).to(x.dtype)


def kv_decode(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    B, T, C = x.shape
    Dh = C // num_heads
    W_Q, W_K, W_V, W_O = W
    cache_k, cache_v = None, None
    outputs = []
    start = 0
    for c in chunks:
        xc = x[:, start : start + c]
        q = (xc @ W_Q).reshape(B, c, num_heads, Dh).transpose(1, 2)
        k = (xc @ W_K).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        v = (xc @ W_V).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        q = rope(q, start, theta)
        k = rope(k, start, theta)
        if cache_k is None:
            cache_k, cache_v = k, v
        else:
            cache_k = torch.cat([cache_k, k], dim=2)
            cache_v = torch.cat([cache_v, v], dim=2)
        kk = cache_k.repeat_interleave(num_heads // num_kv_heads, dim=1)
        vv = cache_v.repeat_interleave(num_heads // num_kv_heads, dim=1)
        scores = q @ kk.transpose(-2, -1) / math.sqrt(Dh)
        S = kk.shape[2]
        mask = torch.ones(c, S, dtype=torch.bool, device=x.device).tril()
        scores = scores.masked_fill(~mask, float("-inf"))
        weights = torch.softmax(scores, dim=-1)
        out = (weights @ vv).transpose(1, 2).reshape(B, c, C)
        outputs.append(out @ W_O)
        start += c
    return torch.cat(outputs, dim=1), (cache_k, cache_v)


# --- mask_of_the_first_chunk_only
import math

import torch


def rope(x, start, theta):
    T, Dh = x.shape[-2], x.shape[-1]
    inv_freq = 1.0 / theta ** (torch.arange(0, Dh, 2, device=x.device).float() / Dh)
    t = torch.arange(start, start + T, device=x.device).float()
    freqs = torch.outer(t, inv_freq)
    cos, sin = freqs.cos(), freqs.sin()
    x1, x2 = x[..., : Dh // 2], x[..., Dh // 2 :]
    return torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1).to(x.dtype)


def kv_decode(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    B, T, C = x.shape
    if sum(chunks) != T or any(c < 1 for c in chunks):
        raise ValueError("chunks must be positive and add up to T")
    Dh = C // num_heads
    W_Q, W_K, W_V, W_O = W
    cache_k, cache_v = None, None
    outputs = []
    start = 0
    for c in chunks:
        xc = x[:, start : start + c]
        q = (xc @ W_Q).reshape(B, c, num_heads, Dh).transpose(1, 2)
        k = (xc @ W_K).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        v = (xc @ W_V).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        q = rope(q, start, theta)
        k = rope(k, start, theta)
        if cache_k is None:
            cache_k, cache_v = k, v
        else:
            cache_k = torch.cat([cache_k, k], dim=2)
            cache_v = torch.cat([cache_v, v], dim=2)
        kk = cache_k.repeat_interleave(num_heads // num_kv_heads, dim=1)
        vv = cache_v.repeat_interleave(num_heads // num_kv_heads, dim=1)
        scores = q @ kk.transpose(-2, -1) / math.sqrt(Dh)
        S = kk.shape[2]
        mask = torch.ones(c, S, dtype=torch.bool, device=x.device).tril(S - c)
        if start == 0:
            scores = scores.masked_fill(~mask, float("-inf"))
        weights = torch.softmax(scores, dim=-1)
        out = (weights @ vv).transpose(1, 2).reshape(B, c, C)
        outputs.append(out @ W_O)
        start += c
    return torch.cat(outputs, dim=1), (cache_k, cache_v)


# --- no_mask
import torch
import torch.nn.functional as F
from torch import Tensor


class Decoder:
    def __init__(self, W, num_heads, num_kv_heads, theta):
        self.W, self.H, self.H_kv, self.theta = W, num_heads, num_kv_heads, theta
        self.past = None

    def rotate(self, x: Tensor, offset: int) -> Tensor:
        half = x.shape[-1] // 2
        freq = self.theta ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        pos = torch.arange(x.shape[2], device=x.device, dtype=torch.float32) + offset
        angle = pos[:, None] * freq
        cos, sin = torch.cat([angle.cos()] * 2, -1), torch.cat([angle.sin()] * 2, -1)
        turned = torch.cat([-x[..., half:], x[..., :half]], -1)
        return (x * cos + turned * sin).to(x.dtype)

    def heads(self, y, n):
        return y.unflatten(-1, (n, -1)).transpose(1, 2)

    def step(self, x):
        q = self.heads(x @ self.W[0], self.H)
        k = self.heads(x @ self.W[1], self.H_kv)
        v = self.heads(x @ self.W[2], self.H_kv)
        offset = 0 if self.past is None else self.past[0].shape[2]
        q, k = self.rotate(q, offset), self.rotate(k, offset)
        if self.past is not None:
            k = torch.cat((self.past[0], k), 2)
            v = torch.cat((self.past[1], v), 2)
        self.past = (k, v)
        n = self.H // self.H_kv
        k, v = k.repeat_interleave(n, 1), v.repeat_interleave(n, 1)
        rows = torch.arange(offset, k.shape[2], device=x.device)[:, None]
        mask = torch.arange(k.shape[2], device=x.device) <= rows
        out = F.scaled_dot_product_attention(q, k, v)
        return out.transpose(1, 2).flatten(2) @ self.W[3]


def kv_decode(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    for c in chunks:
        if c <= 0:
            raise ValueError(f"a chunk of {c} tokens")
    if sum(chunks) != x.size(1):
        raise ValueError(f"chunks add up to {sum(chunks)}, the text has {x.size(1)} tokens")
    decoder = Decoder(W, num_heads, num_kv_heads, theta)
    outs = []
    for piece in x.split(list(chunks), dim=1):
        outs.append(decoder.step(piece))
    return torch.cat(outs, 1), decoder.past


# --- no_mask_for_one_token_and_top_left
import math

import torch


def rope(x, start, theta):
    T, Dh = x.shape[-2], x.shape[-1]
    inv_freq = 1.0 / theta ** (torch.arange(0, Dh, 2, device=x.device).float() / Dh)
    t = torch.arange(start, start + T, device=x.device).float()
    freqs = torch.outer(t, inv_freq)
    cos, sin = freqs.cos(), freqs.sin()
    x1, x2 = x[..., : Dh // 2], x[..., Dh // 2 :]
    return torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1).to(x.dtype)


def kv_decode(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    B, T, C = x.shape
    if sum(chunks) != T or any(c < 1 for c in chunks):
        raise ValueError("chunks must be positive and add up to T")
    Dh = C // num_heads
    W_Q, W_K, W_V, W_O = W
    cache_k, cache_v = None, None
    outputs = []
    start = 0
    for c in chunks:
        xc = x[:, start : start + c]
        q = (xc @ W_Q).reshape(B, c, num_heads, Dh).transpose(1, 2)
        k = (xc @ W_K).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        v = (xc @ W_V).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        q = rope(q, start, theta)
        k = rope(k, start, theta)
        if cache_k is None:
            cache_k, cache_v = k, v
        else:
            cache_k = torch.cat([cache_k, k], dim=2)
            cache_v = torch.cat([cache_v, v], dim=2)
        kk = cache_k.repeat_interleave(num_heads // num_kv_heads, dim=1)
        vv = cache_v.repeat_interleave(num_heads // num_kv_heads, dim=1)
        scores = q @ kk.transpose(-2, -1) / math.sqrt(Dh)
        S = kk.shape[2]
        mask = torch.ones(c, S, dtype=torch.bool, device=x.device)
        if c > 1:
            mask = mask.tril()
        scores = scores.masked_fill(~mask, float("-inf"))
        weights = torch.softmax(scores, dim=-1)
        out = (weights @ vv).transpose(1, 2).reshape(B, c, C)
        outputs.append(out @ W_O)
        start += c
    return torch.cat(outputs, dim=1), (cache_k, cache_v)


# --- is_causal
import torch
import torch.nn.functional as F
from torch import Tensor


class Decoder:
    def __init__(self, W, num_heads, num_kv_heads, theta):
        self.W, self.H, self.H_kv, self.theta = W, num_heads, num_kv_heads, theta
        self.past = None

    def rotate(self, x: Tensor, offset: int) -> Tensor:
        half = x.shape[-1] // 2
        freq = self.theta ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        pos = torch.arange(x.shape[2], device=x.device, dtype=torch.float32) + offset
        angle = pos[:, None] * freq
        cos, sin = torch.cat([angle.cos()] * 2, -1), torch.cat([angle.sin()] * 2, -1)
        turned = torch.cat([-x[..., half:], x[..., :half]], -1)
        return (x * cos + turned * sin).to(x.dtype)

    def heads(self, y, n):
        return y.unflatten(-1, (n, -1)).transpose(1, 2)

    def step(self, x):
        q = self.heads(x @ self.W[0], self.H)
        k = self.heads(x @ self.W[1], self.H_kv)
        v = self.heads(x @ self.W[2], self.H_kv)
        offset = 0 if self.past is None else self.past[0].shape[2]
        q, k = self.rotate(q, offset), self.rotate(k, offset)
        if self.past is not None:
            k = torch.cat((self.past[0], k), 2)
            v = torch.cat((self.past[1], v), 2)
        self.past = (k, v)
        n = self.H // self.H_kv
        k, v = k.repeat_interleave(n, 1), v.repeat_interleave(n, 1)
        rows = torch.arange(offset, k.shape[2], device=x.device)[:, None]
        mask = torch.arange(k.shape[2], device=x.device) <= rows
        out = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return out.transpose(1, 2).flatten(2) @ self.W[3]


def kv_decode(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    for c in chunks:
        if c <= 0:
            raise ValueError(f"a chunk of {c} tokens")
    if sum(chunks) != x.size(1):
        raise ValueError(f"chunks add up to {sum(chunks)}, the text has {x.size(1)} tokens")
    decoder = Decoder(W, num_heads, num_kv_heads, theta)
    outs = []
    for piece in x.split(list(chunks), dim=1):
        outs.append(decoder.step(piece))
    return torch.cat(outs, 1), decoder.past


# --- mask_diagonal_one_too_far
import math

import torch


def rope(x, start, theta):
    T, Dh = x.shape[-2], x.shape[-1]
    inv_freq = 1.0 / theta ** (torch.arange(0, Dh, 2, device=x.device).float() / Dh)
    t = torch.arange(start, start + T, device=x.device).float()
    freqs = torch.outer(t, inv_freq)
    cos, sin = freqs.cos(), freqs.sin()
    x1, x2 = x[..., : Dh // 2], x[..., Dh // 2 :]
    return torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1).to(x.dtype)


def kv_decode(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    B, T, C = x.shape
    if sum(chunks) != T or any(c < 1 for c in chunks):
        raise ValueError("chunks must be positive and add up to T")
    Dh = C // num_heads
    W_Q, W_K, W_V, W_O = W
    cache_k, cache_v = None, None
    outputs = []
    start = 0
    for c in chunks:
        xc = x[:, start : start + c]
        q = (xc @ W_Q).reshape(B, c, num_heads, Dh).transpose(1, 2)
        k = (xc @ W_K).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        v = (xc @ W_V).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        q = rope(q, start, theta)
        k = rope(k, start, theta)
        if cache_k is None:
            cache_k, cache_v = k, v
        else:
            cache_k = torch.cat([cache_k, k], dim=2)
            cache_v = torch.cat([cache_v, v], dim=2)
        kk = cache_k.repeat_interleave(num_heads // num_kv_heads, dim=1)
        vv = cache_v.repeat_interleave(num_heads // num_kv_heads, dim=1)
        scores = q @ kk.transpose(-2, -1) / math.sqrt(Dh)
        S = kk.shape[2]
        mask = torch.ones(c, S, dtype=torch.bool, device=x.device).tril(S - c + 1)
        scores = scores.masked_fill(~mask, float("-inf"))
        weights = torch.softmax(scores, dim=-1)
        out = (weights @ vv).transpose(1, 2).reshape(B, c, C)
        outputs.append(out @ W_O)
        start += c
    return torch.cat(outputs, dim=1), (cache_k, cache_v)


# --- mask_without_the_diagonal_old_only
import math

import torch


def rope(x, start, theta):
    T, Dh = x.shape[-2], x.shape[-1]
    inv_freq = 1.0 / theta ** (torch.arange(0, Dh, 2, device=x.device).float() / Dh)
    t = torch.arange(start, start + T, device=x.device).float()
    freqs = torch.outer(t, inv_freq)
    cos, sin = freqs.cos(), freqs.sin()
    x1, x2 = x[..., : Dh // 2], x[..., Dh // 2 :]
    return torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1).to(x.dtype)


def kv_decode(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    B, T, C = x.shape
    if sum(chunks) != T or any(c < 1 for c in chunks):
        raise ValueError("chunks must be positive and add up to T")
    Dh = C // num_heads
    W_Q, W_K, W_V, W_O = W
    cache_k, cache_v = None, None
    outputs = []
    start = 0
    for c in chunks:
        xc = x[:, start : start + c]
        q = (xc @ W_Q).reshape(B, c, num_heads, Dh).transpose(1, 2)
        k = (xc @ W_K).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        v = (xc @ W_V).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        q = rope(q, start, theta)
        k = rope(k, start, theta)
        if cache_k is None:
            cache_k, cache_v = k, v
        else:
            cache_k = torch.cat([cache_k, k], dim=2)
            cache_v = torch.cat([cache_v, v], dim=2)
        kk = cache_k.repeat_interleave(num_heads // num_kv_heads, dim=1)
        vv = cache_v.repeat_interleave(num_heads // num_kv_heads, dim=1)
        scores = q @ kk.transpose(-2, -1) / math.sqrt(Dh)
        S = kk.shape[2]
        mask = torch.ones(c, S, dtype=torch.bool, device=x.device).tril(max(S - c - 1, 0))
        scores = scores.masked_fill(~mask, float("-inf"))
        weights = torch.softmax(scores, dim=-1)
        out = (weights @ vv).transpose(1, 2).reshape(B, c, C)
        outputs.append(out @ W_O)
        start += c
    return torch.cat(outputs, dim=1), (cache_k, cache_v)


# --- mask_square_on_the_last_columns_as_minus_1e9_added
import math

import torch


def rope(x, start, theta):
    T, Dh = x.shape[-2], x.shape[-1]
    inv_freq = 1.0 / theta ** (torch.arange(0, Dh, 2, device=x.device).float() / Dh)
    t = torch.arange(start, start + T, device=x.device).float()
    freqs = torch.outer(t, inv_freq)
    cos, sin = freqs.cos(), freqs.sin()
    x1, x2 = x[..., : Dh // 2], x[..., Dh // 2 :]
    return torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1).to(x.dtype)


def kv_decode(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    B, T, C = x.shape
    if sum(chunks) != T or any(c < 1 for c in chunks):
        raise ValueError("chunks must be positive and add up to T")
    Dh = C // num_heads
    W_Q, W_K, W_V, W_O = W
    cache_k, cache_v = None, None
    outputs = []
    start = 0
    for c in chunks:
        xc = x[:, start : start + c]
        q = (xc @ W_Q).reshape(B, c, num_heads, Dh).transpose(1, 2)
        k = (xc @ W_K).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        v = (xc @ W_V).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        q = rope(q, start, theta)
        k = rope(k, start, theta)
        if cache_k is None:
            cache_k, cache_v = k, v
        else:
            cache_k = torch.cat([cache_k, k], dim=2)
            cache_v = torch.cat([cache_v, v], dim=2)
        kk = cache_k.repeat_interleave(num_heads // num_kv_heads, dim=1)
        vv = cache_v.repeat_interleave(num_heads // num_kv_heads, dim=1)
        scores = q @ kk.transpose(-2, -1) / math.sqrt(Dh)
        S = kk.shape[2]
        mask = torch.ones(c, S, dtype=torch.bool, device=x.device).tril(S - c)
        scores[..., :c] = scores[..., :c] + torch.full((c, c), -1e4, device=x.device).triu(1).to(x.dtype)
        weights = torch.softmax(scores, dim=-1)
        out = (weights @ vv).transpose(1, 2).reshape(B, c, C)
        outputs.append(out @ W_O)
        start += c
    return torch.cat(outputs, dim=1), (cache_k, cache_v)


# --- minimind_mask
import math

import torch


def rope(x, start, theta):
    T, Dh = x.shape[-2], x.shape[-1]
    inv_freq = 1.0 / theta ** (torch.arange(0, Dh, 2, device=x.device).float() / Dh)
    t = torch.arange(start, start + T, device=x.device).float()
    freqs = torch.outer(t, inv_freq)
    cos, sin = freqs.cos(), freqs.sin()
    x1, x2 = x[..., : Dh // 2], x[..., Dh // 2 :]
    return torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1).to(x.dtype)


def kv_decode(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    B, T, C = x.shape
    if sum(chunks) != T or any(c < 1 for c in chunks):
        raise ValueError("chunks must be positive and add up to T")
    Dh = C // num_heads
    W_Q, W_K, W_V, W_O = W
    cache_k, cache_v = None, None
    outputs = []
    start = 0
    for c in chunks:
        xc = x[:, start : start + c]
        q = (xc @ W_Q).reshape(B, c, num_heads, Dh).transpose(1, 2)
        k = (xc @ W_K).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        v = (xc @ W_V).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        q = rope(q, start, theta)
        k = rope(k, start, theta)
        if cache_k is None:
            cache_k, cache_v = k, v
        else:
            cache_k = torch.cat([cache_k, k], dim=2)
            cache_v = torch.cat([cache_v, v], dim=2)
        kk = cache_k.repeat_interleave(num_heads // num_kv_heads, dim=1)
        vv = cache_v.repeat_interleave(num_heads // num_kv_heads, dim=1)
        scores = q @ kk.transpose(-2, -1) / math.sqrt(Dh)
        S = kk.shape[2]
        scores = scores + torch.full((c, c), float('-inf'), device=x.device, dtype=x.dtype).triu(1)
        weights = torch.softmax(scores, dim=-1)
        out = (weights @ vv).transpose(1, 2).reshape(B, c, C)
        outputs.append(out @ W_O)
        start += c
    return torch.cat(outputs, dim=1), (cache_k, cache_v)


# --- no_refusal_and_last_chunk_only
import math

import torch


def rope(x, start, theta):
    T, Dh = x.shape[-2], x.shape[-1]
    inv_freq = 1.0 / theta ** (torch.arange(0, Dh, 2, device=x.device).float() / Dh)
    t = torch.arange(start, start + T, device=x.device).float()
    freqs = torch.outer(t, inv_freq)
    cos, sin = freqs.cos(), freqs.sin()
    x1, x2 = x[..., : Dh // 2], x[..., Dh // 2 :]
    return torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1).to(x.dtype)


def kv_decode(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    B, T, C = x.shape
    Dh = C // num_heads
    W_Q, W_K, W_V, W_O = W
    cache_k, cache_v = None, None
    outputs = []
    start = 0
    for c in chunks:
        xc = x[:, start : start + c]
        q = (xc @ W_Q).reshape(B, c, num_heads, Dh).transpose(1, 2)
        k = (xc @ W_K).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        v = (xc @ W_V).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        q = rope(q, start, theta)
        k = rope(k, start, theta)
        if cache_k is None:
            cache_k, cache_v = k, v
        else:
            cache_k = torch.cat([cache_k, k], dim=2)
            cache_v = torch.cat([cache_v, v], dim=2)
        kk = cache_k.repeat_interleave(num_heads // num_kv_heads, dim=1)
        vv = cache_v.repeat_interleave(num_heads // num_kv_heads, dim=1)
        scores = q @ kk.transpose(-2, -1) / math.sqrt(Dh)
        S = kk.shape[2]
        mask = torch.ones(c, S, dtype=torch.bool, device=x.device).tril(S - c)
        scores = scores.masked_fill(~mask, float("-inf"))
        weights = torch.softmax(scores, dim=-1)
        out = (weights @ vv).transpose(1, 2).reshape(B, c, C)
        outputs.append(out @ W_O)
        start += c
    return outputs[-1], (cache_k, cache_v)


# --- cache_of_the_last_chunk
import math

import torch


def rope(x, start, theta):
    T, Dh = x.shape[-2], x.shape[-1]
    inv_freq = 1.0 / theta ** (torch.arange(0, Dh, 2, device=x.device).float() / Dh)
    t = torch.arange(start, start + T, device=x.device).float()
    freqs = torch.outer(t, inv_freq)
    cos, sin = freqs.cos(), freqs.sin()
    x1, x2 = x[..., : Dh // 2], x[..., Dh // 2 :]
    return torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1).to(x.dtype)


def kv_decode(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    B, T, C = x.shape
    if sum(chunks) != T or any(c < 1 for c in chunks):
        raise ValueError("chunks must be positive and add up to T")
    Dh = C // num_heads
    W_Q, W_K, W_V, W_O = W
    cache_k, cache_v = None, None
    outputs = []
    start = 0
    for c in chunks:
        xc = x[:, start : start + c]
        q = (xc @ W_Q).reshape(B, c, num_heads, Dh).transpose(1, 2)
        k = (xc @ W_K).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        v = (xc @ W_V).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        q = rope(q, start, theta)
        k = rope(k, start, theta)
        if cache_k is None:
            cache_k, cache_v = k, v
        else:
            cache_k, cache_v = k, v
        kk = cache_k.repeat_interleave(num_heads // num_kv_heads, dim=1)
        vv = cache_v.repeat_interleave(num_heads // num_kv_heads, dim=1)
        scores = q @ kk.transpose(-2, -1) / math.sqrt(Dh)
        S = kk.shape[2]
        mask = torch.ones(c, S, dtype=torch.bool, device=x.device).tril(S - c)
        scores = scores.masked_fill(~mask, float("-inf"))
        weights = torch.softmax(scores, dim=-1)
        out = (weights @ vv).transpose(1, 2).reshape(B, c, C)
        outputs.append(out @ W_O)
        start += c
    return torch.cat(outputs, dim=1), (cache_k, cache_v)


# --- returns_the_last_keys
import math

import torch


def rope(x, start, theta):
    T, Dh = x.shape[-2], x.shape[-1]
    inv_freq = 1.0 / theta ** (torch.arange(0, Dh, 2, device=x.device).float() / Dh)
    t = torch.arange(start, start + T, device=x.device).float()
    freqs = torch.outer(t, inv_freq)
    cos, sin = freqs.cos(), freqs.sin()
    x1, x2 = x[..., : Dh // 2], x[..., Dh // 2 :]
    return torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1).to(x.dtype)


def kv_decode(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    B, T, C = x.shape
    if sum(chunks) != T or any(c < 1 for c in chunks):
        raise ValueError("chunks must be positive and add up to T")
    Dh = C // num_heads
    W_Q, W_K, W_V, W_O = W
    cache_k, cache_v = None, None
    outputs = []
    start = 0
    for c in chunks:
        xc = x[:, start : start + c]
        q = (xc @ W_Q).reshape(B, c, num_heads, Dh).transpose(1, 2)
        k = (xc @ W_K).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        v = (xc @ W_V).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        q = rope(q, start, theta)
        k = rope(k, start, theta)
        if cache_k is None:
            cache_k, cache_v = k, v
        else:
            cache_k = torch.cat([cache_k, k], dim=2)
            cache_v = torch.cat([cache_v, v], dim=2)
        kk = cache_k.repeat_interleave(num_heads // num_kv_heads, dim=1)
        vv = cache_v.repeat_interleave(num_heads // num_kv_heads, dim=1)
        scores = q @ kk.transpose(-2, -1) / math.sqrt(Dh)
        S = kk.shape[2]
        mask = torch.ones(c, S, dtype=torch.bool, device=x.device).tril(S - c)
        scores = scores.masked_fill(~mask, float("-inf"))
        weights = torch.softmax(scores, dim=-1)
        out = (weights @ vv).transpose(1, 2).reshape(B, c, C)
        outputs.append(out @ W_O)
        start += c
    return torch.cat(outputs, dim=1), (k, v)


# --- returns_repeated_heads
import math

import torch


def rope(x, start, theta):
    T, Dh = x.shape[-2], x.shape[-1]
    inv_freq = 1.0 / theta ** (torch.arange(0, Dh, 2, device=x.device).float() / Dh)
    t = torch.arange(start, start + T, device=x.device).float()
    freqs = torch.outer(t, inv_freq)
    cos, sin = freqs.cos(), freqs.sin()
    x1, x2 = x[..., : Dh // 2], x[..., Dh // 2 :]
    return torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1).to(x.dtype)


def kv_decode(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    B, T, C = x.shape
    if sum(chunks) != T or any(c < 1 for c in chunks):
        raise ValueError("chunks must be positive and add up to T")
    Dh = C // num_heads
    W_Q, W_K, W_V, W_O = W
    cache_k, cache_v = None, None
    outputs = []
    start = 0
    for c in chunks:
        xc = x[:, start : start + c]
        q = (xc @ W_Q).reshape(B, c, num_heads, Dh).transpose(1, 2)
        k = (xc @ W_K).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        v = (xc @ W_V).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        q = rope(q, start, theta)
        k = rope(k, start, theta)
        if cache_k is None:
            cache_k, cache_v = k, v
        else:
            cache_k = torch.cat([cache_k, k], dim=2)
            cache_v = torch.cat([cache_v, v], dim=2)
        kk = cache_k.repeat_interleave(num_heads // num_kv_heads, dim=1)
        vv = cache_v.repeat_interleave(num_heads // num_kv_heads, dim=1)
        scores = q @ kk.transpose(-2, -1) / math.sqrt(Dh)
        S = kk.shape[2]
        mask = torch.ones(c, S, dtype=torch.bool, device=x.device).tril(S - c)
        scores = scores.masked_fill(~mask, float("-inf"))
        weights = torch.softmax(scores, dim=-1)
        out = (weights @ vv).transpose(1, 2).reshape(B, c, C)
        outputs.append(out @ W_O)
        start += c
    return torch.cat(outputs, dim=1), (kk, vv)


# --- caches_repeated_heads
import torch
import torch.nn.functional as F
from torch import Tensor


class Decoder:
    def __init__(self, W, num_heads, num_kv_heads, theta):
        self.W, self.H, self.H_kv, self.theta = W, num_heads, num_kv_heads, theta
        self.past = None

    def rotate(self, x: Tensor, offset: int) -> Tensor:
        half = x.shape[-1] // 2
        freq = self.theta ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        pos = torch.arange(x.shape[2], device=x.device, dtype=torch.float32) + offset
        angle = pos[:, None] * freq
        cos, sin = torch.cat([angle.cos()] * 2, -1), torch.cat([angle.sin()] * 2, -1)
        turned = torch.cat([-x[..., half:], x[..., :half]], -1)
        return (x * cos + turned * sin).to(x.dtype)

    def heads(self, y, n):
        return y.unflatten(-1, (n, -1)).transpose(1, 2)

    def step(self, x):
        q = self.heads(x @ self.W[0], self.H)
        k = self.heads(x @ self.W[1], self.H_kv)
        v = self.heads(x @ self.W[2], self.H_kv)
        offset = 0 if self.past is None else self.past[0].shape[2]
        q, k = self.rotate(q, offset), self.rotate(k, offset)
        n = self.H // self.H_kv
        k, v = k.repeat_interleave(n, 1), v.repeat_interleave(n, 1)
        if self.past is not None:
            k = torch.cat((self.past[0], k), 2)
            v = torch.cat((self.past[1], v), 2)
        self.past = (k, v)
        rows = torch.arange(offset, k.shape[2], device=x.device)[:, None]
        mask = torch.arange(k.shape[2], device=x.device) <= rows
        out = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        return out.transpose(1, 2).flatten(2) @ self.W[3]


def kv_decode(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    for c in chunks:
        if c <= 0:
            raise ValueError(f"a chunk of {c} tokens")
    if sum(chunks) != x.size(1):
        raise ValueError(f"chunks add up to {sum(chunks)}, the text has {x.size(1)} tokens")
    decoder = Decoder(W, num_heads, num_kv_heads, theta)
    outs = []
    for piece in x.split(list(chunks), dim=1):
        outs.append(decoder.step(piece))
    return torch.cat(outs, 1), decoder.past


# --- cache_tokens_before_heads
import math

import torch


def rope(x, start, theta):
    T, Dh = x.shape[-2], x.shape[-1]
    inv_freq = 1.0 / theta ** (torch.arange(0, Dh, 2, device=x.device).float() / Dh)
    t = torch.arange(start, start + T, device=x.device).float()
    freqs = torch.outer(t, inv_freq)
    cos, sin = freqs.cos(), freqs.sin()
    x1, x2 = x[..., : Dh // 2], x[..., Dh // 2 :]
    return torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1).to(x.dtype)


def kv_decode(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    B, T, C = x.shape
    if sum(chunks) != T or any(c < 1 for c in chunks):
        raise ValueError("chunks must be positive and add up to T")
    Dh = C // num_heads
    W_Q, W_K, W_V, W_O = W
    cache_k, cache_v = None, None
    outputs = []
    start = 0
    for c in chunks:
        xc = x[:, start : start + c]
        q = (xc @ W_Q).reshape(B, c, num_heads, Dh).transpose(1, 2)
        k = (xc @ W_K).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        v = (xc @ W_V).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        q = rope(q, start, theta)
        k = rope(k, start, theta)
        if cache_k is None:
            cache_k, cache_v = k, v
        else:
            cache_k = torch.cat([cache_k, k], dim=2)
            cache_v = torch.cat([cache_v, v], dim=2)
        kk = cache_k.repeat_interleave(num_heads // num_kv_heads, dim=1)
        vv = cache_v.repeat_interleave(num_heads // num_kv_heads, dim=1)
        scores = q @ kk.transpose(-2, -1) / math.sqrt(Dh)
        S = kk.shape[2]
        mask = torch.ones(c, S, dtype=torch.bool, device=x.device).tril(S - c)
        scores = scores.masked_fill(~mask, float("-inf"))
        weights = torch.softmax(scores, dim=-1)
        out = (weights @ vv).transpose(1, 2).reshape(B, c, C)
        outputs.append(out @ W_O)
        start += c
    return torch.cat(outputs, dim=1), (cache_k.transpose(1, 2), cache_v.transpose(1, 2))


# --- cache_shared_by_the_class
import torch
import torch.nn.functional as F
from torch import Tensor


class Decoder:
    past = None

    def __init__(self, W, num_heads, num_kv_heads, theta):
        self.W, self.H, self.H_kv, self.theta = W, num_heads, num_kv_heads, theta

    def rotate(self, x: Tensor, offset: int) -> Tensor:
        half = x.shape[-1] // 2
        freq = self.theta ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        pos = torch.arange(x.shape[2], device=x.device, dtype=torch.float32) + offset
        angle = pos[:, None] * freq
        cos, sin = torch.cat([angle.cos()] * 2, -1), torch.cat([angle.sin()] * 2, -1)
        turned = torch.cat([-x[..., half:], x[..., :half]], -1)
        return (x * cos + turned * sin).to(x.dtype)

    def heads(self, y, n):
        return y.unflatten(-1, (n, -1)).transpose(1, 2)

    def step(self, x):
        q = self.heads(x @ self.W[0], self.H)
        k = self.heads(x @ self.W[1], self.H_kv)
        v = self.heads(x @ self.W[2], self.H_kv)
        offset = 0 if self.past is None else self.past[0].shape[2]
        q, k = self.rotate(q, offset), self.rotate(k, offset)
        if self.past is not None:
            k = torch.cat((self.past[0], k), 2)
            v = torch.cat((self.past[1], v), 2)
        Decoder.past = (k, v)
        n = self.H // self.H_kv
        k, v = k.repeat_interleave(n, 1), v.repeat_interleave(n, 1)
        rows = torch.arange(offset, k.shape[2], device=x.device)[:, None]
        mask = torch.arange(k.shape[2], device=x.device) <= rows
        out = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        return out.transpose(1, 2).flatten(2) @ self.W[3]


def kv_decode(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    for c in chunks:
        if c <= 0:
            raise ValueError(f"a chunk of {c} tokens")
    if sum(chunks) != x.size(1):
        raise ValueError(f"chunks add up to {sum(chunks)}, the text has {x.size(1)} tokens")
    decoder = Decoder(W, num_heads, num_kv_heads, theta)
    outs = []
    for piece in x.split(list(chunks), dim=1):
        outs.append(decoder.step(piece))
    return torch.cat(outs, 1), decoder.past


# --- cache_in_a_default_argument
import math

import torch


def rope(x, start, theta):
    T, Dh = x.shape[-2], x.shape[-1]
    inv_freq = 1.0 / theta ** (torch.arange(0, Dh, 2, device=x.device).float() / Dh)
    t = torch.arange(start, start + T, device=x.device).float()
    freqs = torch.outer(t, inv_freq)
    cos, sin = freqs.cos(), freqs.sin()
    x1, x2 = x[..., : Dh // 2], x[..., Dh // 2 :]
    return torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1).to(x.dtype)


def kv_decode(x, W, num_heads, num_kv_heads, chunks, theta=1e6, cache={}):
    B, T, C = x.shape
    if sum(chunks) != T or any(c < 1 for c in chunks):
        raise ValueError("chunks must be positive and add up to T")
    Dh = C // num_heads
    W_Q, W_K, W_V, W_O = W
    cache_k, cache_v = cache.get((B, C), (None, None))
    outputs = []
    start = 0
    for c in chunks:
        xc = x[:, start : start + c]
        q = (xc @ W_Q).reshape(B, c, num_heads, Dh).transpose(1, 2)
        k = (xc @ W_K).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        v = (xc @ W_V).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        q = rope(q, start, theta)
        k = rope(k, start, theta)
        if cache_k is None:
            cache_k, cache_v = k, v
        else:
            cache_k = torch.cat([cache_k, k], dim=2)
            cache_v = torch.cat([cache_v, v], dim=2)
        kk = cache_k.repeat_interleave(num_heads // num_kv_heads, dim=1)
        vv = cache_v.repeat_interleave(num_heads // num_kv_heads, dim=1)
        scores = q @ kk.transpose(-2, -1) / math.sqrt(Dh)
        S = kk.shape[2]
        mask = torch.ones(c, S, dtype=torch.bool, device=x.device).tril(S - c)
        scores = scores.masked_fill(~mask, float("-inf"))
        weights = torch.softmax(scores, dim=-1)
        out = (weights @ vv).transpose(1, 2).reshape(B, c, C)
        outputs.append(out @ W_O)
        start += c
    cache[(B, C)] = (cache_k, cache_v)
    return torch.cat(outputs, dim=1), (cache_k, cache_v)


# --- global_cache_reset_at_the_end
import math

import torch


def rope(x, start, theta):
    T, Dh = x.shape[-2], x.shape[-1]
    inv_freq = 1.0 / theta ** (torch.arange(0, Dh, 2, device=x.device).float() / Dh)
    t = torch.arange(start, start + T, device=x.device).float()
    freqs = torch.outer(t, inv_freq)
    cos, sin = freqs.cos(), freqs.sin()
    x1, x2 = x[..., : Dh // 2], x[..., Dh // 2 :]
    return torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1).to(x.dtype)


CACHE = []


def kv_decode(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    B, T, C = x.shape
    Dh = C // num_heads
    W_Q, W_K, W_V, W_O = W
    outputs = []
    start = 0
    for c in chunks:
        if c < 1 or start + c > T:
            raise ValueError('bad chunk')
        xc = x[:, start : start + c]
        q = (xc @ W_Q).reshape(B, c, num_heads, Dh).transpose(1, 2)
        k = (xc @ W_K).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        v = (xc @ W_V).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        q = rope(q, start, theta)
        k = rope(k, start, theta)
        CACHE.append((k, v))
        cache_k = torch.cat([p[0] for p in CACHE], dim=2)
        cache_v = torch.cat([p[1] for p in CACHE], dim=2)
        kk = cache_k.repeat_interleave(num_heads // num_kv_heads, dim=1)
        vv = cache_v.repeat_interleave(num_heads // num_kv_heads, dim=1)
        scores = q @ kk.transpose(-2, -1) / math.sqrt(Dh)
        S = kk.shape[2]
        mask = torch.ones(c, S, dtype=torch.bool, device=x.device).tril(S - c)
        scores = scores.masked_fill(~mask, float("-inf"))
        weights = torch.softmax(scores, dim=-1)
        out = (weights @ vv).transpose(1, 2).reshape(B, c, C)
        outputs.append(out @ W_O)
        start += c
    if start != T:
        raise ValueError('tokens left')
    CACHE.clear()
    return torch.cat(outputs, dim=1), (cache_k, cache_v)


# --- rope_tables_by_length
import math

import torch


TABLES = {}


def rope(x, start, theta):
    T, Dh = x.shape[-2], x.shape[-1]
    if (start, T, Dh) in TABLES:
        cos, sin = TABLES[start, T, Dh]
        x1, x2 = x[..., : Dh // 2], x[..., Dh // 2 :]
        return torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1).to(x.dtype)
    inv_freq = 1.0 / theta ** (torch.arange(0, Dh, 2, device=x.device).float() / Dh)
    t = torch.arange(start, start + T, device=x.device).float()
    freqs = torch.outer(t, inv_freq)
    cos, sin = freqs.cos(), freqs.sin()
    TABLES[start, T, Dh] = cos, sin
    x1, x2 = x[..., : Dh // 2], x[..., Dh // 2 :]
    return torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1).to(x.dtype)


def kv_decode(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    B, T, C = x.shape
    if sum(chunks) != T or any(c < 1 for c in chunks):
        raise ValueError("chunks must be positive and add up to T")
    Dh = C // num_heads
    W_Q, W_K, W_V, W_O = W
    cache_k, cache_v = None, None
    outputs = []
    start = 0
    for c in chunks:
        xc = x[:, start : start + c]
        q = (xc @ W_Q).reshape(B, c, num_heads, Dh).transpose(1, 2)
        k = (xc @ W_K).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        v = (xc @ W_V).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        q = rope(q, start, theta)
        k = rope(k, start, theta)
        if cache_k is None:
            cache_k, cache_v = k, v
        else:
            cache_k = torch.cat([cache_k, k], dim=2)
            cache_v = torch.cat([cache_v, v], dim=2)
        kk = cache_k.repeat_interleave(num_heads // num_kv_heads, dim=1)
        vv = cache_v.repeat_interleave(num_heads // num_kv_heads, dim=1)
        scores = q @ kk.transpose(-2, -1) / math.sqrt(Dh)
        S = kk.shape[2]
        mask = torch.ones(c, S, dtype=torch.bool, device=x.device).tril(S - c)
        scores = scores.masked_fill(~mask, float("-inf"))
        weights = torch.softmax(scores, dim=-1)
        out = (weights @ vv).transpose(1, 2).reshape(B, c, C)
        outputs.append(out @ W_O)
        start += c
    return torch.cat(outputs, dim=1), (cache_k, cache_v)


# --- one_pass_over_everything
import math

import torch


def rope(x, start, theta):
    T, Dh = x.shape[-2], x.shape[-1]
    inv_freq = 1.0 / theta ** (torch.arange(0, Dh, 2, device=x.device).float() / Dh)
    t = torch.arange(start, start + T, device=x.device).float()
    freqs = torch.outer(t, inv_freq)
    cos, sin = freqs.cos(), freqs.sin()
    x1, x2 = x[..., : Dh // 2], x[..., Dh // 2 :]
    return torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1).to(x.dtype)


def kv_decode(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    B, T, C = x.shape
    if sum(chunks) != T or any(c < 1 for c in chunks):
        raise ValueError("chunks must be positive and add up to T")
    Dh = C // num_heads
    W_Q, W_K, W_V, W_O = W
    cache_k, cache_v = None, None
    outputs = []
    start = 0
    for c in [T]:
        xc = x[:, start : start + c]
        q = (xc @ W_Q).reshape(B, c, num_heads, Dh).transpose(1, 2)
        k = (xc @ W_K).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        v = (xc @ W_V).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        q = rope(q, start, theta)
        k = rope(k, start, theta)
        if cache_k is None:
            cache_k, cache_v = k, v
        else:
            cache_k = torch.cat([cache_k, k], dim=2)
            cache_v = torch.cat([cache_v, v], dim=2)
        kk = cache_k.repeat_interleave(num_heads // num_kv_heads, dim=1)
        vv = cache_v.repeat_interleave(num_heads // num_kv_heads, dim=1)
        scores = q @ kk.transpose(-2, -1) / math.sqrt(Dh)
        S = kk.shape[2]
        mask = torch.ones(c, S, dtype=torch.bool, device=x.device).tril(S - c)
        scores = scores.masked_fill(~mask, float("-inf"))
        weights = torch.softmax(scores, dim=-1)
        out = (weights @ vv).transpose(1, 2).reshape(B, c, C)
        outputs.append(out @ W_O)
        start += c
    return torch.cat(outputs, dim=1), (cache_k, cache_v)


# --- square_mask_sliced
import math

import torch


def rope(x, start, theta):
    T, Dh = x.shape[-2], x.shape[-1]
    inv_freq = 1.0 / theta ** (torch.arange(0, Dh, 2, device=x.device).float() / Dh)
    t = torch.arange(start, start + T, device=x.device).float()
    freqs = torch.outer(t, inv_freq)
    cos, sin = freqs.cos(), freqs.sin()
    x1, x2 = x[..., : Dh // 2], x[..., Dh // 2 :]
    return torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1).to(x.dtype)


def kv_decode(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    B, T, C = x.shape
    if sum(chunks) != T or any(c < 1 for c in chunks):
        raise ValueError("chunks must be positive and add up to T")
    Dh = C // num_heads
    W_Q, W_K, W_V, W_O = W
    cache_k, cache_v = None, None
    outputs = []
    causal = torch.ones(T, T, dtype=torch.bool, device=x.device).tril()
    start = 0
    for c in chunks:
        xc = x[:, start : start + c]
        q = (xc @ W_Q).reshape(B, c, num_heads, Dh).transpose(1, 2)
        k = (xc @ W_K).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        v = (xc @ W_V).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        q = rope(q, start, theta)
        k = rope(k, start, theta)
        if cache_k is None:
            cache_k, cache_v = k, v
        else:
            cache_k = torch.cat([cache_k, k], dim=2)
            cache_v = torch.cat([cache_v, v], dim=2)
        kk = cache_k.repeat_interleave(num_heads // num_kv_heads, dim=1)
        vv = cache_v.repeat_interleave(num_heads // num_kv_heads, dim=1)
        scores = q @ kk.transpose(-2, -1) / math.sqrt(Dh)
        S = kk.shape[2]
        mask = causal[start : start + c, :S]
        scores = scores.masked_fill(~mask, float("-inf"))
        weights = torch.softmax(scores, dim=-1)
        out = (weights @ vv).transpose(1, 2).reshape(B, c, C)
        outputs.append(out @ W_O)
        start += c
    return torch.cat(outputs, dim=1), (cache_k, cache_v)


# --- positions_one_too_far_after_the_cache
import torch
import torch.nn.functional as F
from torch import Tensor


class Decoder:
    def __init__(self, W, num_heads, num_kv_heads, theta):
        self.W, self.H, self.H_kv, self.theta = W, num_heads, num_kv_heads, theta
        self.past = None

    def rotate(self, x: Tensor, offset: int) -> Tensor:
        half = x.shape[-1] // 2
        freq = self.theta ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        pos = torch.arange(x.shape[2], device=x.device, dtype=torch.float32) + offset
        angle = pos[:, None] * freq
        cos, sin = torch.cat([angle.cos()] * 2, -1), torch.cat([angle.sin()] * 2, -1)
        turned = torch.cat([-x[..., half:], x[..., :half]], -1)
        return (x * cos + turned * sin).to(x.dtype)

    def heads(self, y, n):
        return y.unflatten(-1, (n, -1)).transpose(1, 2)

    def step(self, x):
        q = self.heads(x @ self.W[0], self.H)
        k = self.heads(x @ self.W[1], self.H_kv)
        v = self.heads(x @ self.W[2], self.H_kv)
        offset = 0 if self.past is None else self.past[0].shape[2] + 1
        q, k = self.rotate(q, offset), self.rotate(k, offset)
        if self.past is not None:
            k = torch.cat((self.past[0], k), 2)
            v = torch.cat((self.past[1], v), 2)
        self.past = (k, v)
        n = self.H // self.H_kv
        k, v = k.repeat_interleave(n, 1), v.repeat_interleave(n, 1)
        rows = torch.arange(k.shape[2] - x.shape[1], k.shape[2], device=x.device)[:, None]
        mask = torch.arange(k.shape[2], device=x.device) <= rows
        out = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        return out.transpose(1, 2).flatten(2) @ self.W[3]


def kv_decode(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    for c in chunks:
        if c <= 0:
            raise ValueError(f"a chunk of {c} tokens")
    if sum(chunks) != x.size(1):
        raise ValueError(f"chunks add up to {sum(chunks)}, the text has {x.size(1)} tokens")
    decoder = Decoder(W, num_heads, num_kv_heads, theta)
    outs = []
    for piece in x.split(list(chunks), dim=1):
        outs.append(decoder.step(piece))
    return torch.cat(outs, 1), decoder.past


# --- positions_from_heads_axis
import torch
import torch.nn.functional as F
from torch import Tensor


class Decoder:
    def __init__(self, W, num_heads, num_kv_heads, theta):
        self.W, self.H, self.H_kv, self.theta = W, num_heads, num_kv_heads, theta
        self.past = None

    def rotate(self, x: Tensor, offset: int) -> Tensor:
        half = x.shape[-1] // 2
        freq = self.theta ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        pos = torch.arange(x.shape[2], device=x.device, dtype=torch.float32) + offset
        angle = pos[:, None] * freq
        cos, sin = torch.cat([angle.cos()] * 2, -1), torch.cat([angle.sin()] * 2, -1)
        turned = torch.cat([-x[..., half:], x[..., :half]], -1)
        return (x * cos + turned * sin).to(x.dtype)

    def heads(self, y, n):
        return y.unflatten(-1, (n, -1)).transpose(1, 2)

    def step(self, x):
        q = self.heads(x @ self.W[0], self.H)
        k = self.heads(x @ self.W[1], self.H_kv)
        v = self.heads(x @ self.W[2], self.H_kv)
        offset = 0 if self.past is None else self.past[0].shape[1]
        q, k = self.rotate(q, offset), self.rotate(k, offset)
        if self.past is not None:
            k = torch.cat((self.past[0], k), 2)
            v = torch.cat((self.past[1], v), 2)
        self.past = (k, v)
        n = self.H // self.H_kv
        k, v = k.repeat_interleave(n, 1), v.repeat_interleave(n, 1)
        rows = torch.arange(k.shape[2] - x.shape[1], k.shape[2], device=x.device)[:, None]
        mask = torch.arange(k.shape[2], device=x.device) <= rows
        out = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        return out.transpose(1, 2).flatten(2) @ self.W[3]


def kv_decode(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    for c in chunks:
        if c <= 0:
            raise ValueError(f"a chunk of {c} tokens")
    if sum(chunks) != x.size(1):
        raise ValueError(f"chunks add up to {sum(chunks)}, the text has {x.size(1)} tokens")
    decoder = Decoder(W, num_heads, num_kv_heads, theta)
    outs = []
    for piece in x.split(list(chunks), dim=1):
        outs.append(decoder.step(piece))
    return torch.cat(outs, 1), decoder.past


# --- positions_count_chunks
import math

import torch


def rope(x, start, theta):
    T, Dh = x.shape[-2], x.shape[-1]
    inv_freq = 1.0 / theta ** (torch.arange(0, Dh, 2, device=x.device).float() / Dh)
    t = torch.arange(start, start + T, device=x.device).float()
    freqs = torch.outer(t, inv_freq)
    cos, sin = freqs.cos(), freqs.sin()
    x1, x2 = x[..., : Dh // 2], x[..., Dh // 2 :]
    return torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1).to(x.dtype)


def kv_decode(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    B, T, C = x.shape
    if sum(chunks) != T or any(c < 1 for c in chunks):
        raise ValueError("chunks must be positive and add up to T")
    Dh = C // num_heads
    W_Q, W_K, W_V, W_O = W
    cache_k, cache_v = None, None
    outputs = []
    start = 0
    for i, c in enumerate(chunks):
        xc = x[:, start : start + c]
        q = (xc @ W_Q).reshape(B, c, num_heads, Dh).transpose(1, 2)
        k = (xc @ W_K).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        v = (xc @ W_V).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        q = rope(q, i, theta)
        k = rope(k, i, theta)
        if cache_k is None:
            cache_k, cache_v = k, v
        else:
            cache_k = torch.cat([cache_k, k], dim=2)
            cache_v = torch.cat([cache_v, v], dim=2)
        kk = cache_k.repeat_interleave(num_heads // num_kv_heads, dim=1)
        vv = cache_v.repeat_interleave(num_heads // num_kv_heads, dim=1)
        scores = q @ kk.transpose(-2, -1) / math.sqrt(Dh)
        S = kk.shape[2]
        mask = torch.ones(c, S, dtype=torch.bool, device=x.device).tril(S - c)
        scores = scores.masked_fill(~mask, float("-inf"))
        weights = torch.softmax(scores, dim=-1)
        out = (weights @ vv).transpose(1, 2).reshape(B, c, C)
        outputs.append(out @ W_O)
        start += c
    return torch.cat(outputs, dim=1), (cache_k, cache_v)


# --- only_queries_turned
import math

import torch


def rope(x, start, theta):
    T, Dh = x.shape[-2], x.shape[-1]
    inv_freq = 1.0 / theta ** (torch.arange(0, Dh, 2, device=x.device).float() / Dh)
    t = torch.arange(start, start + T, device=x.device).float()
    freqs = torch.outer(t, inv_freq)
    cos, sin = freqs.cos(), freqs.sin()
    x1, x2 = x[..., : Dh // 2], x[..., Dh // 2 :]
    return torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1).to(x.dtype)


def kv_decode(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    B, T, C = x.shape
    if sum(chunks) != T or any(c < 1 for c in chunks):
        raise ValueError("chunks must be positive and add up to T")
    Dh = C // num_heads
    W_Q, W_K, W_V, W_O = W
    cache_k, cache_v = None, None
    outputs = []
    start = 0
    for c in chunks:
        xc = x[:, start : start + c]
        q = (xc @ W_Q).reshape(B, c, num_heads, Dh).transpose(1, 2)
        k = (xc @ W_K).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        v = (xc @ W_V).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        q = rope(q, start, theta)
        if cache_k is None:
            cache_k, cache_v = k, v
        else:
            cache_k = torch.cat([cache_k, k], dim=2)
            cache_v = torch.cat([cache_v, v], dim=2)
        kk = cache_k.repeat_interleave(num_heads // num_kv_heads, dim=1)
        vv = cache_v.repeat_interleave(num_heads // num_kv_heads, dim=1)
        scores = q @ kk.transpose(-2, -1) / math.sqrt(Dh)
        S = kk.shape[2]
        mask = torch.ones(c, S, dtype=torch.bool, device=x.device).tril(S - c)
        scores = scores.masked_fill(~mask, float("-inf"))
        weights = torch.softmax(scores, dim=-1)
        out = (weights @ vv).transpose(1, 2).reshape(B, c, C)
        outputs.append(out @ W_O)
        start += c
    return torch.cat(outputs, dim=1), (cache_k, cache_v)


# --- values_turned_too
import math

import torch


def rope(x, start, theta):
    T, Dh = x.shape[-2], x.shape[-1]
    inv_freq = 1.0 / theta ** (torch.arange(0, Dh, 2, device=x.device).float() / Dh)
    t = torch.arange(start, start + T, device=x.device).float()
    freqs = torch.outer(t, inv_freq)
    cos, sin = freqs.cos(), freqs.sin()
    x1, x2 = x[..., : Dh // 2], x[..., Dh // 2 :]
    return torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1).to(x.dtype)


def kv_decode(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    B, T, C = x.shape
    if sum(chunks) != T or any(c < 1 for c in chunks):
        raise ValueError("chunks must be positive and add up to T")
    Dh = C // num_heads
    W_Q, W_K, W_V, W_O = W
    cache_k, cache_v = None, None
    outputs = []
    start = 0
    for c in chunks:
        xc = x[:, start : start + c]
        q = (xc @ W_Q).reshape(B, c, num_heads, Dh).transpose(1, 2)
        k = (xc @ W_K).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        v = (xc @ W_V).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        q = rope(q, start, theta)
        k = rope(k, start, theta)
        v = rope(v, start, theta)
        if cache_k is None:
            cache_k, cache_v = k, v
        else:
            cache_k = torch.cat([cache_k, k], dim=2)
            cache_v = torch.cat([cache_v, v], dim=2)
        kk = cache_k.repeat_interleave(num_heads // num_kv_heads, dim=1)
        vv = cache_v.repeat_interleave(num_heads // num_kv_heads, dim=1)
        scores = q @ kk.transpose(-2, -1) / math.sqrt(Dh)
        S = kk.shape[2]
        mask = torch.ones(c, S, dtype=torch.bool, device=x.device).tril(S - c)
        scores = scores.masked_fill(~mask, float("-inf"))
        weights = torch.softmax(scores, dim=-1)
        out = (weights @ vv).transpose(1, 2).reshape(B, c, C)
        outputs.append(out @ W_O)
        start += c
    return torch.cat(outputs, dim=1), (cache_k, cache_v)


# --- no_rope
import math

import torch


def rope(x, start, theta):
    T, Dh = x.shape[-2], x.shape[-1]
    inv_freq = 1.0 / theta ** (torch.arange(0, Dh, 2, device=x.device).float() / Dh)
    t = torch.arange(start, start + T, device=x.device).float()
    freqs = torch.outer(t, inv_freq)
    cos, sin = freqs.cos(), freqs.sin()
    x1, x2 = x[..., : Dh // 2], x[..., Dh // 2 :]
    return torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1).to(x.dtype)


def kv_decode(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    B, T, C = x.shape
    if sum(chunks) != T or any(c < 1 for c in chunks):
        raise ValueError("chunks must be positive and add up to T")
    Dh = C // num_heads
    W_Q, W_K, W_V, W_O = W
    cache_k, cache_v = None, None
    outputs = []
    start = 0
    for c in chunks:
        xc = x[:, start : start + c]
        q = (xc @ W_Q).reshape(B, c, num_heads, Dh).transpose(1, 2)
        k = (xc @ W_K).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        v = (xc @ W_V).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        if cache_k is None:
            cache_k, cache_v = k, v
        else:
            cache_k = torch.cat([cache_k, k], dim=2)
            cache_v = torch.cat([cache_v, v], dim=2)
        kk = cache_k.repeat_interleave(num_heads // num_kv_heads, dim=1)
        vv = cache_v.repeat_interleave(num_heads // num_kv_heads, dim=1)
        scores = q @ kk.transpose(-2, -1) / math.sqrt(Dh)
        S = kk.shape[2]
        mask = torch.ones(c, S, dtype=torch.bool, device=x.device).tril(S - c)
        scores = scores.masked_fill(~mask, float("-inf"))
        weights = torch.softmax(scores, dim=-1)
        out = (weights @ vv).transpose(1, 2).reshape(B, c, C)
        outputs.append(out @ W_O)
        start += c
    return torch.cat(outputs, dim=1), (cache_k, cache_v)


# --- neighbouring_pairs
import math

import torch


def rope(x, start, theta):
    T, Dh = x.shape[-2], x.shape[-1]
    inv_freq = 1.0 / theta ** (torch.arange(0, Dh, 2, device=x.device).float() / Dh)
    t = torch.arange(start, start + T, device=x.device).float()
    freqs = torch.outer(t, inv_freq)
    cos, sin = freqs.cos(), freqs.sin()
    x1, x2 = x[..., ::2], x[..., 1::2]
    return torch.stack([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1).flatten(-2).to(x.dtype)


def kv_decode(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    B, T, C = x.shape
    if sum(chunks) != T or any(c < 1 for c in chunks):
        raise ValueError("chunks must be positive and add up to T")
    Dh = C // num_heads
    W_Q, W_K, W_V, W_O = W
    cache_k, cache_v = None, None
    outputs = []
    start = 0
    for c in chunks:
        xc = x[:, start : start + c]
        q = (xc @ W_Q).reshape(B, c, num_heads, Dh).transpose(1, 2)
        k = (xc @ W_K).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        v = (xc @ W_V).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        q = rope(q, start, theta)
        k = rope(k, start, theta)
        if cache_k is None:
            cache_k, cache_v = k, v
        else:
            cache_k = torch.cat([cache_k, k], dim=2)
            cache_v = torch.cat([cache_v, v], dim=2)
        kk = cache_k.repeat_interleave(num_heads // num_kv_heads, dim=1)
        vv = cache_v.repeat_interleave(num_heads // num_kv_heads, dim=1)
        scores = q @ kk.transpose(-2, -1) / math.sqrt(Dh)
        S = kk.shape[2]
        mask = torch.ones(c, S, dtype=torch.bool, device=x.device).tril(S - c)
        scores = scores.masked_fill(~mask, float("-inf"))
        weights = torch.softmax(scores, dim=-1)
        out = (weights @ vv).transpose(1, 2).reshape(B, c, C)
        outputs.append(out @ W_O)
        start += c
    return torch.cat(outputs, dim=1), (cache_k, cache_v)


# --- turned_backwards
import math

import torch


def rope(x, start, theta):
    T, Dh = x.shape[-2], x.shape[-1]
    inv_freq = 1.0 / theta ** (torch.arange(0, Dh, 2, device=x.device).float() / Dh)
    t = torch.arange(start, start + T, device=x.device).float()
    freqs = torch.outer(t, inv_freq)
    cos, sin = freqs.cos(), freqs.sin()
    x1, x2 = x[..., : Dh // 2], x[..., Dh // 2 :]
    return torch.cat([x1 * cos + x2 * sin, x2 * cos - x1 * sin], dim=-1).to(x.dtype)


def kv_decode(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    B, T, C = x.shape
    if sum(chunks) != T or any(c < 1 for c in chunks):
        raise ValueError("chunks must be positive and add up to T")
    Dh = C // num_heads
    W_Q, W_K, W_V, W_O = W
    cache_k, cache_v = None, None
    outputs = []
    start = 0
    for c in chunks:
        xc = x[:, start : start + c]
        q = (xc @ W_Q).reshape(B, c, num_heads, Dh).transpose(1, 2)
        k = (xc @ W_K).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        v = (xc @ W_V).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        q = rope(q, start, theta)
        k = rope(k, start, theta)
        if cache_k is None:
            cache_k, cache_v = k, v
        else:
            cache_k = torch.cat([cache_k, k], dim=2)
            cache_v = torch.cat([cache_v, v], dim=2)
        kk = cache_k.repeat_interleave(num_heads // num_kv_heads, dim=1)
        vv = cache_v.repeat_interleave(num_heads // num_kv_heads, dim=1)
        scores = q @ kk.transpose(-2, -1) / math.sqrt(Dh)
        S = kk.shape[2]
        mask = torch.ones(c, S, dtype=torch.bool, device=x.device).tril(S - c)
        scores = scores.masked_fill(~mask, float("-inf"))
        weights = torch.softmax(scores, dim=-1)
        out = (weights @ vv).transpose(1, 2).reshape(B, c, C)
        outputs.append(out @ W_O)
        start += c
    return torch.cat(outputs, dim=1), (cache_k, cache_v)


# --- theta_ignored
import math

import torch


def rope(x, start, theta):
    T, Dh = x.shape[-2], x.shape[-1]
    inv_freq = 1.0 / 10000.0 ** (torch.arange(0, Dh, 2, device=x.device).float() / Dh)
    t = torch.arange(start, start + T, device=x.device).float()
    freqs = torch.outer(t, inv_freq)
    cos, sin = freqs.cos(), freqs.sin()
    x1, x2 = x[..., : Dh // 2], x[..., Dh // 2 :]
    return torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1).to(x.dtype)


def kv_decode(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    B, T, C = x.shape
    Dh = C // num_heads
    W_Q, W_K, W_V, W_O = W
    cache_k, cache_v = None, None
    outputs = []
    start = 0
    for c in chunks:
        xc = x[:, start : start + c]
        q = (xc @ W_Q).reshape(B, c, num_heads, Dh).transpose(1, 2)
        k = (xc @ W_K).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        v = (xc @ W_V).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        q = rope(q, start, theta)
        k = rope(k, start, theta)
        if cache_k is None:
            cache_k, cache_v = k, v
        else:
            cache_k = torch.cat([cache_k, k], dim=2)
            cache_v = torch.cat([cache_v, v], dim=2)
        kk = cache_k.repeat_interleave(num_heads // num_kv_heads, dim=1)
        vv = cache_v.repeat_interleave(num_heads // num_kv_heads, dim=1)
        scores = q @ kk.transpose(-2, -1) / math.sqrt(Dh)
        S = kk.shape[2]
        mask = torch.ones(c, S, dtype=torch.bool, device=x.device).tril(S - c)
        scores = scores.masked_fill(~mask, float("-inf"))
        weights = torch.softmax(scores, dim=-1)
        out = (weights @ vv).transpose(1, 2).reshape(B, c, C)
        outputs.append(out @ W_O)
        start += c
    return torch.cat(outputs, dim=1), (cache_k, cache_v)


# --- frequencies_of_the_model_size
import torch
import torch.nn.functional as F
from torch import Tensor


class Decoder:
    def __init__(self, W, num_heads, num_kv_heads, theta):
        self.W, self.H, self.H_kv, self.theta = W, num_heads, num_kv_heads, theta
        self.past = None

    def rotate(self, x: Tensor, offset: int) -> Tensor:
        half = x.shape[-1] // 2
        freq = self.theta ** (-2 * torch.arange(half, device=x.device, dtype=torch.float32) / (half * 2 * self.H))
        pos = torch.arange(x.shape[2], device=x.device, dtype=torch.float32) + offset
        angle = pos[:, None] * freq
        cos, sin = torch.cat([angle.cos()] * 2, -1), torch.cat([angle.sin()] * 2, -1)
        turned = torch.cat([-x[..., half:], x[..., :half]], -1)
        return (x * cos + turned * sin).to(x.dtype)

    def heads(self, y, n):
        return y.unflatten(-1, (n, -1)).transpose(1, 2)

    def step(self, x):
        q = self.heads(x @ self.W[0], self.H)
        k = self.heads(x @ self.W[1], self.H_kv)
        v = self.heads(x @ self.W[2], self.H_kv)
        offset = 0 if self.past is None else self.past[0].shape[2]
        q, k = self.rotate(q, offset), self.rotate(k, offset)
        if self.past is not None:
            k = torch.cat((self.past[0], k), 2)
            v = torch.cat((self.past[1], v), 2)
        self.past = (k, v)
        n = self.H // self.H_kv
        k, v = k.repeat_interleave(n, 1), v.repeat_interleave(n, 1)
        rows = torch.arange(offset, k.shape[2], device=x.device)[:, None]
        mask = torch.arange(k.shape[2], device=x.device) <= rows
        out = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        return out.transpose(1, 2).flatten(2) @ self.W[3]


def kv_decode(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    for c in chunks:
        if c <= 0:
            raise ValueError(f"a chunk of {c} tokens")
    if sum(chunks) != x.size(1):
        raise ValueError(f"chunks add up to {sum(chunks)}, the text has {x.size(1)} tokens")
    decoder = Decoder(W, num_heads, num_kv_heads, theta)
    outs = []
    for piece in x.split(list(chunks), dim=1):
        outs.append(decoder.step(piece))
    return torch.cat(outs, 1), decoder.past


# --- rope_over_heads_axis
import math

import torch


def rope(x, start, theta):
    T, Dh = x.shape[-2], x.shape[-1]
    inv_freq = 1.0 / theta ** (torch.arange(0, Dh, 2, device=x.device).float() / Dh)
    t = torch.arange(start, start + T, device=x.device).float()
    freqs = torch.outer(t, inv_freq)
    cos, sin = freqs.cos(), freqs.sin()
    x1, x2 = x[..., : Dh // 2], x[..., Dh // 2 :]
    return torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1).to(x.dtype)


def kv_decode(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    B, T, C = x.shape
    Dh = C // num_heads
    W_Q, W_K, W_V, W_O = W
    cache_k, cache_v = None, None
    outputs = []
    start = 0
    for c in chunks:
        xc = x[:, start : start + c]
        q = (xc @ W_Q).reshape(B, c, num_heads, Dh)
        k = (xc @ W_K).reshape(B, c, num_kv_heads, Dh)
        v = (xc @ W_V).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        q = rope(q, start, theta)
        k = rope(k, start, theta)
        q, k = q.transpose(1, 2), k.transpose(1, 2)
        if cache_k is None:
            cache_k, cache_v = k, v
        else:
            cache_k = torch.cat([cache_k, k], dim=2)
            cache_v = torch.cat([cache_v, v], dim=2)
        kk = cache_k.repeat_interleave(num_heads // num_kv_heads, dim=1)
        vv = cache_v.repeat_interleave(num_heads // num_kv_heads, dim=1)
        scores = q @ kk.transpose(-2, -1) / math.sqrt(Dh)
        S = kk.shape[2]
        mask = torch.ones(c, S, dtype=torch.bool, device=x.device).tril(S - c)
        scores = scores.masked_fill(~mask, float("-inf"))
        weights = torch.softmax(scores, dim=-1)
        out = (weights @ vv).transpose(1, 2).reshape(B, c, C)
        outputs.append(out @ W_O)
        start += c
    return torch.cat(outputs, dim=1), (cache_k, cache_v)


# --- heads_tiled
import math

import torch


def rope(x, start, theta):
    T, Dh = x.shape[-2], x.shape[-1]
    inv_freq = 1.0 / theta ** (torch.arange(0, Dh, 2, device=x.device).float() / Dh)
    t = torch.arange(start, start + T, device=x.device).float()
    freqs = torch.outer(t, inv_freq)
    cos, sin = freqs.cos(), freqs.sin()
    x1, x2 = x[..., : Dh // 2], x[..., Dh // 2 :]
    return torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1).to(x.dtype)


def kv_decode(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    B, T, C = x.shape
    if sum(chunks) != T or any(c < 1 for c in chunks):
        raise ValueError("chunks must be positive and add up to T")
    Dh = C // num_heads
    W_Q, W_K, W_V, W_O = W
    cache_k, cache_v = None, None
    outputs = []
    start = 0
    for c in chunks:
        xc = x[:, start : start + c]
        q = (xc @ W_Q).reshape(B, c, num_heads, Dh).transpose(1, 2)
        k = (xc @ W_K).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        v = (xc @ W_V).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        q = rope(q, start, theta)
        k = rope(k, start, theta)
        if cache_k is None:
            cache_k, cache_v = k, v
        else:
            cache_k = torch.cat([cache_k, k], dim=2)
            cache_v = torch.cat([cache_v, v], dim=2)
        kk = cache_k.repeat(1, num_heads // num_kv_heads, 1, 1)
        vv = cache_v.repeat(1, num_heads // num_kv_heads, 1, 1)
        scores = q @ kk.transpose(-2, -1) / math.sqrt(Dh)
        S = kk.shape[2]
        mask = torch.ones(c, S, dtype=torch.bool, device=x.device).tril(S - c)
        scores = scores.masked_fill(~mask, float("-inf"))
        weights = torch.softmax(scores, dim=-1)
        out = (weights @ vv).transpose(1, 2).reshape(B, c, C)
        outputs.append(out @ W_O)
        start += c
    return torch.cat(outputs, dim=1), (cache_k, cache_v)


# --- no_refusal_and_no_scale
import math

import torch


def rope(x, start, theta):
    T, Dh = x.shape[-2], x.shape[-1]
    inv_freq = 1.0 / theta ** (torch.arange(0, Dh, 2, device=x.device).float() / Dh)
    t = torch.arange(start, start + T, device=x.device).float()
    freqs = torch.outer(t, inv_freq)
    cos, sin = freqs.cos(), freqs.sin()
    x1, x2 = x[..., : Dh // 2], x[..., Dh // 2 :]
    return torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1).to(x.dtype)


def kv_decode(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    B, T, C = x.shape
    Dh = C // num_heads
    W_Q, W_K, W_V, W_O = W
    cache_k, cache_v = None, None
    outputs = []
    start = 0
    for c in chunks:
        xc = x[:, start : start + c]
        q = (xc @ W_Q).reshape(B, c, num_heads, Dh).transpose(1, 2)
        k = (xc @ W_K).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        v = (xc @ W_V).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        q = rope(q, start, theta)
        k = rope(k, start, theta)
        if cache_k is None:
            cache_k, cache_v = k, v
        else:
            cache_k = torch.cat([cache_k, k], dim=2)
            cache_v = torch.cat([cache_v, v], dim=2)
        kk = cache_k.repeat_interleave(num_heads // num_kv_heads, dim=1)
        vv = cache_v.repeat_interleave(num_heads // num_kv_heads, dim=1)
        scores = q @ kk.transpose(-2, -1)
        S = kk.shape[2]
        mask = torch.ones(c, S, dtype=torch.bool, device=x.device).tril(S - c)
        scores = scores.masked_fill(~mask, float("-inf"))
        weights = torch.softmax(scores, dim=-1)
        out = (weights @ vv).transpose(1, 2).reshape(B, c, C)
        outputs.append(out @ W_O)
        start += c
    return torch.cat(outputs, dim=1), (cache_k, cache_v)


# --- scale_integer_root
import math

import torch


def rope(x, start, theta):
    T, Dh = x.shape[-2], x.shape[-1]
    inv_freq = 1.0 / theta ** (torch.arange(0, Dh, 2, device=x.device).float() / Dh)
    t = torch.arange(start, start + T, device=x.device).float()
    freqs = torch.outer(t, inv_freq)
    cos, sin = freqs.cos(), freqs.sin()
    x1, x2 = x[..., : Dh // 2], x[..., Dh // 2 :]
    return torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1).to(x.dtype)


def kv_decode(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    B, T, C = x.shape
    if sum(chunks) != T or any(c < 1 for c in chunks):
        raise ValueError("chunks must be positive and add up to T")
    Dh = C // num_heads
    W_Q, W_K, W_V, W_O = W
    cache_k, cache_v = None, None
    outputs = []
    start = 0
    for c in chunks:
        xc = x[:, start : start + c]
        q = (xc @ W_Q).reshape(B, c, num_heads, Dh).transpose(1, 2)
        k = (xc @ W_K).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        v = (xc @ W_V).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        q = rope(q, start, theta)
        k = rope(k, start, theta)
        if cache_k is None:
            cache_k, cache_v = k, v
        else:
            cache_k = torch.cat([cache_k, k], dim=2)
            cache_v = torch.cat([cache_v, v], dim=2)
        kk = cache_k.repeat_interleave(num_heads // num_kv_heads, dim=1)
        vv = cache_v.repeat_interleave(num_heads // num_kv_heads, dim=1)
        scores = q @ kk.transpose(-2, -1) / int(Dh**0.5)
        S = kk.shape[2]
        mask = torch.ones(c, S, dtype=torch.bool, device=x.device).tril(S - c)
        scores = scores.masked_fill(~mask, float("-inf"))
        weights = torch.softmax(scores, dim=-1)
        out = (weights @ vv).transpose(1, 2).reshape(B, c, C)
        outputs.append(out @ W_O)
        start += c
    return torch.cat(outputs, dim=1), (cache_k, cache_v)


# --- weights_transposed
import math

import torch


def rope(x, start, theta):
    T, Dh = x.shape[-2], x.shape[-1]
    inv_freq = 1.0 / theta ** (torch.arange(0, Dh, 2, device=x.device).float() / Dh)
    t = torch.arange(start, start + T, device=x.device).float()
    freqs = torch.outer(t, inv_freq)
    cos, sin = freqs.cos(), freqs.sin()
    x1, x2 = x[..., : Dh // 2], x[..., Dh // 2 :]
    return torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1).to(x.dtype)


def kv_decode(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    B, T, C = x.shape
    if sum(chunks) != T or any(c < 1 for c in chunks):
        raise ValueError("chunks must be positive and add up to T")
    Dh = C // num_heads
    W_Q, W_K, W_V, W_O = W
    cache_k, cache_v = None, None
    outputs = []
    start = 0
    for c in chunks:
        xc = x[:, start : start + c]
        q = (xc @ W_Q.T).reshape(B, c, num_heads, Dh).transpose(1, 2)
        k = (xc @ W_K.T).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        v = (xc @ W_V.T).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        q = rope(q, start, theta)
        k = rope(k, start, theta)
        if cache_k is None:
            cache_k, cache_v = k, v
        else:
            cache_k = torch.cat([cache_k, k], dim=2)
            cache_v = torch.cat([cache_v, v], dim=2)
        kk = cache_k.repeat_interleave(num_heads // num_kv_heads, dim=1)
        vv = cache_v.repeat_interleave(num_heads // num_kv_heads, dim=1)
        scores = q @ kk.transpose(-2, -1) / math.sqrt(Dh)
        S = kk.shape[2]
        mask = torch.ones(c, S, dtype=torch.bool, device=x.device).tril(S - c)
        scores = scores.masked_fill(~mask, float("-inf"))
        weights = torch.softmax(scores, dim=-1)
        out = (weights @ vv).transpose(1, 2).reshape(B, c, C)
        outputs.append(out @ W_O.T)
        start += c
    return torch.cat(outputs, dim=1), (cache_k, cache_v)


# --- merge_without_transpose
import math

import torch


def rope(x, start, theta):
    T, Dh = x.shape[-2], x.shape[-1]
    inv_freq = 1.0 / theta ** (torch.arange(0, Dh, 2, device=x.device).float() / Dh)
    t = torch.arange(start, start + T, device=x.device).float()
    freqs = torch.outer(t, inv_freq)
    cos, sin = freqs.cos(), freqs.sin()
    x1, x2 = x[..., : Dh // 2], x[..., Dh // 2 :]
    return torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1).to(x.dtype)


def kv_decode(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    B, T, C = x.shape
    if sum(chunks) != T or any(c < 1 for c in chunks):
        raise ValueError("chunks must be positive and add up to T")
    Dh = C // num_heads
    W_Q, W_K, W_V, W_O = W
    cache_k, cache_v = None, None
    outputs = []
    start = 0
    for c in chunks:
        xc = x[:, start : start + c]
        q = (xc @ W_Q).reshape(B, c, num_heads, Dh).transpose(1, 2)
        k = (xc @ W_K).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        v = (xc @ W_V).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        q = rope(q, start, theta)
        k = rope(k, start, theta)
        if cache_k is None:
            cache_k, cache_v = k, v
        else:
            cache_k = torch.cat([cache_k, k], dim=2)
            cache_v = torch.cat([cache_v, v], dim=2)
        kk = cache_k.repeat_interleave(num_heads // num_kv_heads, dim=1)
        vv = cache_v.repeat_interleave(num_heads // num_kv_heads, dim=1)
        scores = q @ kk.transpose(-2, -1) / math.sqrt(Dh)
        S = kk.shape[2]
        mask = torch.ones(c, S, dtype=torch.bool, device=x.device).tril(S - c)
        scores = scores.masked_fill(~mask, float("-inf"))
        weights = torch.softmax(scores, dim=-1)
        out = (weights @ vv).reshape(B, c, C)
        outputs.append(out @ W_O)
        start += c
    return torch.cat(outputs, dim=1), (cache_k, cache_v)


# --- cat_along_heads
import torch
import torch.nn.functional as F
from torch import Tensor


class Decoder:
    def __init__(self, W, num_heads, num_kv_heads, theta):
        self.W, self.H, self.H_kv, self.theta = W, num_heads, num_kv_heads, theta
        self.past = None

    def rotate(self, x: Tensor, offset: int) -> Tensor:
        half = x.shape[-1] // 2
        freq = self.theta ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        pos = torch.arange(x.shape[2], device=x.device, dtype=torch.float32) + offset
        angle = pos[:, None] * freq
        cos, sin = torch.cat([angle.cos()] * 2, -1), torch.cat([angle.sin()] * 2, -1)
        turned = torch.cat([-x[..., half:], x[..., :half]], -1)
        return (x * cos + turned * sin).to(x.dtype)

    def heads(self, y, n):
        return y.unflatten(-1, (n, -1)).transpose(1, 2)

    def step(self, x):
        q = self.heads(x @ self.W[0], self.H)
        k = self.heads(x @ self.W[1], self.H_kv)
        v = self.heads(x @ self.W[2], self.H_kv)
        offset = 0 if self.past is None else self.past[0].shape[2]
        q, k = self.rotate(q, offset), self.rotate(k, offset)
        if self.past is not None:
            k = torch.cat((self.past[0], k), 1)
            v = torch.cat((self.past[1], v), 1)
        self.past = (k, v)
        n = self.H // self.H_kv
        k, v = k.repeat_interleave(n, 1), v.repeat_interleave(n, 1)
        rows = torch.arange(offset, k.shape[2], device=x.device)[:, None]
        mask = torch.arange(k.shape[2], device=x.device) <= rows
        out = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        return out.transpose(1, 2).flatten(2) @ self.W[3]


def kv_decode(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    for c in chunks:
        if c <= 0:
            raise ValueError(f"a chunk of {c} tokens")
    if sum(chunks) != x.size(1):
        raise ValueError(f"chunks add up to {sum(chunks)}, the text has {x.size(1)} tokens")
    decoder = Decoder(W, num_heads, num_kv_heads, theta)
    outs = []
    for piece in x.split(list(chunks), dim=1):
        outs.append(decoder.step(piece))
    return torch.cat(outs, 1), decoder.past


# --- cache_detached
import torch
import torch.nn.functional as F
from torch import Tensor


class Decoder:
    def __init__(self, W, num_heads, num_kv_heads, theta):
        self.W, self.H, self.H_kv, self.theta = W, num_heads, num_kv_heads, theta
        self.past = None

    def rotate(self, x: Tensor, offset: int) -> Tensor:
        half = x.shape[-1] // 2
        freq = self.theta ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        pos = torch.arange(x.shape[2], device=x.device, dtype=torch.float32) + offset
        angle = pos[:, None] * freq
        cos, sin = torch.cat([angle.cos()] * 2, -1), torch.cat([angle.sin()] * 2, -1)
        turned = torch.cat([-x[..., half:], x[..., :half]], -1)
        return (x * cos + turned * sin).to(x.dtype)

    def heads(self, y, n):
        return y.unflatten(-1, (n, -1)).transpose(1, 2)

    def step(self, x):
        q = self.heads(x @ self.W[0], self.H)
        k = self.heads(x @ self.W[1], self.H_kv)
        v = self.heads(x @ self.W[2], self.H_kv)
        offset = 0 if self.past is None else self.past[0].shape[2]
        q, k = self.rotate(q, offset), self.rotate(k, offset)
        if self.past is not None:
            k = torch.cat((self.past[0], k), 2)
            v = torch.cat((self.past[1], v), 2)
        self.past = (k.detach(), v.detach())
        n = self.H // self.H_kv
        k, v = k.repeat_interleave(n, 1), v.repeat_interleave(n, 1)
        rows = torch.arange(offset, k.shape[2], device=x.device)[:, None]
        mask = torch.arange(k.shape[2], device=x.device) <= rows
        out = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        return out.transpose(1, 2).flatten(2) @ self.W[3]


def kv_decode(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    for c in chunks:
        if c <= 0:
            raise ValueError(f"a chunk of {c} tokens")
    if sum(chunks) != x.size(1):
        raise ValueError(f"chunks add up to {sum(chunks)}, the text has {x.size(1)} tokens")
    decoder = Decoder(W, num_heads, num_kv_heads, theta)
    outs = []
    for piece in x.split(list(chunks), dim=1):
        outs.append(decoder.step(piece))
    return torch.cat(outs, 1), decoder.past


# --- preallocated_in_no_grad
import math

import torch


def rope(x, start, theta):
    T, Dh = x.shape[-2], x.shape[-1]
    inv_freq = 1.0 / theta ** (torch.arange(0, Dh, 2, device=x.device).float() / Dh)
    t = torch.arange(start, start + T, device=x.device).float()
    freqs = torch.outer(t, inv_freq)
    cos, sin = freqs.cos(), freqs.sin()
    x1, x2 = x[..., : Dh // 2], x[..., Dh // 2 :]
    return torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1).to(x.dtype)


def kv_decode(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    B, T, C = x.shape
    if sum(chunks) != T or any(c < 1 for c in chunks):
        raise ValueError("chunks must be positive and add up to T")
    Dh = C // num_heads
    W_Q, W_K, W_V, W_O = W
    cache_k = torch.zeros(B, num_kv_heads, T, Dh, dtype=x.dtype, device=x.device)
    cache_v = torch.zeros_like(cache_k)
    outputs = []
    start = 0
    for c in chunks:
        xc = x[:, start : start + c]
        q = (xc @ W_Q).reshape(B, c, num_heads, Dh).transpose(1, 2)
        k = (xc @ W_K).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        v = (xc @ W_V).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        q = rope(q, start, theta)
        k = rope(k, start, theta)
        cache_k.data[:, :, start : start + c] = k
        cache_v.data[:, :, start : start + c] = v
        kk = cache_k[:, :, : start + c].repeat_interleave(num_heads // num_kv_heads, dim=1)
        vv = cache_v[:, :, : start + c].repeat_interleave(num_heads // num_kv_heads, dim=1)
        scores = q @ kk.transpose(-2, -1) / math.sqrt(Dh)
        S = kk.shape[2]
        mask = torch.ones(c, S, dtype=torch.bool, device=x.device).tril(S - c)
        scores = scores.masked_fill(~mask, float("-inf"))
        weights = torch.softmax(scores, dim=-1)
        out = (weights @ vv).transpose(1, 2).reshape(B, c, C)
        outputs.append(out @ W_O)
        start += c
    return torch.cat(outputs, dim=1), (cache_k, cache_v)


# --- preallocated_for_sixteen
import math

import torch


def rope(x, start, theta):
    T, Dh = x.shape[-2], x.shape[-1]
    inv_freq = 1.0 / theta ** (torch.arange(0, Dh, 2, device=x.device).float() / Dh)
    t = torch.arange(start, start + T, device=x.device).float()
    freqs = torch.outer(t, inv_freq)
    cos, sin = freqs.cos(), freqs.sin()
    x1, x2 = x[..., : Dh // 2], x[..., Dh // 2 :]
    return torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1).to(x.dtype)


def kv_decode(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    B, T, C = x.shape
    if sum(chunks) != T or any(c < 1 for c in chunks):
        raise ValueError("chunks must be positive and add up to T")
    Dh = C // num_heads
    W_Q, W_K, W_V, W_O = W
    cache_k = torch.zeros(B, num_kv_heads, 16, Dh, dtype=x.dtype, device=x.device)
    cache_v = torch.zeros_like(cache_k)
    outputs = []
    start = 0
    for c in chunks:
        xc = x[:, start : start + c]
        q = (xc @ W_Q).reshape(B, c, num_heads, Dh).transpose(1, 2)
        k = (xc @ W_K).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        v = (xc @ W_V).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        q = rope(q, start, theta)
        k = rope(k, start, theta)
        at = torch.arange(16, device=x.device)[:, None]
        cache_k = torch.where((at >= start) & (at < start + c), torch.nn.functional.pad(k, (0, 0, start, 16 - start - c)), cache_k)
        cache_v = torch.where((at >= start) & (at < start + c), torch.nn.functional.pad(v, (0, 0, start, 16 - start - c)), cache_v)
        kk = cache_k[:, :, : start + c].repeat_interleave(num_heads // num_kv_heads, dim=1)
        vv = cache_v[:, :, : start + c].repeat_interleave(num_heads // num_kv_heads, dim=1)
        scores = q @ kk.transpose(-2, -1) / math.sqrt(Dh)
        S = kk.shape[2]
        mask = torch.ones(c, S, dtype=torch.bool, device=x.device).tril(S - c)
        scores = scores.masked_fill(~mask, float("-inf"))
        weights = torch.softmax(scores, dim=-1)
        out = (weights @ vv).transpose(1, 2).reshape(B, c, C)
        outputs.append(out @ W_O)
        start += c
    return torch.cat(outputs, dim=1), (cache_k[:, :, :T], cache_v[:, :, :T])


# --- sum_only_refused
import math

import torch


def rope(x, start, theta):
    T, Dh = x.shape[-2], x.shape[-1]
    inv_freq = 1.0 / theta ** (torch.arange(0, Dh, 2, device=x.device).float() / Dh)
    t = torch.arange(start, start + T, device=x.device).float()
    freqs = torch.outer(t, inv_freq)
    cos, sin = freqs.cos(), freqs.sin()
    x1, x2 = x[..., : Dh // 2], x[..., Dh // 2 :]
    return torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1).to(x.dtype)


def kv_decode(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    B, T, C = x.shape
    if sum(chunks) != T:
        raise ValueError("chunks must be positive and add up to T")
    Dh = C // num_heads
    W_Q, W_K, W_V, W_O = W
    cache_k, cache_v = None, None
    outputs = []
    start = 0
    for c in chunks:
        xc = x[:, start : start + c]
        q = (xc @ W_Q).reshape(B, c, num_heads, Dh).transpose(1, 2)
        k = (xc @ W_K).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        v = (xc @ W_V).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        q = rope(q, start, theta)
        k = rope(k, start, theta)
        if cache_k is None:
            cache_k, cache_v = k, v
        else:
            cache_k = torch.cat([cache_k, k], dim=2)
            cache_v = torch.cat([cache_v, v], dim=2)
        kk = cache_k.repeat_interleave(num_heads // num_kv_heads, dim=1)
        vv = cache_v.repeat_interleave(num_heads // num_kv_heads, dim=1)
        scores = q @ kk.transpose(-2, -1) / math.sqrt(Dh)
        S = kk.shape[2]
        mask = torch.ones(c, S, dtype=torch.bool, device=x.device).tril(S - c)
        scores = scores.masked_fill(~mask, float("-inf"))
        weights = torch.softmax(scores, dim=-1)
        out = (weights @ vv).transpose(1, 2).reshape(B, c, C)
        outputs.append(out @ W_O)
        start += c
    return torch.cat(outputs, dim=1), (cache_k, cache_v)


# --- zero_not_refused
import math

import torch


def rope(x, start, theta):
    T, Dh = x.shape[-2], x.shape[-1]
    inv_freq = 1.0 / theta ** (torch.arange(0, Dh, 2, device=x.device).float() / Dh)
    t = torch.arange(start, start + T, device=x.device).float()
    freqs = torch.outer(t, inv_freq)
    cos, sin = freqs.cos(), freqs.sin()
    x1, x2 = x[..., : Dh // 2], x[..., Dh // 2 :]
    return torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1).to(x.dtype)


def kv_decode(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    B, T, C = x.shape
    if sum(chunks) != T or any(c < 0 for c in chunks):
        raise ValueError("chunks must be positive and add up to T")
    Dh = C // num_heads
    W_Q, W_K, W_V, W_O = W
    cache_k, cache_v = None, None
    outputs = []
    start = 0
    for c in chunks:
        xc = x[:, start : start + c]
        q = (xc @ W_Q).reshape(B, c, num_heads, Dh).transpose(1, 2)
        k = (xc @ W_K).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        v = (xc @ W_V).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        q = rope(q, start, theta)
        k = rope(k, start, theta)
        if cache_k is None:
            cache_k, cache_v = k, v
        else:
            cache_k = torch.cat([cache_k, k], dim=2)
            cache_v = torch.cat([cache_v, v], dim=2)
        kk = cache_k.repeat_interleave(num_heads // num_kv_heads, dim=1)
        vv = cache_v.repeat_interleave(num_heads // num_kv_heads, dim=1)
        scores = q @ kk.transpose(-2, -1) / math.sqrt(Dh)
        S = kk.shape[2]
        mask = torch.ones(c, S, dtype=torch.bool, device=x.device).tril(S - c)
        scores = scores.masked_fill(~mask, float("-inf"))
        weights = torch.softmax(scores, dim=-1)
        out = (weights @ vv).transpose(1, 2).reshape(B, c, C)
        outputs.append(out @ W_O)
        start += c
    return torch.cat(outputs, dim=1), (cache_k, cache_v)


# --- only_too_long_refused
import math

import torch


def rope(x, start, theta):
    T, Dh = x.shape[-2], x.shape[-1]
    inv_freq = 1.0 / theta ** (torch.arange(0, Dh, 2, device=x.device).float() / Dh)
    t = torch.arange(start, start + T, device=x.device).float()
    freqs = torch.outer(t, inv_freq)
    cos, sin = freqs.cos(), freqs.sin()
    x1, x2 = x[..., : Dh // 2], x[..., Dh // 2 :]
    return torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1).to(x.dtype)


def kv_decode(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    B, T, C = x.shape
    if sum(chunks) > T or any(c < 1 for c in chunks):
        raise ValueError("chunks must be positive and add up to T")
    Dh = C // num_heads
    W_Q, W_K, W_V, W_O = W
    cache_k, cache_v = None, None
    outputs = []
    start = 0
    for c in chunks:
        xc = x[:, start : start + c]
        q = (xc @ W_Q).reshape(B, c, num_heads, Dh).transpose(1, 2)
        k = (xc @ W_K).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        v = (xc @ W_V).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        q = rope(q, start, theta)
        k = rope(k, start, theta)
        if cache_k is None:
            cache_k, cache_v = k, v
        else:
            cache_k = torch.cat([cache_k, k], dim=2)
            cache_v = torch.cat([cache_v, v], dim=2)
        kk = cache_k.repeat_interleave(num_heads // num_kv_heads, dim=1)
        vv = cache_v.repeat_interleave(num_heads // num_kv_heads, dim=1)
        scores = q @ kk.transpose(-2, -1) / math.sqrt(Dh)
        S = kk.shape[2]
        mask = torch.ones(c, S, dtype=torch.bool, device=x.device).tril(S - c)
        scores = scores.masked_fill(~mask, float("-inf"))
        weights = torch.softmax(scores, dim=-1)
        out = (weights @ vv).transpose(1, 2).reshape(B, c, C)
        outputs.append(out @ W_O)
        start += c
    return torch.cat(outputs, dim=1), (cache_k, cache_v)


# --- assertion
import math

import torch


def rope(x, start, theta):
    T, Dh = x.shape[-2], x.shape[-1]
    inv_freq = 1.0 / theta ** (torch.arange(0, Dh, 2, device=x.device).float() / Dh)
    t = torch.arange(start, start + T, device=x.device).float()
    freqs = torch.outer(t, inv_freq)
    cos, sin = freqs.cos(), freqs.sin()
    x1, x2 = x[..., : Dh // 2], x[..., Dh // 2 :]
    return torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1).to(x.dtype)


def kv_decode(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    B, T, C = x.shape
    assert sum(chunks) == T and min(chunks) > 0
    Dh = C // num_heads
    W_Q, W_K, W_V, W_O = W
    cache_k, cache_v = None, None
    outputs = []
    start = 0
    for c in chunks:
        xc = x[:, start : start + c]
        q = (xc @ W_Q).reshape(B, c, num_heads, Dh).transpose(1, 2)
        k = (xc @ W_K).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        v = (xc @ W_V).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        q = rope(q, start, theta)
        k = rope(k, start, theta)
        if cache_k is None:
            cache_k, cache_v = k, v
        else:
            cache_k = torch.cat([cache_k, k], dim=2)
            cache_v = torch.cat([cache_v, v], dim=2)
        kk = cache_k.repeat_interleave(num_heads // num_kv_heads, dim=1)
        vv = cache_v.repeat_interleave(num_heads // num_kv_heads, dim=1)
        scores = q @ kk.transpose(-2, -1) / math.sqrt(Dh)
        S = kk.shape[2]
        mask = torch.ones(c, S, dtype=torch.bool, device=x.device).tril(S - c)
        scores = scores.masked_fill(~mask, float("-inf"))
        weights = torch.softmax(scores, dim=-1)
        out = (weights @ vv).transpose(1, 2).reshape(B, c, C)
        outputs.append(out @ W_O)
        start += c
    return torch.cat(outputs, dim=1), (cache_k, cache_v)


# --- chunks_popped
import math

import torch


def rope(x, start, theta):
    T, Dh = x.shape[-2], x.shape[-1]
    inv_freq = 1.0 / theta ** (torch.arange(0, Dh, 2, device=x.device).float() / Dh)
    t = torch.arange(start, start + T, device=x.device).float()
    freqs = torch.outer(t, inv_freq)
    cos, sin = freqs.cos(), freqs.sin()
    x1, x2 = x[..., : Dh // 2], x[..., Dh // 2 :]
    return torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1).to(x.dtype)


def kv_decode(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    B, T, C = x.shape
    if sum(chunks) != T or any(c < 1 for c in chunks):
        raise ValueError("chunks must be positive and add up to T")
    Dh = C // num_heads
    W_Q, W_K, W_V, W_O = W
    cache_k, cache_v = None, None
    outputs = []
    start = 0
    while chunks:
        c = chunks.pop(0)
        xc = x[:, start : start + c]
        q = (xc @ W_Q).reshape(B, c, num_heads, Dh).transpose(1, 2)
        k = (xc @ W_K).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        v = (xc @ W_V).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        q = rope(q, start, theta)
        k = rope(k, start, theta)
        if cache_k is None:
            cache_k, cache_v = k, v
        else:
            cache_k = torch.cat([cache_k, k], dim=2)
            cache_v = torch.cat([cache_v, v], dim=2)
        kk = cache_k.repeat_interleave(num_heads // num_kv_heads, dim=1)
        vv = cache_v.repeat_interleave(num_heads // num_kv_heads, dim=1)
        scores = q @ kk.transpose(-2, -1) / math.sqrt(Dh)
        S = kk.shape[2]
        mask = torch.ones(c, S, dtype=torch.bool, device=x.device).tril(S - c)
        scores = scores.masked_fill(~mask, float("-inf"))
        weights = torch.softmax(scores, dim=-1)
        out = (weights @ vv).transpose(1, 2).reshape(B, c, C)
        outputs.append(out @ W_O)
        start += c
    return torch.cat(outputs, dim=1), (cache_k, cache_v)


# --- float32_always
import math

import torch


def rope(x, start, theta):
    T, Dh = x.shape[-2], x.shape[-1]
    inv_freq = 1.0 / theta ** (torch.arange(0, Dh, 2, device=x.device).float() / Dh)
    t = torch.arange(start, start + T, device=x.device).float()
    freqs = torch.outer(t, inv_freq)
    cos, sin = freqs.cos(), freqs.sin()
    x1, x2 = x[..., : Dh // 2], x[..., Dh // 2 :]
    return torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1).to(x.dtype)


def kv_decode(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    x, W = x.float(), [w.float() for w in W]
    B, T, C = x.shape
    if sum(chunks) != T or any(c < 1 for c in chunks):
        raise ValueError("chunks must be positive and add up to T")
    Dh = C // num_heads
    W_Q, W_K, W_V, W_O = W
    cache_k, cache_v = None, None
    outputs = []
    start = 0
    for c in chunks:
        xc = x[:, start : start + c]
        q = (xc @ W_Q).reshape(B, c, num_heads, Dh).transpose(1, 2)
        k = (xc @ W_K).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        v = (xc @ W_V).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        q = rope(q, start, theta)
        k = rope(k, start, theta)
        if cache_k is None:
            cache_k, cache_v = k, v
        else:
            cache_k = torch.cat([cache_k, k], dim=2)
            cache_v = torch.cat([cache_v, v], dim=2)
        kk = cache_k.repeat_interleave(num_heads // num_kv_heads, dim=1)
        vv = cache_v.repeat_interleave(num_heads // num_kv_heads, dim=1)
        scores = q @ kk.transpose(-2, -1) / math.sqrt(Dh)
        S = kk.shape[2]
        mask = torch.ones(c, S, dtype=torch.bool, device=x.device).tril(S - c)
        scores = scores.masked_fill(~mask, float("-inf"))
        weights = torch.softmax(scores, dim=-1)
        out = (weights @ vv).transpose(1, 2).reshape(B, c, C)
        outputs.append(out @ W_O)
        start += c
    return torch.cat(outputs, dim=1), (cache_k, cache_v)


# --- mask_made_on_the_cpu
import math

import torch


def rope(x, start, theta):
    T, Dh = x.shape[-2], x.shape[-1]
    inv_freq = 1.0 / theta ** (torch.arange(0, Dh, 2, device=x.device).float() / Dh)
    t = torch.arange(start, start + T, device=x.device).float()
    freqs = torch.outer(t, inv_freq)
    cos, sin = freqs.cos(), freqs.sin()
    x1, x2 = x[..., : Dh // 2], x[..., Dh // 2 :]
    return torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1).to(x.dtype)


def kv_decode(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    B, T, C = x.shape
    if sum(chunks) != T or any(c < 1 for c in chunks):
        raise ValueError("chunks must be positive and add up to T")
    Dh = C // num_heads
    W_Q, W_K, W_V, W_O = W
    cache_k, cache_v = None, None
    outputs = []
    start = 0
    for c in chunks:
        xc = x[:, start : start + c]
        q = (xc @ W_Q).reshape(B, c, num_heads, Dh).transpose(1, 2)
        k = (xc @ W_K).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        v = (xc @ W_V).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        q = rope(q, start, theta)
        k = rope(k, start, theta)
        if cache_k is None:
            cache_k, cache_v = k, v
        else:
            cache_k = torch.cat([cache_k, k], dim=2)
            cache_v = torch.cat([cache_v, v], dim=2)
        kk = cache_k.repeat_interleave(num_heads // num_kv_heads, dim=1)
        vv = cache_v.repeat_interleave(num_heads // num_kv_heads, dim=1)
        scores = q @ kk.transpose(-2, -1) / math.sqrt(Dh)
        S = kk.shape[2]
        mask = torch.ones(c, S, dtype=torch.bool).tril(S - c)
        scores = scores.masked_fill(~mask, float("-inf"))
        weights = torch.softmax(scores, dim=-1)
        out = (weights @ vv).transpose(1, 2).reshape(B, c, C)
        outputs.append(out @ W_O)
        start += c
    return torch.cat(outputs, dim=1), (cache_k, cache_v)


# --- squeezed
import math

import torch


def rope(x, start, theta):
    T, Dh = x.shape[-2], x.shape[-1]
    inv_freq = 1.0 / theta ** (torch.arange(0, Dh, 2, device=x.device).float() / Dh)
    t = torch.arange(start, start + T, device=x.device).float()
    freqs = torch.outer(t, inv_freq)
    cos, sin = freqs.cos(), freqs.sin()
    x1, x2 = x[..., : Dh // 2], x[..., Dh // 2 :]
    return torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1).to(x.dtype)


def kv_decode(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    B, T, C = x.shape
    if sum(chunks) != T or any(c < 1 for c in chunks):
        raise ValueError("chunks must be positive and add up to T")
    Dh = C // num_heads
    W_Q, W_K, W_V, W_O = W
    cache_k, cache_v = None, None
    outputs = []
    start = 0
    for c in chunks:
        xc = x[:, start : start + c]
        q = (xc @ W_Q).reshape(B, c, num_heads, Dh).transpose(1, 2)
        k = (xc @ W_K).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        v = (xc @ W_V).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        q = rope(q, start, theta)
        k = rope(k, start, theta)
        if cache_k is None:
            cache_k, cache_v = k, v
        else:
            cache_k = torch.cat([cache_k, k], dim=2)
            cache_v = torch.cat([cache_v, v], dim=2)
        kk = cache_k.repeat_interleave(num_heads // num_kv_heads, dim=1)
        vv = cache_v.repeat_interleave(num_heads // num_kv_heads, dim=1)
        scores = q @ kk.transpose(-2, -1) / math.sqrt(Dh)
        S = kk.shape[2]
        mask = torch.ones(c, S, dtype=torch.bool, device=x.device).tril(S - c)
        scores = scores.masked_fill(~mask, float("-inf"))
        weights = torch.softmax(scores, dim=-1)
        out = (weights @ vv).transpose(1, 2).reshape(B, c, C)
        outputs.append(out @ W_O)
        start += c
    return torch.cat(outputs, dim=1).squeeze(), (cache_k, cache_v)


# --- fill_1e9
import math

import torch


def rope(x, start, theta):
    T, Dh = x.shape[-2], x.shape[-1]
    inv_freq = 1.0 / theta ** (torch.arange(0, Dh, 2, device=x.device).float() / Dh)
    t = torch.arange(start, start + T, device=x.device).float()
    freqs = torch.outer(t, inv_freq)
    cos, sin = freqs.cos(), freqs.sin()
    x1, x2 = x[..., : Dh // 2], x[..., Dh // 2 :]
    return torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1).to(x.dtype)


def kv_decode(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    B, T, C = x.shape
    if sum(chunks) != T or any(c < 1 for c in chunks):
        raise ValueError("chunks must be positive and add up to T")
    Dh = C // num_heads
    W_Q, W_K, W_V, W_O = W
    cache_k, cache_v = None, None
    outputs = []
    start = 0
    for c in chunks:
        xc = x[:, start : start + c]
        q = (xc @ W_Q).reshape(B, c, num_heads, Dh).transpose(1, 2)
        k = (xc @ W_K).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        v = (xc @ W_V).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        q = rope(q, start, theta)
        k = rope(k, start, theta)
        if cache_k is None:
            cache_k, cache_v = k, v
        else:
            cache_k = torch.cat([cache_k, k], dim=2)
            cache_v = torch.cat([cache_v, v], dim=2)
        kk = cache_k.repeat_interleave(num_heads // num_kv_heads, dim=1)
        vv = cache_v.repeat_interleave(num_heads // num_kv_heads, dim=1)
        scores = q @ kk.transpose(-2, -1) / math.sqrt(Dh)
        S = kk.shape[2]
        mask = torch.ones(c, S, dtype=torch.bool, device=x.device).tril(S - c)
        scores = scores.masked_fill(~mask, -1e9)
        weights = torch.softmax(scores, dim=-1)
        out = (weights @ vv).transpose(1, 2).reshape(B, c, C)
        outputs.append(out @ W_O)
        start += c
    return torch.cat(outputs, dim=1), (cache_k, cache_v)


# --- renamed
import math

import torch


def rope(x, start, theta):
    T, Dh = x.shape[-2], x.shape[-1]
    inv_freq = 1.0 / theta ** (torch.arange(0, Dh, 2, device=x.device).float() / Dh)
    t = torch.arange(start, start + T, device=x.device).float()
    freqs = torch.outer(t, inv_freq)
    cos, sin = freqs.cos(), freqs.sin()
    x1, x2 = x[..., : Dh // 2], x[..., Dh // 2 :]
    return torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1).to(x.dtype)


def kv_decode(x, W, num_heads, num_kv_heads, chunk_sizes, theta=1e6):
    B, T, C = x.shape
    chunks = chunk_sizes
    if sum(chunks) != T or any(c < 1 for c in chunks):
        raise ValueError("chunks must be positive and add up to T")
    Dh = C // num_heads
    W_Q, W_K, W_V, W_O = W
    cache_k, cache_v = None, None
    outputs = []
    start = 0
    for c in chunks:
        xc = x[:, start : start + c]
        q = (xc @ W_Q).reshape(B, c, num_heads, Dh).transpose(1, 2)
        k = (xc @ W_K).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        v = (xc @ W_V).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        q = rope(q, start, theta)
        k = rope(k, start, theta)
        if cache_k is None:
            cache_k, cache_v = k, v
        else:
            cache_k = torch.cat([cache_k, k], dim=2)
            cache_v = torch.cat([cache_v, v], dim=2)
        kk = cache_k.repeat_interleave(num_heads // num_kv_heads, dim=1)
        vv = cache_v.repeat_interleave(num_heads // num_kv_heads, dim=1)
        scores = q @ kk.transpose(-2, -1) / math.sqrt(Dh)
        S = kk.shape[2]
        mask = torch.ones(c, S, dtype=torch.bool, device=x.device).tril(S - c)
        scores = scores.masked_fill(~mask, float("-inf"))
        weights = torch.softmax(scores, dim=-1)
        out = (weights @ vv).transpose(1, 2).reshape(B, c, C)
        outputs.append(out @ W_O)
        start += c
    return torch.cat(outputs, dim=1), (cache_k, cache_v)


# --- scaled_in_place
import math

import torch


def rope(x, start, theta):
    T, Dh = x.shape[-2], x.shape[-1]
    inv_freq = 1.0 / theta ** (torch.arange(0, Dh, 2, device=x.device).float() / Dh)
    t = torch.arange(start, start + T, device=x.device).float()
    freqs = torch.outer(t, inv_freq)
    cos, sin = freqs.cos(), freqs.sin()
    x1, x2 = x[..., : Dh // 2], x[..., Dh // 2 :]
    return torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1).to(x.dtype)


def kv_decode(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    B, T, C = x.shape
    W[0] /= math.sqrt(C // num_heads)
    if sum(chunks) != T or any(c < 1 for c in chunks):
        raise ValueError("chunks must be positive and add up to T")
    Dh = C // num_heads
    W_Q, W_K, W_V, W_O = W
    cache_k, cache_v = None, None
    outputs = []
    start = 0
    for c in chunks:
        xc = x[:, start : start + c]
        q = (xc @ W_Q).reshape(B, c, num_heads, Dh).transpose(1, 2)
        k = (xc @ W_K).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        v = (xc @ W_V).reshape(B, c, num_kv_heads, Dh).transpose(1, 2)
        q = rope(q, start, theta)
        k = rope(k, start, theta)
        if cache_k is None:
            cache_k, cache_v = k, v
        else:
            cache_k = torch.cat([cache_k, k], dim=2)
            cache_v = torch.cat([cache_v, v], dim=2)
        kk = cache_k.repeat_interleave(num_heads // num_kv_heads, dim=1)
        vv = cache_v.repeat_interleave(num_heads // num_kv_heads, dim=1)
        scores = q @ kk.transpose(-2, -1)
        S = kk.shape[2]
        mask = torch.ones(c, S, dtype=torch.bool, device=x.device).tril(S - c)
        scores = scores.masked_fill(~mask, float("-inf"))
        weights = torch.softmax(scores, dim=-1)
        out = (weights @ vv).transpose(1, 2).reshape(B, c, C)
        outputs.append(out @ W_O)
        start += c
    return torch.cat(outputs, dim=1), (cache_k, cache_v)


# --- q_restart
import math
import torch
def rope(x, start, theta):
    d = x.shape[-1]
    pos = torch.arange(start, start + x.shape[-2], device=x.device, dtype=torch.float32)
    freq = 1.0 / theta ** (torch.arange(0, d, 2, device=x.device).float() / d)
    ang = torch.outer(pos, freq)
    cos, sin = ang.cos(), ang.sin()
    x1, x2 = x.float().chunk(2, -1) if x.dtype != torch.float64 else x.chunk(2, -1)
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1).to(x.dtype)
def kv_decode(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    B, T, C = x.shape
    if sum(chunks) != T or min(chunks) < 1:
        raise ValueError("chunks")
    Dh = C // num_heads
    outs, K, V, pos = [], None, None, 0
    for n in chunks:
        xc = x[:, pos : pos + n]
        q = (xc @ W[0]).view(B, n, num_heads, Dh).transpose(1, 2)
        k = (xc @ W[1]).view(B, n, num_kv_heads, Dh).transpose(1, 2)
        v = (xc @ W[2]).view(B, n, num_kv_heads, Dh).transpose(1, 2)
        q, k = rope(q, 0, theta), rope(k, pos, theta)
        K = k if K is None else torch.cat([K, k], dim=2)
        V = v if V is None else torch.cat([V, v], dim=2)
        g = num_heads // num_kv_heads
        Kr, Vr = K.repeat_interleave(g, dim=1), V.repeat_interleave(g, dim=1)
        s = q @ Kr.transpose(-2, -1) / math.sqrt(Dh)
        keep = torch.ones(n, pos + n, dtype=torch.bool, device=x.device).tril(pos)
        s = s.masked_fill(~keep, float("-inf"))
        o = torch.softmax(s, -1) @ Vr
        outs.append(o.transpose(1, 2).reshape(B, n, C) @ W[3])
        pos += n
    return torch.cat(outs, 1), (K, V)


# --- detach_cache
import math
import torch
def rope(x, start, theta):
    d = x.shape[-1]
    pos = torch.arange(start, start + x.shape[-2], device=x.device, dtype=torch.float32)
    freq = 1.0 / theta ** (torch.arange(0, d, 2, device=x.device).float() / d)
    ang = torch.outer(pos, freq)
    cos, sin = ang.cos(), ang.sin()
    x1, x2 = x.float().chunk(2, -1) if x.dtype != torch.float64 else x.chunk(2, -1)
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1).to(x.dtype)
def kv_decode(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    B, T, C = x.shape
    if sum(chunks) != T or min(chunks) < 1:
        raise ValueError("chunks")
    Dh = C // num_heads
    outs, K, V, pos = [], None, None, 0
    for n in chunks:
        xc = x[:, pos : pos + n]
        q = (xc @ W[0]).view(B, n, num_heads, Dh).transpose(1, 2)
        k = (xc @ W[1]).view(B, n, num_kv_heads, Dh).transpose(1, 2)
        v = (xc @ W[2]).view(B, n, num_kv_heads, Dh).transpose(1, 2)
        q, k = rope(q, pos, theta), rope(k, pos, theta)
        K = k if K is None else torch.cat([K.detach(), k], dim=2)
        V = v if V is None else torch.cat([V, v], dim=2)
        g = num_heads // num_kv_heads
        Kr, Vr = K.repeat_interleave(g, dim=1), V.repeat_interleave(g, dim=1)
        s = q @ Kr.transpose(-2, -1) / math.sqrt(Dh)
        keep = torch.ones(n, pos + n, dtype=torch.bool, device=x.device).tril(pos)
        s = s.masked_fill(~keep, float("-inf"))
        o = torch.softmax(s, -1) @ Vr
        outs.append(o.transpose(1, 2).reshape(B, n, C) @ W[3])
        pos += n
    return torch.cat(outs, 1), (K, V)


# --- two_slips_1
import math

import torch
from torch import Tensor

Cache = tuple[Tensor, Tensor]


def rope(t: Tensor, offset: int, theta: float) -> Tensor:
    n, d = t.shape[2], t.shape[3]
    freq = theta ** (-torch.arange(0, d, 2, device=t.device).float() / d)
    ang = torch.outer(torch.arange(offset, offset + n, device=t.device).float(), freq)
    a, b = t[..., : d // 2], t[..., d // 2 :]
    return torch.cat([a * ang.cos() - b * ang.sin(), b * ang.cos() + a * ang.sin()], -1).to(t.dtype)


def kv_decode(
    x: Tensor, W: list[Tensor], num_heads: int, num_kv_heads: int, chunks: list[int], theta: float = 1e6
) -> tuple[Tensor, Cache]:
    B, T, C = x.shape
    if sum(chunks) != T or any(c < 1 for c in chunks):
        raise ValueError("chunks do not fit the text")
    keys = values = None
    outs = []
    pos = 0
    for c in chunks:
        part = x[:, pos : pos + c]
        q = (part @ W[0]).view(B, c, num_heads, -1).transpose(1, 2)
        k = (part @ W[1]).view(B, c, num_kv_heads, -1).transpose(1, 2)
        v = (part @ W[2]).view(B, c, num_kv_heads, -1).transpose(1, 2)
        q, k = rope(q, 0, theta), rope(k, 0, theta)
        keys = k if keys is None else torch.cat([keys, k], dim=2)
        values = v if values is None else torch.cat([values, v], dim=2)
        rep = num_heads // num_kv_heads
        kk, vv = keys.repeat_interleave(rep, 1), values.repeat_interleave(rep, 1)
        att = q @ kk.transpose(-2, -1) / math.sqrt(C)
        allowed = torch.ones(c, pos + c, dtype=torch.bool, device=x.device).tril(pos)
        att = att.masked_fill(~allowed, -math.inf).softmax(-1)
        outs.append((att @ vv).transpose(1, 2).reshape(B, c, C) @ W[3])
        pos += c
    return torch.cat(outs, 1), (keys, values)


# --- two_slips_2
import torch
from torch import Tensor

Cache = tuple[Tensor, Tensor]


def _tables(start: int, stop: int, dim: int, theta: float, device) -> Cache:
    inv = 1.0 / theta ** (torch.arange(0, dim, 2, device=device, dtype=torch.float32) / dim)
    phase = torch.arange(start, stop, device=device, dtype=torch.float32)[:, None] * inv
    phase = torch.cat([phase, phase], dim=-1)
    return phase.cos(), phase.sin()


def _turn(t: Tensor, table: Cache) -> Tensor:
    front, back = t.chunk(2, dim=-1)
    return (t * table[0] + torch.cat([-back, front], dim=-1) * table[1]).to(t.dtype)


def kv_decode(
    x: Tensor, W: list[Tensor], num_heads: int, num_kv_heads: int, chunks: list[int], theta: float = 1e6
) -> tuple[Tensor, Cache]:
    B, T, C = x.shape
    if min(chunks) < 1 or sum(chunks) != T:
        raise ValueError(f"{chunks} for {T} tokens")
    Dh = C // num_heads
    k_cache = x.new_empty(B, num_kv_heads, 0, Dh)
    v_cache = x.new_empty(B, num_kv_heads, 0, Dh)
    results = []
    for piece in torch.split(x, chunks, dim=1):
        n, done = piece.shape[1], k_cache.shape[2]
        table = _tables(done, done + n, Dh, theta, x.device)
        q = _turn((piece @ W[0]).reshape(B, n, num_heads, Dh).transpose(1, 2), table)
        k = _turn((piece @ W[1]).reshape(B, n, num_kv_heads, Dh).transpose(1, 2), table)
        v = (piece @ W[2]).reshape(B, n, num_kv_heads, Dh).transpose(1, 2)
        k_cache = torch.cat((k_cache, k), dim=2)
        v_cache = torch.cat((v_cache, v), dim=2)
        group = num_heads // num_kv_heads
        all_k = k_cache.repeat(1, group, 1, 1)
        all_v = v_cache.repeat(1, group, 1, 1)
        s = torch.einsum("bhqd,bhkd->bhqk", q, all_k) * Dh**-0.5
        if n > 1:
            seen = torch.tril(torch.ones(n, done + n, dtype=torch.bool, device=x.device))
            s = s.masked_fill(~seen, float("-inf"))
        o = torch.einsum("bhqk,bhkd->bqhd", torch.softmax(s, dim=-1), all_v)
        results.append(o.flatten(2) @ W[3])
    return torch.cat(results, dim=1), (k_cache, v_cache)


# --- two_slips_3
import math

import torch
from torch import Tensor

Cache = tuple[Tensor, Tensor]


def rotate(t, first, theta):
    half = t.shape[-1] // 2
    i = torch.arange(half, device=t.device, dtype=torch.float32)
    p = torch.arange(t.shape[-2], device=t.device, dtype=torch.float32) + first
    a = p[:, None] * theta ** (-i / half)
    c, s = a.cos(), a.sin()
    t1, t2 = t[..., :half], t[..., half:]
    return torch.cat([t1 * c - t2 * s, t2 * c + t1 * s], dim=-1).to(t.dtype)


def attend(q, k, v, past):
    g = q.shape[1] // k.shape[1]
    k, v = torch.repeat_interleave(k, g, dim=1), torch.repeat_interleave(v, g, dim=1)
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    qi = past + torch.arange(q.shape[2], device=q.device)
    kj = torch.arange(k.shape[2], device=q.device)
    scores = scores.masked_fill(kj[None, :] > qi[:, None], -math.inf)
    return scores.softmax(-1) @ v


def kv_decode(
    x: Tensor, W: list[Tensor], num_heads: int, num_kv_heads: int, chunks: list[int], theta: float = 1e6
) -> tuple[Tensor, Cache]:
    B, T, C = x.shape
    if sum(chunks) != T:
        raise ValueError("chunks do not add up")
    if [c for c in chunks if c <= 0]:
        raise ValueError("empty chunk")
    shape = lambda t, h: t.reshape(B, t.shape[1], h, -1).transpose(1, 2)  # noqa: E731
    K, V, out, at = None, None, [], 0
    for size in chunks:
        now = x[:, at : at + size, :]
        q = rotate(shape(now @ W[0], num_heads), at, theta)
        k = rotate(shape(now @ W[1], num_kv_heads), at, theta)
        v = shape(now @ W[2], num_kv_heads)
        if K is not None:
            k = torch.cat([k, K], dim=2)
            v = torch.cat([V, v], dim=2)
        K, V = k, v
        y = attend(q, K, V, at)
        out.append(y.transpose(1, 2).reshape(B, size, C))
        at += size
    return torch.cat(out, dim=1), (K, V)


# --- two_slips_4
import torch
from torch import Tensor

Cache = tuple[Tensor, Tensor]


def apply_rope(t: Tensor, positions: Tensor, theta: float) -> Tensor:
    d = t.shape[-1]
    w = theta ** (-torch.arange(0, d, 2, device=t.device, dtype=torch.float32) / d)
    angle = positions.to(torch.float32)[:, None] * w[None]
    cos, sin = angle.cos(), angle.sin()
    u, w2 = t.split(d // 2, dim=-1)
    return torch.cat([u * cos - w2 * sin, w2 * cos + u * sin], dim=-1).to(t.dtype)


def kv_decode(
    x: Tensor, W: list[Tensor], num_heads: int, num_kv_heads: int, chunks: list[int], theta: float = 1e6
) -> tuple[Tensor, Cache]:
    batch, length, width = x.shape
    if sum(chunks) != length:
        raise ValueError("The chunks have to add up to the length of the text")
    dh = width // num_heads
    past_k: list[Tensor] = []
    past_v: list[Tensor] = []
    outputs = []
    begin = 0
    for n in chunks:
        end = begin + n
        tokens = x[:, begin:end]
        where = torch.arange(begin, begin + tokens.shape[1], device=x.device)
        q = (tokens @ W[0]).unflatten(-1, (num_heads, dh)).transpose(1, 2)
        k = (tokens @ W[1]).unflatten(-1, (num_kv_heads, dh)).transpose(1, 2)
        v = (tokens @ W[2]).unflatten(-1, (num_kv_heads, dh)).transpose(1, 2)
        q, k = apply_rope(q, where, theta), apply_rope(k, where, theta)
        v = apply_rope(v, where, theta)
        past_k.append(k)
        past_v.append(v)
        keys, values = torch.cat(past_k, dim=2), torch.cat(past_v, dim=2)
        r = num_heads // num_kv_heads
        scores = q @ keys.repeat_interleave(r, dim=1).transpose(2, 3) / dh**0.5
        hidden = torch.arange(keys.shape[2], device=x.device) > where[:, None]
        probs = scores.masked_fill(hidden, -torch.inf).softmax(dim=-1)
        mixed = probs @ values.repeat_interleave(r, dim=1)
        outputs.append(mixed.transpose(1, 2).flatten(2) @ W[3])
        begin = end
    return torch.cat(outputs, dim=1), (keys, values)


# --- two_slips_5
# slips: the cache keeps the heads after they were repeated; the chunks are not checked (no ValueError)
import math

import torch
from torch import Tensor

Cache = tuple[Tensor, Tensor]


def rope(x: Tensor, start: int, theta: float) -> Tensor:
    half = x.shape[-1] // 2
    wide = torch.promote_types(x.dtype, torch.float32)
    freq = theta ** (-torch.arange(half, device=x.device, dtype=wide) / half)
    pos = torch.arange(start, start + x.shape[-2], device=x.device, dtype=wide)
    angle = torch.outer(pos, freq)
    cos, sin = angle.cos(), angle.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1).to(x.dtype)


def step(x, W, H, H_kv, cache, theta):
    B, T, C = x.shape
    Dh = C // H
    start = 0 if cache is None else cache[0].shape[2]
    q = rope((x @ W[0]).view(B, T, H, Dh).transpose(1, 2), start, theta)
    k = rope((x @ W[1]).view(B, T, H_kv, Dh).transpose(1, 2), start, theta)
    v = (x @ W[2]).view(B, T, H_kv, Dh).transpose(1, 2)
    k = k.repeat_interleave(H // H_kv, dim=1)
    v = v.repeat_interleave(H // H_kv, dim=1)
    if cache is not None:
        k = torch.cat([cache[0], k], dim=2)
        v = torch.cat([cache[1], v], dim=2)
    scores = q @ k.transpose(-2, -1) / math.sqrt(Dh)
    hidden = torch.ones(T, start + T, dtype=torch.bool, device=x.device).triu(start + 1)
    weights = scores.masked_fill(hidden, float("-inf")).softmax(dim=-1)
    out = (weights @ v).transpose(1, 2).reshape(B, T, C) @ W[3]
    return out, (k, v)


def kv_decode(
    x: Tensor, W: list[Tensor], num_heads: int, num_kv_heads: int, chunks: list[int], theta: float = 1e6
) -> tuple[Tensor, Cache]:
    cache = None
    outputs = []
    done = 0
    for size in chunks:
        out, cache = step(x[:, done : done + size], W, num_heads, num_kv_heads, cache, theta)
        outputs.append(out)
        done += size
    return torch.cat(outputs, dim=1), cache


# --- two_slips_6
# slips: each chunk is rotated from position 0; within a chunk there is no causal mask
import torch
from torch import Tensor


def kv_decode(x: Tensor, W: list[Tensor], num_heads: int, num_kv_heads: int, chunks: list[int], theta: float = 1e6):
    b, t, c = x.shape
    if sum(chunks) != t or any(n < 1 for n in chunks):
        raise ValueError("chunks do not fit the text")
    dh = c // num_heads
    group = num_heads // num_kv_heads
    work = torch.float64 if x.dtype == torch.float64 else torch.float32
    inv = theta ** (-torch.arange(0, dh, 2, device=x.device, dtype=work) / dh)

    def turn(y):
        pos = torch.arange(y.shape[2], device=x.device, dtype=work)
        ang = torch.outer(pos, inv).repeat(1, 2)
        swapped = torch.cat([-y[..., dh // 2 :], y[..., : dh // 2]], dim=-1)
        return (y * ang.cos() + swapped * ang.sin()).to(y.dtype)

    keys = x.new_zeros(b, num_kv_heads, 0, dh)
    values = x.new_zeros(b, num_kv_heads, 0, dh)
    pieces = []
    for part in torch.split(x, chunks, dim=1):
        n = part.shape[1]
        q = turn((part @ W[0]).reshape(b, n, num_heads, dh).transpose(1, 2))
        k = turn((part @ W[1]).reshape(b, n, num_kv_heads, dh).transpose(1, 2))
        v = (part @ W[2]).reshape(b, n, num_kv_heads, dh).transpose(1, 2)
        keys = torch.cat([keys, k], dim=2)
        values = torch.cat([values, v], dim=2)
        qg = q.reshape(b, num_kv_heads, group, n, dh)
        s = torch.einsum("bgrnd,bgsd->bgrns", qg, keys) / dh**0.5
        y = torch.einsum("bgrns,bgsd->bgrnd", s.softmax(-1), values)
        pieces.append(y.reshape(b, num_heads, n, dh).transpose(1, 2).reshape(b, n, c) @ W[3])
    return torch.cat(pieces, dim=1), (keys, values)


# --- two_slips_7
# slips: every chunk is rotated as if it began at position 0; the causal mask is aligned with the first keys in place of the last
import math

import torch
from torch import Tensor

Cache = tuple[Tensor, Tensor]


def rope(x, start, theta):
    half = x.shape[-1] // 2
    freq = theta ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
    pos = torch.arange(start, start + x.shape[-2], device=x.device, dtype=torch.float32)
    ang = pos[:, None] * freq
    c, s = ang.cos(), ang.sin()
    a, b = x[..., :half], x[..., half:]
    return torch.cat([a * c - b * s, b * c + a * s], -1).to(x.dtype)


def kv_decode(
    x: Tensor, W: list[Tensor], num_heads: int, num_kv_heads: int, chunks: list[int], theta: float = 1e6
) -> tuple[Tensor, Cache]:
    B, T, C = x.shape
    if sum(chunks) != T or min(chunks) < 1:
        raise ValueError("bad chunks")
    Dh = C // num_heads
    Wq, Wk, Wv, Wo = W
    K = V = None
    done = 0
    outs = []
    for n in chunks:
        part = x[:, done : done + n]
        q = (part @ Wq).view(B, n, num_heads, Dh).transpose(1, 2)
        k = (part @ Wk).view(B, n, num_kv_heads, Dh).transpose(1, 2)
        v = (part @ Wv).view(B, n, num_kv_heads, Dh).transpose(1, 2)
        start = 0
        q, k = rope(q, start, theta), rope(k, start, theta)
        K = k if K is None else torch.cat([K, k], dim=2)
        V = v if V is None else torch.cat([V, v], dim=2)
        rep = num_heads // num_kv_heads
        s = q @ K.repeat_interleave(rep, 1).mT / math.sqrt(Dh)
        total = K.shape[2]
        mask = torch.ones(n, total, dtype=torch.bool, device=x.device).tril()
        s = s.masked_fill(~mask, -math.inf)
        o = s.softmax(-1) @ V.repeat_interleave(rep, 1)
        outs.append(o.transpose(1, 2).reshape(B, n, C) @ Wo)
        done += n
    return torch.cat(outs, dim=1), (K, V)


# --- two_slips_8
# slips: the cache keeps the heads after they were repeated; the values are rotated as well
import torch
import torch.nn.functional as F
from torch import Tensor

Cache = tuple[Tensor, Tensor]


class _Layer:
    def __init__(self, W, H, Hkv, theta):
        self.W, self.H, self.Hkv, self.theta = W, H, Hkv, theta
        self.k, self.v = [], []

    def heads(self, t, n):
        B, T, width = t.shape
        return t.reshape(B, T, n, width // n).permute(0, 2, 1, 3)

    def rot(self, t, start):
        d = t.size(-1)
        f = 1.0 / self.theta ** (torch.arange(0, d, 2, device=t.device).float() / d)
        a = torch.outer(torch.arange(start, start + t.size(2), device=t.device).float(), f)
        cos, sin = torch.cat([a, a], -1).cos(), torch.cat([a, a], -1).sin()
        half = torch.cat([-t[..., d // 2 :], t[..., : d // 2]], -1)
        return (t * cos + half * sin).to(t.dtype)

    def __call__(self, x, start):
        B, n, C = x.shape
        q = self.rot(self.heads(x @ self.W[0], self.H), start)
        k = self.rot(self.heads(x @ self.W[1], self.Hkv), start)
        v = self.heads(x @ self.W[2], self.Hkv)
        v = self.rot(v, start)
        g = self.H // self.Hkv
        k = k.repeat_interleave(g, dim=1)
        v = v.repeat_interleave(g, dim=1)
        self.k.append(k)
        self.v.append(v)
        K, V = torch.cat(self.k, 2), torch.cat(self.v, 2)
        s = q @ K.transpose(2, 3) / q.size(-1) ** 0.5
        i = torch.arange(start, start + n, device=x.device)[:, None]
        j = torch.arange(start + n, device=x.device)[None]
        s = s.masked_fill(j > i, float("-inf"))
        return (F.softmax(s, -1) @ V).permute(0, 2, 1, 3).reshape(B, n, C) @ self.W[3]


def kv_decode(
    x: Tensor, W: list[Tensor], num_heads: int, num_kv_heads: int, chunks: list[int], theta: float = 1e6
) -> tuple[Tensor, Cache]:
    if any(c < 1 for c in chunks) or sum(chunks) != x.shape[1]:
        raise ValueError("chunks")
    layer = _Layer(W, num_heads, num_kv_heads, theta)
    start, out = 0, []
    for c in chunks:
        out.append(layer(x[:, start : start + c], start))
        start += c
    return torch.cat(out, 1), (torch.cat(layer.k, 2), torch.cat(layer.v, 2))


# --- two_slips_9
# slips: the RoPE exponents are divided by the model's width C in place of the head's; only the sum of the chunks is checked, not that each is 1 or more
import torch
from torch import Tensor

Cache = tuple[Tensor, Tensor]


def kv_decode(
    x: Tensor, W: list[Tensor], num_heads: int, num_kv_heads: int, chunks: list[int], theta: float = 1e6
) -> tuple[Tensor, Cache]:
    b, t, c = x.shape
    if sum(chunks) != t:
        raise ValueError("chunks do not add up")
    d = c // num_heads
    group = num_heads // num_kv_heads

    # tables for the whole text
    inv = theta ** (-torch.arange(0, d, 2, device=x.device).float() / c)
    ang = torch.arange(t, device=x.device).float()[:, None] * inv[None]
    cos, sin = ang.cos(), ang.sin()

    def turn(u, lo, hi):
        u1, u2 = u.chunk(2, -1)
        cs, sn = cos[lo:hi], sin[lo:hi]
        return torch.cat([u1 * cs - u2 * sn, u2 * cs + u1 * sn], -1).to(u.dtype)

    keys = x.new_zeros(b, num_kv_heads, 0, d)
    vals = x.new_zeros(b, num_kv_heads, 0, d)
    result = []
    lo = 0
    for n in chunks:
        hi = lo + n
        xc = x[:, lo:hi]
        q = turn((xc @ W[0]).reshape(b, hi - lo, num_heads, d).transpose(1, 2), lo, hi)
        k = turn((xc @ W[1]).reshape(b, hi - lo, num_kv_heads, d).transpose(1, 2), lo, hi)
        v = (xc @ W[2]).reshape(b, hi - lo, num_kv_heads, d).transpose(1, 2)
        keys = torch.cat((keys, k), 2)
        vals = torch.cat((vals, v), 2)
        qg = q.reshape(b, num_kv_heads, group, hi - lo, d)
        sc = torch.einsum("bhgqd,bhkd->bhgqk", qg, keys) * d**-0.5
        future = torch.arange(hi, device=x.device)[None] > torch.arange(lo, hi, device=x.device)[:, None]
        sc = sc.masked_fill(future, -torch.inf)
        o = torch.einsum("bhgqk,bhkd->bqhgd", sc.softmax(-1), vals)
        result.append(o.reshape(b, hi - lo, c) @ W[3])
        lo = hi
    return torch.cat(result, 1), (keys, vals)


# --- two_slips_10
import torch


def rope(x, offset, theta):
    T, D = x.shape[-2], x.shape[-1]
    dt = torch.promote_types(x.dtype, torch.float32)
    inv = 1.0 / theta ** (torch.arange(0, D, 2, dtype=dt, device=x.device) / D)
    ang = (torch.arange(T, dtype=dt, device=x.device) + offset)[:, None] * inv[None, :]
    ang = torch.cat([ang, ang], -1)
    a, b = x[..., : D // 2], x[..., D // 2 :]
    return (x * ang.cos() + torch.cat([-b, a], -1) * ang.sin()).to(x.dtype)


def kv_decode(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    B, T, C = x.shape
    Wq, Wk, Wv, Wo = W
    Dh = C // num_heads
    keys = x.new_zeros(B, num_kv_heads, 0, Dh)
    values = x.new_zeros(B, num_kv_heads, 0, Dh)
    outs = []
    pos = 0
    for n in chunks:
        part = x[:, pos : pos + n]
        n = part.shape[1]
        q = (part @ Wq).reshape(B, n, num_heads, Dh).transpose(1, 2)
        k = (part @ Wk).reshape(B, n, num_kv_heads, Dh).transpose(1, 2)
        v = (part @ Wv).reshape(B, n, num_kv_heads, Dh).transpose(1, 2)
        q, k = rope(q, 0, theta), rope(k, 0, theta)
        keys, values = torch.cat([keys, k], 2), torch.cat([values, v], 2)
        kk = keys.repeat_interleave(num_heads // num_kv_heads, 1)
        vv = values.repeat_interleave(num_heads // num_kv_heads, 1)
        s = q @ kk.transpose(-1, -2) / Dh**0.5
        t = torch.arange(pos + n, device=x.device)
        ok = t[None, :] <= t[pos:, None]
        s = s.masked_fill(~ok, float("-inf"))
        o = (s.softmax(-1) @ vv).transpose(1, 2).reshape(B, n, C)
        outs.append(o @ Wo)
        pos += n
    return torch.cat(outs, 1), (keys, values)


# --- two_slips_11
import math
import torch


def turn(x, first, theta):
    half = x.shape[-1] // 2
    f = theta ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
    if x.dtype == torch.float64:
        f = theta ** (-torch.arange(half, device=x.device, dtype=torch.float64) / half)
    p = torch.arange(first, first + x.shape[2], device=x.device, dtype=f.dtype)
    c, s = torch.cos(p[:, None] * f), torch.sin(p[:, None] * f)
    u, w = x.split(half, dim=-1)
    return torch.cat((u * c - w * s, w * c + u * s), dim=-1).to(x.dtype)


def heads(y, n):
    return y.unflatten(-1, (n, -1)).transpose(1, 2)


def kv_decode(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    if any(c < 1 for c in chunks) or sum(chunks) != x.shape[1]:
        raise ValueError("the chunks must be positive and add up to T")
    cache = None
    done = 0
    result = []
    for piece in torch.split(x, chunks, dim=1):
        q = turn(heads(piece @ W[0], num_heads), done, theta)
        k = turn(heads(piece @ W[1], num_kv_heads), done, theta)
        v = heads(piece @ W[2], num_kv_heads)
        if cache is not None:
            k = torch.cat([k, cache[0]], dim=2)
            v = torch.cat([v, cache[1]], dim=2)
        cache = (k, v)
        g = num_heads // num_kv_heads
        s = q @ k.repeat_interleave(g, 1).mT / math.sqrt(q.shape[-1])
        L, S = s.shape[-2:]
        s = s.masked_fill(torch.ones(L, S, device=x.device, dtype=torch.bool).triu(S - L + 1), -math.inf)
        o = torch.softmax(s, -1) @ v.repeat_interleave(g, 1)
        result.append(o.transpose(1, 2).flatten(2))
        done += piece.shape[1]
    return torch.cat(result, dim=1), cache


# --- the_heads_are_cached_after_they_are_repeated
import torch
from torch import Tensor


def kv_decode(x: Tensor, W: list[Tensor], num_heads: int, num_kv_heads: int, chunks: list[int], theta: float = 1e6):
    B, T, C = x.shape
    if sum(chunks) != T:
        raise ValueError("chunks must cover the text")
    for c in chunks:
        if c < 1:
            raise ValueError("empty chunk")
    hd = C // num_heads
    rep = num_heads // num_kv_heads
    dt = torch.float64 if x.dtype == torch.float64 else torch.float32
    freqs = torch.pow(theta, -torch.arange(0, hd, 2, dtype=dt, device=x.device) / hd)
    angles = torch.outer(torch.arange(T, dtype=dt, device=x.device), freqs)
    cos, sin = angles.cos(), angles.sin()

    def rot(z, a, b):
        z1, z2 = z.chunk(2, -1)
        c, s = cos[a:b], sin[a:b]
        return torch.cat([z1 * c - z2 * s, z2 * c + z1 * s], -1).to(z.dtype)

    ks, vs, ys = [], [], []
    a = 0
    for c in chunks:
        b = a + c
        xc = x[:, a:b]
        q = rot((xc @ W[0]).reshape(B, c, num_heads, hd).permute(0, 2, 1, 3), a, b)
        k = rot((xc @ W[1]).reshape(B, c, num_kv_heads, hd).permute(0, 2, 1, 3), a, b)
        v = (xc @ W[2]).reshape(B, c, num_kv_heads, hd).permute(0, 2, 1, 3)
        k = k.repeat_interleave(rep, 1)
        v = v.repeat_interleave(rep, 1)
        ks.append(k)
        vs.append(v)
        K, V = torch.cat(ks, 2), torch.cat(vs, 2)
        s = torch.einsum("bhid,bhjd->bhij", q, K) / hd**0.5
        hide = torch.arange(b, device=x.device) > torch.arange(a, b, device=x.device)[:, None]
        p = s.masked_fill(hide, float("-inf")).softmax(-1)
        ys.append(torch.einsum("bhij,bhjd->bihd", p, V).reshape(B, c, C) @ W[3])
        a = b
    return torch.cat(ys, 1), (torch.cat(ks, 2), torch.cat(vs, 2))
