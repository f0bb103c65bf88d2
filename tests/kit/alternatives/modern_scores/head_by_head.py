"""One head at a time, the sink as a first key; norms with a helper."""

import math

import torch
from torch import nn


def rms(x, gain, eps):
    dtype = torch.promote_types(x.dtype, torch.float32)
    x, gain = x.to(dtype), gain.to(dtype)
    return x / torch.sqrt(torch.mean(x**2, dim=-1, keepdim=True) + eps) * gain


def qk_norm_scores(q, k, q_gain, k_gain, eps=1e-6):
    found = torch.matmul(rms(q, q_gain, eps), rms(k, k_gain, eps).transpose(-1, -2))
    return found.div(math.sqrt(q.size(-1))).to(q.dtype)


def soft_cap(scores, cap):
    if cap < 0 or cap == 0:
        raise ValueError("no cap")
    return nn.Tanh()(scores / cap) * cap


def sink_softmax(scores, sink, mask=None):
    if mask is not None:
        scores = torch.where(mask, scores, -math.inf)
    heads = []
    for h, s in enumerate(sink):
        first = s.expand(scores.shape[:-3] + (scores.shape[-2], 1))
        weights = torch.cat([first, scores[..., h, :, :]], dim=-1).softmax(-1)
        heads.append(weights[..., 1:])
    return torch.stack(heads, dim=-3)
