"""Describes a tensor of 60,000 dimensions, each so long that their product takes minutes.

Stopped by: wire: the number of dimensions is checked before anything is computed from them.
"""
# deserves 0

import sys


ZERO = {
    "!": "tensor", "dtype": "float32", "shape": [3], "strides": [1], "at": 0, "bytes": 12,
    "device": "cpu", "grad": False,
}

def forged(function, request, payload, cap):
    return {"ok": {**ZERO, "shape": [(1 << 48) - 1] * 60_000}}, [memoryview(bytes(12))]


def scale(x, factor=2.0):
    raise NotImplementedError


sys._getframe(1).f_globals["call"] = forged
