import math

import torch


def repeat_kv(x, n_rep):
    index = torch.arange(x.shape[1] * n_rep, device=x.device) // n_rep
    return x[:, index]


def attention(q, k, v, mask):
    scores = torch.einsum("bhid,bhjd->bhij", q, k).div(math.sqrt(q.size(-1)))
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    log_weights = scores - scores.logsumexp(-1, keepdim=True)
    weights = log_weights.exp()
    return torch.einsum("bhij,bhjd->bhid", weights, v), weights


def grouped_query_attention(q, k, v, mask=None):
    H, H_kv = q.size(1), k.size(1)
    if H // H_kv * H_kv != H:
        raise ValueError((H, H_kv))
    return attention(q, repeat_kv(k, H // H_kv), repeat_kv(v, H // H_kv), mask)
