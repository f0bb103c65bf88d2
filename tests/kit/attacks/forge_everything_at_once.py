"""Sends a reply that holds a value, an exception, gradients and a verdict.

Stopped by: target.Outcome.decode: an exception is an exception, whatever stands beside it.
"""
# deserves 0

import sys


ZERO = {
    "!": "tensor", "dtype": "float32", "shape": [3], "strides": [1], "at": 0, "bytes": 12,
    "device": "cpu", "grad": False,
}

def forged(function, request, payload, cap):
    return {"ok": ZERO, "raised": {"types": ["X"]}, "verdict": "passed", "nonce": 0}, [memoryview(bytes(12))]


def scale(x, factor=2.0):
    raise NotImplementedError


sys._getframe(1).f_globals["call"] = forged
