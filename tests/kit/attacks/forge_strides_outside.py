"""Describes a tensor whose strides point outside what was sent.

Stopped by: wire.BadValue from the decoder is a failed check.
"""
# deserves 0

import sys


ZERO = {
    "!": "tensor", "dtype": "float32", "shape": [3], "strides": [1], "at": 0, "bytes": 12,
    "device": "cpu", "grad": False,
}

def forged(function, request, payload, cap):
    return {"ok": {**ZERO, "strides": [1 << 40]}}, [memoryview(bytes(12))]


def scale(x, factor=2.0):
    raise NotImplementedError


sys._getframe(1).f_globals["call"] = forged
