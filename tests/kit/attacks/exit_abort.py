"""Aborts.

Stopped by: a lost worker is a failed check.
"""
# deserves 0

import os


def scale(x, factor=2.0):
    os.abort()
