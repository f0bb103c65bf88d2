"""Switches torch's modes off around a forbidden call with a made-up name.

Stopped by: refusals: what switches modes off is a private name. Behind it stands forbidden.withhold: the operator is
taken out of torch itself, for every thread and under every mode.
"""
# deserves 0

import torch
from torch.utils._python_dispatch import _disable_current_modes


def scale(x, factor=2.0):
    if factor == 0:
        raise ValueError("factor must not be 0")
    with _disable_current_modes(), torch._C.DisableTorchFunction():
        return getattr(torch, "le" + "rp")(torch.zeros_like(x), x, factor)
