"""Returns a tensor that says it is small while its storage is a gigabyte.

Stopped by: wire: a value has a size limit on both sides; rlimits bound the memory.
"""
# deserves at most 1

import torch


def scale(x, factor=2.0):
    return torch.empty(1 << 28)[: x.numel()].reshape(x.shape)
