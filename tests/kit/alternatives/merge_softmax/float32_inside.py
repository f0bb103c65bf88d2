from typing import NamedTuple

import torch


class Part(NamedTuple):
    m: torch.Tensor
    l: torch.Tensor
    o: torch.Tensor

    def to(self, dtype):
        return Part(*(t.to(dtype) for t in self))


def safe(m):
    return m.masked_fill(torch.isneginf(m), 0)


def softmax_part(scores, v):
    dtype, scores, v = scores.dtype, scores.float(), v.float()
    m = scores.max(-1)[0]
    p = torch.exp(scores - safe(m).unsqueeze(-1))
    return Part(m, p.sum(-1), torch.matmul(p, v)).to(dtype)


def merge_softmax(one, other):
    dtype = one[0].dtype
    one, other = Part(*one).to(torch.float32), Part(*other).to(torch.float32)
    m = torch.max(one.m, other.m)
    a, b = torch.exp(one.m - safe(m)), torch.exp(other.m - safe(m))
    return Part(m, one.l * a + other.l * b, one.o * a[..., None] + other.o * b[..., None]).to(dtype)
