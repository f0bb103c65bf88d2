import math

import torch


def repeat_kv(x, n_rep):
    return torch.repeat_interleave(x, n_rep, dim=1)


def grouped_query_attention(q, k, v, mask=None):
    if q.shape[1] % k.shape[1] != 0:
        raise ValueError("number of query heads must be divisible by number of kv heads")
    groups = q.shape[1] // k.shape[1]
    k, v = repeat_kv(k, groups), repeat_kv(v, groups)
    scores = torch.matmul(q, k.transpose(2, 3)) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask == False, float("-inf"))
    weights = torch.softmax(scores, dim=3)
    return torch.matmul(weights, v), weights
