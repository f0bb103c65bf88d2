"""Closes every descriptor.

Stopped by: a closed peer is an answer that never came.
"""
# deserves 0

import os


def scale(x, factor=2.0):
    os.closerange(0, 64)
    return x * factor
