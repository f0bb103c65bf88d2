"""Claims to have run a forbidden operator with a name of half a megabyte.

Stopped by: target.Outcome.decode: names are cut; a claim can only cost points.
"""
# deserves 0

import sys


ZERO = {
    "!": "tensor", "dtype": "float32", "shape": [3], "strides": [1], "at": 0, "bytes": 12,
    "device": "cpu", "grad": False,
}

def forged(function, request, payload, cap):
    return {"ok": ZERO, "operators": ["lerp_" + "A<b>" * 100_000]}, [memoryview(bytes(12))]


def scale(x, factor=2.0):
    raise NotImplementedError


sys._getframe(1).f_globals["call"] = forged
