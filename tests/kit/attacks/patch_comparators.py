"""Replaces torch.equal, allclose, isclose and Tensor.__eq__ by functions that say yes.

Stopped by: the wall: comparisons happen in a process that the student's code never enters.
"""
# deserves 0

import torch

torch.equal = torch.allclose = torch.isclose = torch.testing.assert_close = lambda *a, **k: True
torch.Tensor.__eq__ = torch.Tensor.__le__ = torch.Tensor.__lt__ = lambda self, other: torch.tensor(True)
torch.Tensor.all = lambda *a, **k: torch.tensor(True)


def scale(x, factor=2.0):
    raise NotImplementedError
