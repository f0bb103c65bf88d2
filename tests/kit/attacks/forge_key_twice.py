"""Answers with a dict that holds a key twice, a tensor of values first and one without memory behind it, so that the
device of the one would be taken for that of the other.

Stopped by: wire.BadValue: a key comes once.
"""
# deserves 0

import sys

ZERO = {
    "!": "tensor", "dtype": "float32", "shape": [3], "strides": [1], "at": 0, "bytes": 12,
    "device": "cpu", "grad": False,
}
NOWHERE = {**ZERO, "strides": [], "bytes": 0, "device": "meta"}


def forged(function, request, payload, cap):
    return {"ok": {"!": "dict", "items": [["x", ZERO], ["x", NOWHERE]]}}, [memoryview(bytes(12))]


def scale(x, factor=2.0):
    raise NotImplementedError


sys._getframe(1).f_globals["call"] = forged
