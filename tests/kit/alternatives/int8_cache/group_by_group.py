"""Group by group and query by query, in float64."""

import math

import torch


def quantize(x, dim=-1):
    dtype = torch.promote_types(x.dtype, torch.float32)
    groups = x.to(torch.float64).movedim(dim, -1)
    codes, scales = torch.zeros_like(groups), groups.new_zeros(groups.shape[:-1])
    for place in torch.cartesian_prod(*map(torch.arange, groups.shape[:-1])).reshape(-1, groups.dim() - 1).tolist():
        group = groups[tuple(place)]
        scale = max(group.max(), -group.min()) / 127
        scales[tuple(place)] = scale
        if scale > 0:
            codes[tuple(place)] = torch.round(group / scale)
    return codes.movedim(-1, dim).to(torch.int8), scales.unsqueeze(-1).movedim(-1, dim).to(dtype)


def dequantize(codes, scale):
    return codes.to(scale.dtype).mul(scale)


def score_error_bound(q, codes, scale):
    steps = scale.to(torch.float64).expand_as(codes) / 2
    rows = [(q[..., i, None, :].abs() * steps).sum(-1) for i in range(q.shape[-2])]
    return (torch.stack(rows, -2) / math.sqrt(q.shape[-1])).to(scale.dtype)


def int8_attention(q, keys, values):
    k, v = (part[0].double() * part[1].double() for part in (keys, values))
    rows = []
    for i in range(q.shape[-2]):
        scores = (q[..., i, None, :].double() * k).sum(-1) / math.sqrt(q.shape[-1])
        rows.append((scores.softmax(-1).unsqueeze(-1) * v).sum(-2))
    return torch.stack(rows, -2).to(q.dtype)
