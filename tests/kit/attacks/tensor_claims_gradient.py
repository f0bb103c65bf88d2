"""Returns an integer tensor and a leaf that asks for a gradient, hoping that a suite trips over it.

Stopped by: wire: a claim that cannot be is a failed check.
"""
# deserves at most 2

import torch


def scale(x, factor=2.0):
    return torch.zeros(x.shape, dtype=x.dtype, requires_grad=True) * 1
