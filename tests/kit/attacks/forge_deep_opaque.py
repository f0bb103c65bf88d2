"""Nests lists inside a value that does not cross, where a careless walk overflows the stack.

Stopped by: target.Outcome.decode: whatever decoding raises is a failed check.
"""
# deserves 0

import sys


def forged(function, request, payload, cap):
    deep = []
    for _ in range(400):
        deep = [deep]
    return {"ok": {"!": "opaque", "type": "x", "items": deep}}, []


def scale(x, factor=2.0):
    raise NotImplementedError


sys._getframe(1).f_globals["call"] = forged
