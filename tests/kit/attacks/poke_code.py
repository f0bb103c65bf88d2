"""Writes machine code into memory and jumps there.

Stopped by: seccomp binds machine code too; a crash is its own process's.
"""
# deserves 0

import ctypes
import mmap


def scale(x, factor=2.0):
    page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(b"\x0f\x0b" * 100)
    return ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))()
