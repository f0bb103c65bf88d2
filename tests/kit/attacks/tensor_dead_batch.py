"""Returns a tensor of a torch.vmap that has ended, whose level is gone.

Stopped by: wire: the bytes of a result are asked for in the worker, where that raises.
"""
# deserves 0

import torch

kept = []


def keep(row):
    kept.append(row)
    return row


def scale(x, factor=2.0):
    torch.vmap(keep)(x)
    return kept[-1]
