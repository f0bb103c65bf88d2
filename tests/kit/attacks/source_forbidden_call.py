"""Calls what the exercise forbids, by another name.

Stopped by: source.inspect: names are followed through imports.
"""
# deserves 0

from torch import lerp as _mul


def scale(x, factor=2.0):
    if factor == 0:
        raise ValueError("factor must not be 0")
    return _mul(x * 0, x, factor)
