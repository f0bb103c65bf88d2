"""Reads address 0.

Stopped by: a crash is its own process's.
"""
# deserves 0

import ctypes
import faulthandler
import sys

faulthandler.enable(sys.__stderr__)


def scale(x, factor=2.0):
    return ctypes.string_at(0)
