"""Switches torch's modes off around a forbidden call with a made-up name.

Stopped by: the grader's tracer where it can; see docs/threat-model.md: what ran inside a worker is a claim.
"""
# deserves 0

import torch
from torch.utils._python_dispatch import _disable_current_modes


def scale(x, factor=2.0):
    if factor == 0:
        raise ValueError("factor must not be 0")
    with _disable_current_modes(), torch._C.DisableTorchFunction():
        return getattr(torch, "le" + "rp")(torch.zeros_like(x), x, factor)
