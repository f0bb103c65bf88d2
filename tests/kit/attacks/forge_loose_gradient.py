"""Claims zero gradients in bfloat16, where the tolerance is wide.

Stopped by: probes.Gradients: a gradient has the dtype of its input.
"""
# deserves at most 1

import sys


ZERO = {
    "!": "tensor", "dtype": "float32", "shape": [3], "strides": [1], "at": 0, "bytes": 12,
    "device": "cpu", "grad": False,
}

def forged(function, request, payload, cap):
    zero = {**ZERO, "dtype": "bfloat16", "bytes": 6, "at": 12}
    return {"ok": ZERO, "gradients": [zero]}, [memoryview(bytes(18))]


def scale(x, factor=2.0):
    raise NotImplementedError


sys._getframe(1).f_globals["call"] = forged
