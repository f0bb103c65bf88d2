"""Claims that input 0 was changed, 200,000 times, to fill the report.

Stopped by: target.Outcome.decode: each input is named once.
"""
# deserves at most 1

import sys


ZERO = {
    "!": "tensor", "dtype": "float32", "shape": [3], "strides": [1], "at": 0, "bytes": 12,
    "device": "cpu", "grad": False,
}

def forged(function, request, payload, cap):
    return {"ok": ZERO, "changed": [0] * 200_000}, [memoryview(bytes(12))]


def scale(x, factor=2.0):
    raise NotImplementedError


sys._getframe(1).f_globals["call"] = forged
