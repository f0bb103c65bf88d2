"""Returns bool tensors whose bytes are neither 0 nor 1.

Stopped by: wire: a bool is 0 or 1 after decoding.
"""
# deserves 0

import torch


def scale(x, factor=2.0):
    return torch.full(x.shape, 255, dtype=torch.uint8).view(torch.bool)
