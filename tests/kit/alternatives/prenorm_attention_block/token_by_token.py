import math

import torch


def one(x, W, seen):
    h = []
    for token in x:
        t = token if token.dtype == torch.float64 else token.float()
        h.append((t / torch.sqrt((t * t).sum() / len(t) + 1e-6)).to(token.dtype))
    q, k, v = ([row @ w for row in h] for w in W[:3])
    rows = []
    for i in range(len(h)):
        visible = [j for j in range(len(h)) if seen is None or bool(seen[i, j])]
        p = torch.stack([q[i] @ k[j] / math.sqrt(len(q[i])) for j in visible]).softmax(0)
        mixed = sum(p[n] * v[j] for n, j in enumerate(visible))
        rows.append(x[i] + mixed @ W[3])
    return torch.stack(rows)


def prenorm_attention_block(x, W, mask=None):
    if x.dim() == 2:
        return one(x, W, mask)
    if mask is not None:
        mask = mask.expand(*x.shape[:-1], x.shape[-2])
    return torch.stack([prenorm_attention_block(x[b], W, None if mask is None else mask[b]) for b in range(len(x))])
