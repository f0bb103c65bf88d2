"""Mentions 20,000 names, to overflow what the inspection says.

Stopped by: worker.inspect: a bounded list.
"""
# deserves 4

import torch

@MENTIONS:3000@


def scale(x, factor=2.0):
    if factor == 0:
        raise ValueError("factor must not be 0")
    return x * factor
