"""One matrix at a time."""

import torch


def single(q, k, v, mask):
    scores = q.mm(k.t()) / q.size(1) ** 0.5
    if mask is not None:
        scores = scores.masked_fill(torch.logical_not(mask), float("-inf"))
    weights = scores.softmax(1)
    return weights.mm(v), weights


def scaled_dot_product_attention(q, k, v, mask=None):
    if q.dim() == 2:
        return single(q, k, v, mask)
    outputs, weights = [], []
    for i in range(q.size(0)):
        part = mask
        if mask is not None and mask.dim() == q.dim():
            part = mask[i] if mask.size(0) > 1 else mask[0]
        o, w = scaled_dot_product_attention(q[i], k[i], v[i], part)
        outputs.append(o)
        weights.append(w)
    return torch.stack(outputs), torch.stack(weights)
