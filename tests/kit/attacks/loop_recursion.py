"""Calls itself without end, with the recursion limit lifted.

Stopped by: a crash is its own process's.
"""
# deserves 0

import sys

sys.setrecursionlimit(1 << 30)


def scale(x, factor=2.0):
    return scale(scale(x, factor), factor)
