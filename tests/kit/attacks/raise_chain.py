"""Raises an exception with a cause chain and a traceback of 100,000 frames.

Stopped by: only name, message and one line cross.
"""
# deserves 0

import sys

sys.setrecursionlimit(20_000)


def deep(n):
    if n == 0:
        raise RuntimeError("bottom")
    deep(n - 1)


def scale(x, factor=2.0):
    error = None
    for _ in range(20):
        try:
            deep(5000)
        except RuntimeError as caught:
            caught.__cause__, error = error, caught
    raise error
