"""The products are of codes; scales come to queries, scores, weights or outputs, wherever they belong."""

import torch


def quantize(x, dim=-1):
    wide = x.double()
    top = wide.abs().max(dim, keepdim=True).values
    codes = torch.where(top > 0, torch.floor(wide * 127 / top.clamp(min=1e-300) + 0.5), torch.zeros_like(wide))
    return codes.to(torch.int8), (top / 127).to(torch.float64 if x.dtype == torch.float64 else torch.float32)


def dequantize(codes, scale):
    return scale * codes


def score_error_bound(q, codes, scale):
    size = q.abs().to(scale)
    if scale.shape[-1] == 1 and codes.shape[-1] > 1:  # a scale for each token
        found = size.sum(-1, keepdim=True) * scale.transpose(-1, -2)
    else:
        found = (size * scale).sum(-1, keepdim=True).expand(*size.shape[:-1], codes.shape[-2])
        if scale.shape[-2] != 1:
            found = size @ scale.transpose(-1, -2)
    return found / 2 / q.shape[-1] ** 0.5


def int8_attention(q, keys, values):
    (k, k_scale), (v, v_scale) = keys, values
    wide = k_scale.dtype
    q_wide = q.to(wide) / q.shape[-1] ** 0.5
    if k_scale.shape[-2] == 1:
        scores = (q_wide * k_scale) @ k.to(wide).mT
    else:
        scores = (q_wide @ k.to(wide).mT) * k_scale.mT
    weights = torch.softmax(scores, -1)
    if v_scale.shape[-2] == 1:
        out = (weights @ v.to(wide)) * v_scale
    else:
        out = (weights * v_scale.mT) @ v.to(wide)
    return out.type_as(q)
