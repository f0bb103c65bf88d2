"""Claims an exception on a line whose number has 4,000 digits.

Stopped by: target.decode_raised: a line number has a limit.
"""
# deserves 0

import sys


def forged(function, request, payload, cap):
    return {"raised": {"types": ["ValueErro"], "message": "x", "line": 10 ** 4000, "column": -5}}, []


def scale(x, factor=2.0):
    raise NotImplementedError


sys._getframe(1).f_globals["call"] = forged
