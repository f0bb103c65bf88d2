"""Makes system calls through the 32-bit table, whose numbers a careless filter does not know.

Stopped by: seccomp: a foreign table kills the process.
"""
# deserves at most 1

import ctypes


def scale(x, factor=2.0):
    ctypes.CDLL(None).syscall(0x40000000 | 57)
    return x * 3
