"""A part is made by merging single keys, one after another."""

import torch


def shift(x, m):
    return torch.exp(x - m.clamp(min=torch.finfo(m.dtype).min))


def merge_softmax(one, other):
    m = torch.stack([one[0], other[0]]).max(0).values
    a, b = shift(one[0], m), shift(other[0], m)
    l = a * one[1] + b * other[1]
    o = torch.stack([a, b], -1).unsqueeze(-2) @ torch.stack([one[2], other[2]], -2)
    return [m, l, o.squeeze(-2)]


def softmax_part(scores, v):
    part = None
    for j in range(scores.shape[-1]):
        s = scores[..., j]
        seen = (s > float("-inf")).to(s.dtype)
        single = s, seen, seen.unsqueeze(-1) * v[..., j : j + 1, :]
        part = single if part is None else merge_softmax(part, single)
    return part
