"""The part by recursion: that of a single key is plain, those of two halves are merged; parts are named tuples."""

from typing import NamedTuple

import torch


class Part(NamedTuple):
    m: torch.Tensor
    l: torch.Tensor
    o: torch.Tensor


def softmax_part(scores, v):
    n = scores.shape[-1]
    if n == 1:
        m = scores[..., 0]
        seen = (m > -torch.inf).to(scores.dtype)
        return Part(m, seen, seen.unsqueeze(-1) * v[..., :1, :])
    left, right = scores.split([n // 2, n - n // 2], dim=-1)
    return merge_softmax(softmax_part(left, v[..., : n // 2, :]), softmax_part(right, v[..., n // 2 :, :]))


def merge_softmax(one, other):
    parts = [Part(*one), Part(*other)]
    m = torch.stack([part.m for part in parts]).amax(0)
    shares = [torch.exp(part.m - m).masked_fill(part.m.isinf(), 0.0) for part in parts]
    l = sum(part.l * share for part, share in zip(parts, shares))
    o = sum(part.o * share.unsqueeze(-1) for part, share in zip(parts, shares))
    return Part(m, l, o)
