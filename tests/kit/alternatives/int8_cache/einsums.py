"""einsum, a helper for float32, exponentials by hand."""

import torch


def wider(x):
    return x if x.dtype == torch.float64 else x.float()


def quantize(x, dim=-1):
    wide = wider(x)
    scale = torch.linalg.vector_norm(wide, ord=float("inf"), dim=dim, keepdim=True) / 127.0
    codes = torch.nan_to_num(wide / scale, nan=0.0)
    return torch.clamp(torch.round(codes), -127, 127).type(torch.int8), scale


def dequantize(codes, scale):
    return torch.mul(codes.type(scale.dtype), scale)


def score_error_bound(q, codes, scale):
    steps = torch.broadcast_to(scale, codes.shape) * 0.5
    return torch.einsum("...ic,...jc->...ij", q.type(scale.dtype).abs(), steps) * q.size(-1) ** -0.5


def int8_attention(q, keys, values):
    k, v = (dequantize(*part) for part in (keys, values))
    scores = torch.einsum("...ic,...jc->...ij", wider(q).type(k.dtype), k) * q.size(-1) ** -0.5
    e = torch.exp(scores - scores.max(-1, keepdim=True).values)
    return (torch.einsum("...ij,...jc->...ic", e, v) / e.sum(-1, keepdim=True)).type(q.dtype)
