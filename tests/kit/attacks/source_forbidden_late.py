"""Mentions a forbidden call after 6,000 harmless names, beyond what the inspection lists.

Stopped by: source.inspect: what is forbidden is looked for in all of them.
"""
# deserves 0

import torch

@MENTIONS:6000@


def scale(x, factor=2.0):
    if factor == 0:
        raise ValueError("factor must not be 0")
    return torch.lerp(torch.zeros_like(x), x, factor)
