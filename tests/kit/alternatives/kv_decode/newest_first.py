"""The cache holds the newest key first; positions are kept beside it. Float32 inside."""

import torch


class Cache:
    def __init__(self):
        self.k = self.v = self.p = None

    def put(self, k, v, p):
        old = self.k is not None
        self.k = torch.cat([k.flip(2), self.k], 2) if old else k.flip(2)
        self.v = torch.cat([v.flip(2), self.v], 2) if old else v.flip(2)
        self.p = torch.cat([p.flip(0), self.p]) if old else p.flip(0)


def rope(x, p, theta):
    d = x.shape[-1]
    a = torch.outer(p.float(), 1.0 / theta ** (torch.arange(0, d, 2, device=x.device).float() / d))
    x1, x2 = x.chunk(2, -1)
    return torch.cat([x1 * a.cos() - x2 * a.sin(), x1 * a.sin() + x2 * a.cos()], -1).to(x.dtype)


def kv_decode(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    if not all(c > 0 for c in chunks) or sum(chunks) != x.shape[1]:
        raise ValueError("bad chunks")
    cache, at, out = Cache(), 0, []
    for piece in torch.split(x, list(chunks), 1):
        B, c, C = piece.shape
        p = torch.arange(at, at + c, device=x.device)
        q, k, v = (
            (piece @ w).view(B, c, n, -1).permute(0, 2, 1, 3) for w, n in zip(W, (num_heads, num_kv_heads, num_kv_heads))
        )
        cache.put(rope(k, p, theta), v, p)
        group = torch.arange(num_heads, device=x.device) // (num_heads // num_kv_heads)
        wide = torch.float64 if x.dtype == torch.float64 else torch.float32
        scores = rope(q, p, theta).to(wide) @ cache.k[:, group].to(wide).mT / q.shape[-1] ** 0.5
        scores = torch.where(cache.p <= p[:, None], scores, float("-inf"))
        heads = scores.softmax(-1).to(x.dtype) @ cache.v[:, group]
        out.append(heads.permute(0, 2, 1, 3).reshape(B, c, C) @ W[3])
        at += c
    return torch.cat(out, 1), (cache.k, cache.v)
