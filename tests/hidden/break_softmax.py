"""Hidden suite for calls that show mistakes of softmax."""

import torch
from hidden import softmax

from grader.suites import breaking


def by_torch(x, dim=-1):
    return torch.softmax(x, dim)


def by_logarithms(x, dim=-1):
    return (x - x.logsumexp(dim, keepdim=True)).exp()


def in_float64(x, dim=-1):
    return torch.softmax(x.double(), dim).to(x.dtype)


test_promised, test_told_apart = breaking.checks(
    softmax, "softmax", points=5, calls=5, right=[by_torch, by_logarithms, in_float64]
)
