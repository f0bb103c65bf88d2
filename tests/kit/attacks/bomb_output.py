"""Prints 20 megabytes at import and a line of a megabyte at every call.

Stopped by: a private pipe that is emptied while the grader waits; 4 KB are kept.
"""
# deserves at most 4

import sys

for _ in range(20):
    sys.stdout.write("CANARIA " * (1 << 17))


def scale(x, factor=2.0):
    sys.stderr.write("x" * (1 << 20))
    if factor == 0:
        raise ValueError("factor must not be 0")
    return x * factor
