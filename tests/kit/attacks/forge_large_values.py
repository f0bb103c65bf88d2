"""Returns a megabyte more than allowed, at every call.

Stopped by: channel: a payload over the limit is refused before it is read.
"""
# deserves 0

import sys


def forged(function, request, payload, cap):
    return {"ok": None}, [memoryview(bytes(3 << 20))]


def scale(x, factor=2.0):
    raise NotImplementedError


sys._getframe(1).f_globals["call"] = forged
