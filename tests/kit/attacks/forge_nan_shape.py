"""Describes tensors with shapes of NaN, text, floats and nothing.

Stopped by: wire.BadValue from the decoder is a failed check.
"""
# deserves 0

import sys


ZERO = {
    "!": "tensor", "dtype": "float32", "shape": [3], "strides": [1], "at": 0, "bytes": 12,
    "device": "cpu", "grad": False,
}

def forged(function, request, payload, cap):
    shapes = [[float("nan")], ["3"], [3.0], None, {}, [True, 3], [None]]
    forged.calls = getattr(forged, "calls", -1) + 1
    return {"ok": {**ZERO, "shape": shapes[forged.calls % len(shapes)]}}, [memoryview(bytes(12))]


def scale(x, factor=2.0):
    raise NotImplementedError


sys._getframe(1).f_globals["call"] = forged
