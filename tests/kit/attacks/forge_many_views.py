"""Describes 8,000 tensors that all view the same bytes.

Stopped by: wire: a payload is taken once, so that a value cannot outgrow it.
"""
# deserves 0

import sys


ZERO = {
    "!": "tensor", "dtype": "float32", "shape": [3], "strides": [1], "at": 0, "bytes": 12,
    "device": "cpu", "grad": False,
}

def forged(function, request, payload, cap):
    return {"ok": [ZERO] * 8000}, [memoryview(bytes(12))]


def scale(x, factor=2.0):
    raise NotImplementedError


sys._getframe(1).f_globals["call"] = forged
