"""Claims gradients on the meta device, which cannot be compared.

Stopped by: target.Outcome.decode: a gradient that is not on the CPU is no answer; a student cannot break the suite.
"""
# deserves at most 1

import sys


ZERO = {
    "!": "tensor", "dtype": "float32", "shape": [3], "strides": [1], "at": 0, "bytes": 12,
    "device": "cpu", "grad": False,
}

def forged(function, request, payload, cap):
    meta = {**ZERO, "device": "meta", "strides": []}
    return {"ok": ZERO, "gradients": [meta] * 3}, [memoryview(bytes(12))]


def scale(x, factor=2.0):
    raise NotImplementedError


sys._getframe(1).f_globals["call"] = forged
