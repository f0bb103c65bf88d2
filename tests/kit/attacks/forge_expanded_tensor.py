"""Describes a tensor of 2^45 entries, all of them the same four bytes.

Stopped by: wire: a tensor may not be expanded far beyond its bytes.
"""
# deserves 0

import sys


ZERO = {
    "!": "tensor", "dtype": "float32", "shape": [3], "strides": [1], "at": 0, "bytes": 12,
    "device": "cpu", "grad": False,
}

def forged(function, request, payload, cap):
    return {"ok": {**ZERO, "shape": [1 << 45], "strides": [0]}}, [memoryview(bytes(12))]


def scale(x, factor=2.0):
    raise NotImplementedError


sys._getframe(1).f_globals["call"] = forged
