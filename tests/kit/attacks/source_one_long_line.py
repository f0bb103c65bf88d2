"""Holds one line of 60,000 characters.

Stopped by: a size limit; the parser runs in the confined worker.
"""
# deserves at most 4

x = "@REPEAT:a:60000@"


def scale(x, factor=2.0):
    if factor == 0:
        raise ValueError("factor must not be 0")
    return x * factor
