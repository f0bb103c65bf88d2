"""A recursion over the chunks: what each step made is held until the last one returns."""

import torch


def rope(t, p, theta):
    n = t.shape[-1] // 2
    a = p.to(torch.float64).unsqueeze(1) / theta ** (torch.arange(n, device=t.device).to(torch.float64) / n)
    u, w = t[..., :n], t[..., n:]
    return torch.cat((u * torch.cos(a) - w * torch.sin(a), w * torch.cos(a) + u * torch.sin(a)), dim=-1).to(t.dtype)


def go(x, W, H, chunks, theta, K, V, done):
    if not chunks:
        return [], K, V
    c, *rest = chunks
    now, Dh = x[:, done : done + c], x.shape[2] // H
    q, k, v = [torch.stack((now @ w).split(Dh, -1), 1) for w in W[:3]]
    p = torch.arange(done, done + c, device=x.device)
    K = rope(k, p, theta) if K is None else torch.cat([K, rope(k, p, theta)], 2)
    V = v if V is None else torch.cat([V, v], 2)
    group = torch.arange(H, device=x.device).div(H // K.shape[1], rounding_mode="floor")
    s = rope(q, p, theta) @ K.index_select(1, group).transpose(2, 3) / Dh**0.5
    s = torch.where(torch.arange(done + c, device=x.device)[None] <= p[:, None], s, torch.finfo(s.dtype).min)
    y = torch.cat((torch.softmax(s, 3) @ V.index_select(1, group)).unbind(1), -1) @ W[3]
    ys, K, V = go(x, W, H, rest, theta, K, V, done + c)
    return [y, *ys], K, V


def kv_decode(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    if sum(chunks) != x.shape[1] or [c for c in chunks if c < 1]:
        raise ValueError("bad chunks")
    ys, K, V = go(x, W, num_heads, list(chunks), theta, None, None, 0)
    return torch.cat(ys, 1), (K, V)
