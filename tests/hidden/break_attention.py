"""Hidden suite for calls that show mistakes of scaled_dot_product_attention."""

import torch
from hidden import attention
from hidden.lib.attention import attend

from grader.suites import breaking


def fused(q, k, v, mask=None):
    _, weights = attend(q, k, v, mask)
    return torch.nn.functional.scaled_dot_product_attention(q, k, v, mask), weights


def lowest_number(q, k, v, mask=None):
    return attend(q, k, v, mask, fill=torch.finfo(q.dtype).min)


def in_float64(q, k, v, mask=None):
    return tuple(t.to(q.dtype) for t in attend(q.double(), k.double(), v.double(), mask))


test_promised, test_told_apart = breaking.checks(
    attention, "scaled_dot_product_attention", points=5, calls=5, right=[fused, lowest_number, in_float64]
)
