"""Answers with a whole number of four thousand digits, as a value, as a key and as a list of changes.

Stopped by: wire.BadValue; such a number overflows where it becomes a float.
"""
# deserves 0

import sys

LARGE = int("9" * 4000)
REPLIES = [
    {"ok": LARGE}, {"ok": -LARGE}, {"ok": {"!": "dict", "items": [[LARGE, 1]]}},
    {"ok": {"!": "tuple", "items": [LARGE]}}, {"ok": None, "changed": [LARGE]}, {"ok": None, "gradients": [LARGE]},
]


def forged(function, request, payload, cap):
    forged.calls = getattr(forged, "calls", -1) + 1
    return REPLIES[forged.calls % len(REPLIES)], []


def scale(x, factor=2.0):
    raise NotImplementedError


sys._getframe(1).f_globals["call"] = forged
