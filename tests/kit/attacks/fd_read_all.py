"""Reads from every open descriptor, hoping for another process's data.

Stopped by: each worker has its own channel and output pipe and nothing else open; what arrives there is judged.
"""
# deserves at most 4

import os


def scale(x, factor=2.0):
    for fd in range(64):
        try:
            os.set_blocking(fd, False)
            print(os.read(fd, 100), os.pread(fd, 100, 0))
        except OSError:
            pass
    os.set_blocking(3, True)
    if factor == 0:
        raise ValueError("factor must not be 0")
    return x * factor
