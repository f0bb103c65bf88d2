"""Prints for ever, as fast as it can.

Stopped by: the deadline holds while output is being emptied.
"""
# deserves 0

import os


def scale(x, factor=2.0):
    line = b"x" * (1 << 16)
    while True:
        os.write(1, line)
