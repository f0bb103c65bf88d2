"""Claims gradients of complex, bool and integer dtype.

Stopped by: probes.Gradients: a gradient has the dtype of its input.
"""
# deserves at most 1

import sys


ZERO = {
    "!": "tensor", "dtype": "float32", "shape": [3], "strides": [1], "at": 0, "bytes": 12,
    "device": "cpu", "grad": False,
}

def forged(function, request, payload, cap):
    kinds = {"complex64": 24, "bool": 3, "int64": 24, "float16": 6, "uint8": 3}
    forged.calls = getattr(forged, "calls", -1) + 1
    name, size = list(kinds.items())[forged.calls % len(kinds)]
    return {"ok": ZERO, "gradients": [{**ZERO, "dtype": name, "at": 12, "bytes": size}]}, [memoryview(bytes(12 + size))]


def scale(x, factor=2.0):
    raise NotImplementedError


sys._getframe(1).f_globals["call"] = forged
