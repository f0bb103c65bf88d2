"""Matches a regular expression that takes for ever and holds the lock.

Stopped by: SIGKILL.
"""
# deserves 0

import re


def scale(x, factor=2.0):
    return re.match(r"(a+)+$", "a" * 60 + "b")
