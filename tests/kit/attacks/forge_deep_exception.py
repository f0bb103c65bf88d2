"""Claims an exception whose class names are lists nested 900 deep.

Stopped by: target.decode_raised: whatever decoding raises is a failed check.
"""
# deserves 0

import sys


def forged(function, request, payload, cap):
    deep = []
    for _ in range(900):
        deep = [deep]
    return {"raised": {"types": [deep, {}, 5], "message": deep, "line": 1}}, []


def scale(x, factor=2.0):
    raise NotImplementedError


sys._getframe(1).f_globals["call"] = forged
