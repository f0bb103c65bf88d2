"""Puts Python's own loader back and calls torch's twin of what is forbidden, in a module that is imported late.

Stopped by: forbidden._watching: such a module is not run with the twin in it, whoever loaded it.
"""
# deserves 0

from importlib.machinery import SourceFileLoader

import torch

torch.compile  # so that the compiler is there
for cell in SourceFileLoader.get_code.__closure__ or ():
    if callable(cell.cell_contents):
        SourceFileLoader.get_code = cell.cell_contents


def scale(x, factor=2.0):
    import torch._inductor.decomposition as twins

    return twins._lerp_scalar(torch.zeros_like(x), x, factor)
