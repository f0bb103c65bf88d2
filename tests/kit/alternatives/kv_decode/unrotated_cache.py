"""Keeps keys as they were projected and turns all of them in every chunk."""

import torch


def turn(x, first, theta):
    half = x.shape[-1] // 2
    wide = x if x.dtype == torch.float64 else x.float()
    p = torch.arange(first, first + x.shape[2], device=x.device).to(wide.dtype)
    angle = p[:, None] * theta ** (-torch.arange(half, device=x.device).to(wide.dtype) / half)
    z = torch.complex(wide[..., :half], wide[..., half:]) * torch.polar(torch.ones_like(angle), angle)
    return torch.cat([z.real, z.imag], -1).to(x.dtype)


def kv_decode(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    if any(c <= 0 for c in chunks) or sum(chunks) - x.shape[1]:
        raise ValueError("chunks")
    B, _, C = x.shape
    Dh = C // num_heads
    k = v = x.new_zeros(B, num_kv_heads, 0, Dh)
    outputs, done = [], 0
    for size in chunks:
        piece = x[:, done : done + size]
        k = torch.cat([k, (piece @ W[1]).unflatten(-1, (num_kv_heads, Dh)).transpose(1, 2)], 2)
        v = torch.cat([v, (piece @ W[2]).unflatten(-1, (num_kv_heads, Dh)).transpose(1, 2)], 2)
        q = turn((piece @ W[0]).unflatten(-1, (num_heads, Dh)).transpose(1, 2), done, theta)
        q = q.unflatten(1, (num_kv_heads, -1))
        scores = torch.einsum("bgrid,bgjd->bgrij", q, turn(k, 0, theta)) / Dh**0.5
        i = torch.arange(done, done + size, device=x.device)
        late = torch.arange(done + size, device=x.device) > i[:, None]
        weights = torch.softmax(scores.masked_fill(late, float("-inf")), -1)
        outputs.append(torch.einsum("bgrij,bgjd->bigrd", weights, v).reshape(B, size, C) @ W[3])
        done += size
    return torch.cat(outputs, 1), (k, v)
