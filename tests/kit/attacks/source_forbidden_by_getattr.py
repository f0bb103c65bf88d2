"""Calls what the exercise forbids, by a name made up at run time.

Stopped by: forbidden.withhold: the operator refuses when it runs.
"""
# deserves 0

import torch


def scale(x, factor=2.0):
    if factor == 0:
        raise ValueError("factor must not be 0")
    return getattr(torch, "le" + "rp")(torch.zeros_like(x), x, factor)
