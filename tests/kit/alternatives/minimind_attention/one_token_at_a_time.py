"""Tokens one after another, each against all keys so far: no mask is ever needed."""

import math

import torch


def rotated(x, position, theta):
    half = x.shape[-1] // 2
    a = torch.tensor([position * theta ** (-i / half) for i in range(half)], dtype=torch.float64)
    cos, sin = a.cos().to(dtype=x.dtype, device=x.device), a.sin().to(dtype=x.dtype, device=x.device)
    return torch.cat([x[..., :half] * cos - x[..., half:] * sin, x[..., half:] * cos + x[..., :half] * sin], -1)


def minimind_attention(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    if num_heads / num_kv_heads % 1:
        raise ValueError("num_heads is no multiple of num_kv_heads")
    B, C = x.shape[0], x.shape[2]
    Dh = C // num_heads
    k = x.new_zeros(B, num_kv_heads, 0, Dh) if cache is None else cache[0]
    v = x.new_zeros(B, num_kv_heads, 0, Dh) if cache is None else cache[1]
    outputs = []
    for token in x.unbind(1):
        position = k.shape[2]
        q = rotated((token @ W[0]).view(B, num_heads, Dh), position, theta)
        k = torch.cat([k, rotated((token @ W[1]).view(B, num_kv_heads, Dh), position, theta).unsqueeze(2)], 2)
        v = torch.cat([v, (token @ W[2]).view(B, num_kv_heads, 1, Dh)], 2)
        q = q.view(B, num_kv_heads, -1, Dh)
        weights = (q @ k.transpose(2, 3) / math.sqrt(Dh)).softmax(-1)
        outputs.append((weights @ v).reshape(B, C) @ W[3])
    return torch.stack(outputs, 1), (k, v)
