"""Calls what the exercise forbids, through torch.ops.

Stopped by: forbidden.withhold: the operator refuses when it runs.
"""
# deserves 0

import torch

name = "prel"[::-1]


def scale(x, factor=2.0):
    if factor == 0:
        raise ValueError("factor must not be 0")
    return getattr(torch.ops.aten, name).Scalar(torch.zeros_like(x), x, factor)
