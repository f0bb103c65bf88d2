"""Takes memory while the file is imported.

Stopped by: RLIMIT_AS.
"""
# deserves 0

import torch

KEPT = [torch.ones(1 << 24) for _ in range(1000)]


def scale(x, factor=2.0):
    if factor == 0:
        raise ValueError("factor must not be 0")
    return x * factor
