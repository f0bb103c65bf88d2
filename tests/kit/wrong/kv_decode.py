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
