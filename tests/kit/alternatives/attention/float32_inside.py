import math

import torch


def scaled_dot_product_attention(q, k, v, mask=None):
    qf, kf, vf = q.float(), k.float(), v.float()
    scores = qf @ kf.transpose(-2, -1) / math.sqrt(qf.shape[-1])
    if mask is not None:
        bias = torch.zeros_like(scores)
        bias = bias.masked_fill(~mask, -1e9)
        scores = scores + bias
    scores = scores - scores.amax(dim=-1, keepdim=True)
    weights = scores.exp()
    weights = weights / weights.sum(dim=-1, keepdim=True)
    return (weights @ vf).type_as(q), weights.type_as(q)
