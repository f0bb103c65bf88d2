import math

import torch


def _heads(t, n):
    return torch.stack(t.chunk(n, dim=-1), dim=1)


def multi_head_attention(x, W, biases, num_heads, mask=None):
    if x.shape[-1] % num_heads:
        raise ValueError("not divisible")
    dtype = x.dtype
    q, k, v = (_heads((x.float() @ w.float()) + b.float(), num_heads) for w, b in zip(W, biases[:3]))
    scores = torch.matmul(q, k.transpose(2, 3)) / math.sqrt(q.size(-1))
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(torch.float32).min)
    out = torch.matmul(scores.softmax(-1), v)
    out = torch.cat(tuple(out.unbind(1)), dim=-1)
    return (out @ W[3].float() + biases[3].float()).to(dtype)
