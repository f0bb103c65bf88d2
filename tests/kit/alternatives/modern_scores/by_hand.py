"""Roots and exponentials by hand; tanh from a sigmoid."""

import torch


def unit(x, eps):
    x = x.double() if x.dtype is torch.float64 else x.float()
    return x / (torch.linalg.vecdot(x, x).unsqueeze(-1) / x.shape[-1] + eps) ** 0.5


def qk_norm_scores(q, k, q_gain, k_gain, eps=1e-6):
    both = q_gain * k_gain.to(torch.promote_types(k_gain.dtype, torch.float32))  # the two gains meet in each product
    scores = torch.einsum("...ic,...jc,c->...ij", unit(q, eps), unit(k, eps), both)
    return (scores / q.shape[-1] ** 0.5).type_as(q)


def soft_cap(scores, cap):
    if cap <= 0:
        raise ValueError(cap)
    return 2 * cap * torch.sigmoid(2 * scores / cap) - cap


def sink_softmax(scores, sink, mask=None):
    seen = torch.ones_like(scores, dtype=torch.bool) if mask is None else mask.expand_as(scores)
    sink = sink.reshape(-1, 1, 1)
    low = torch.where(seen, scores, torch.finfo(scores.dtype).min)
    top = torch.maximum(low.max(dim=-1, keepdim=True).values, sink).detach()
    e = torch.where(seen, (torch.where(seen, scores, top) - top).exp(), 0.0)
    return e / (e.sum(-1, keepdim=True) + (sink - top).exp())
