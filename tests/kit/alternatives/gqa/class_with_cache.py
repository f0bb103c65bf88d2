import functools
import math

import torch
from torch import nn


@functools.cache
def sources(heads, n_rep):
    return [h for h in range(heads) for _ in range(n_rep)]


class Repeat:
    def __call__(self, x, n_rep):
        return torch.cat([x[:, h : h + 1] for h in sources(x.shape[1], n_rep)], 1)


class GroupedQueryAttention(nn.Module):
    def forward(self, q, k, v, mask=None):
        heads, shared = q.shape[-3], k.shape[-3]
        if heads % shared > 0:
            raise ValueError(f"heads={heads}, shared={shared}")
        k = repeat_kv(k, heads // shared)
        v = repeat_kv(v, heads // shared)
        scores = torch.matmul(q / math.sqrt(q.shape[-1]), k.permute(0, 1, 3, 2))
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(q.dtype).min)
        e = torch.exp(scores - scores.amax(-1, True))
        weights = e / e.sum(-1, True)
        return torch.matmul(weights, v), weights


repeat_kv = Repeat()
grouped_query_attention = GroupedQueryAttention()
