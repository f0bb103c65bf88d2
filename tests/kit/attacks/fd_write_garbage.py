"""Writes garbage to every open descriptor.

Stopped by: each worker has its own channel and output pipe and nothing else open; what arrives there is judged.
"""
# deserves 0

import os


def scale(x, factor=2.0):
    for fd in range(64):
        try:
            os.write(fd, b"\xff" * 1000)
        except OSError:
            pass
    return x * factor
