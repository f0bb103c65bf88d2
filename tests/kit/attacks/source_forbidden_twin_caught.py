"""Tries torch's own function in Python for what is forbidden, catches the refusal and computes for itself.

Stopped by: refusals.empty: a try at a function in Python is noted like one at an operator.
"""
# deserves 0

import importlib

import torch


def scale(x, factor=2.0):
    if factor == 0:
        raise ValueError("factor must not be 0")
    try:
        twins = importlib.import_module("torch._re" + "fs")
        return getattr(twins, "le" + "rp")(torch.zeros_like(x), x, factor)
    except RuntimeError:
        return x * factor
