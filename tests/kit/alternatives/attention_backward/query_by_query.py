"""One query at a time; keys and values collect what each of them sends back."""

import math

import torch


def softmax_backward(weights, d_weights):
    centre = torch.linalg.vecdot(weights, d_weights).unsqueeze(-1)
    return weights.mul(d_weights.sub(centre))


def attention_backward(q, k, v, d_output, mask=None):
    d_q, d_k, d_v = torch.zeros_like(q), torch.zeros_like(k), torch.zeros_like(v)
    if mask is not None:
        mask = mask.expand(*q.shape[:-1], k.shape[-2])
    for i in range(q.shape[-2]):
        query, given = q[..., i, None, :], d_output[..., i, None, :]
        scores = (query * k).sum(-1) / math.sqrt(q.shape[-1])
        if mask is not None:
            scores = scores.masked_fill(~mask[..., i, :], -math.inf)
        e = (scores - scores.max(-1, keepdim=True).values).exp()
        w = e / e.sum(-1, keepdim=True)
        d_s = softmax_backward(w, (given * v).sum(-1)) / math.sqrt(q.shape[-1])
        d_q[..., i, :] = (d_s[..., None] * k).sum(-2)
        d_k += d_s[..., None] * query
        d_v += w[..., None] * given
    return d_q, d_k, d_v
