"""Row by row, as one would write it first."""

import math

import torch


def local_global_mask(length, window, num_global, device=None):
    if length < 1 or window < 1:
        raise ValueError("too small")
    if num_global not in range(length + 1):
        raise ValueError("no such number of tokens")
    rows = [
        [abs(i - j) < window or i < num_global or j < num_global for j in range(length)] for i in range(length)
    ]
    return torch.tensor(rows, device=device)


def bucket_mask(query_buckets, key_buckets):
    columns = [query_buckets == key_buckets[..., j : j + 1] for j in range(key_buckets.shape[-1])]
    return torch.stack(columns, dim=-1)


def low_rank_attention(q, k, v, mix_k, mix_v):
    keys = torch.stack([(row[:, None] * k).sum(-2) for row in mix_k], dim=-2)
    values = torch.stack([(row[:, None] * v).sum(-2) for row in mix_v], dim=-2)
    outputs = []
    for t in range(q.shape[-2]):
        scores = (q[..., t : t + 1, :] * keys).sum(-1) / math.sqrt(q.shape[-1])
        weights = torch.softmax(scores, -1)
        outputs.append((weights[..., None] * values).sum(-2))
    return torch.stack(outputs, dim=-2)
