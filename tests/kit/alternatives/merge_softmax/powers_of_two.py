import math

import torch


def power(x):
    return torch.exp2(x * math.log2(math.e))


def softmax_part(scores, v):
    m = torch.max(scores, dim=-1).values
    base = torch.where(m.isinf(), torch.zeros_like(m), m)
    p = power(scores - base[..., None])
    return m, p.sum(-1), torch.einsum("...tn,...nd->...td", p, v)


def merge_softmax(one, other):
    (m1, l1, o1), (m2, l2, o2) = one, other
    m = torch.where(m1 > m2, m1, m2)
    base = torch.where(m.isinf(), torch.zeros_like(m), m)
    a, b = power(m1 - base), power(m2 - base)
    return m, l1 * a + l2 * b, o1 * a[..., None] + o2 * b[..., None]
