"""Keys and values for the whole text first, as the projections of single tokens; each chunk reads what it may."""

import math

import torch


def rotated(x, positions, theta):
    half = x.shape[-1] // 2
    a = positions.float()[:, None] * torch.tensor([theta ** (-i / half) for i in range(half)], device=x.device)
    c, s = a.cos().to(x.dtype), a.sin().to(x.dtype)
    return torch.cat([x[..., :half] * c - x[..., half:] * s, x[..., half:] * c + x[..., :half] * s], -1)


def kv_decode(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    if sum(chunks) != x.size(1) or min(chunks) <= 0:
        raise ValueError(chunks)
    B, T, C = x.shape
    Dh, n_rep = C // num_heads, num_heads // num_kv_heads
    everywhere = torch.arange(T, device=x.device)
    keys = rotated((x @ W[1]).view(B, T, num_kv_heads, Dh).transpose(1, 2), everywhere, theta)
    values = (x @ W[2]).view(B, T, num_kv_heads, Dh).transpose(1, 2)
    outputs, stop = [], 0
    for c in chunks:
        start, stop = stop, stop + c
        q = rotated((x[:, start:stop] @ W[0]).view(B, c, num_heads, Dh).transpose(1, 2), everywhere[start:stop], theta)
        rows = []
        for t in range(c):
            seen = slice(0, start + t + 1)
            k, v = (r[:, :, seen].repeat_interleave(n_rep, 1) for r in (keys, values))
            w = (q[:, :, t : t + 1] @ k.transpose(2, 3) / math.sqrt(Dh)).softmax(-1)
            rows.append((w @ v).transpose(1, 2).reshape(B, 1, C) @ W[3])
        outputs += rows
    return torch.cat(outputs, 1), [keys, values]
