"""A cache in int8: codes and scales, back to numbers, how far scores may be off, attention over it."""

import math

import torch
from torch import Tensor

LARGEST = 127


def quantize(x: Tensor, dim: int = -1) -> tuple[Tensor, Tensor]:
    """Codes in int8 and the scale of each group along dim: symmetric, by the largest absolute value.

    Returns:
        codes like x, and scale in float32 at least, with size 1 at dim.
    """
    wide = x.detach().to(torch.promote_types(x.dtype, torch.float32))
    scale = wide.abs().amax(dim=dim, keepdim=True) / LARGEST
    codes = (wide / scale.masked_fill(scale == 0, 1.0)).round()  # a group of zeros stays zero
    return codes.to(torch.int8), scale


def dequantize(codes: Tensor, scale: Tensor) -> Tensor:
    """codes * scale: [..., T, Dh] in the dtype of scale."""
    return codes.to(scale.dtype) * scale


def score_error_bound(q: Tensor, codes: Tensor, scale: Tensor) -> Tensor:
    """|q| times half a scale for each entry of the keys, over sqrt(Dh): [..., T_q, T_kv]."""
    half_a_step = (scale / 2).expand(codes.shape)  # [..., T_kv, Dh]
    return q.abs().to(scale.dtype) @ half_a_step.transpose(-2, -1) / math.sqrt(q.shape[-1])


def int8_attention(q: Tensor, keys: tuple[Tensor, Tensor], values: tuple[Tensor, Tensor]) -> Tensor:
    """softmax(q k^T / sqrt(Dh)) v with what the codes stand for, in the dtype of q: [..., T_q, Dv]."""
    k, v = dequantize(*keys), dequantize(*values)
    scores = q.to(k.dtype) @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return (scores.softmax(dim=-1) @ v).to(q.dtype)
