"""Writes random bytes to the channel.

Stopped by: channel: what is no frame ends the worker.
"""
# deserves 0

import json
import os
import stat
import struct
import time


def channel():
    for fd in range(3, 64):
        try:
            if stat.S_ISSOCK(os.fstat(fd).st_mode):
                return fd
        except OSError:
            pass


def scale(x, factor=2.0):
    for _ in range(50):
        os.write(channel(), os.urandom(100))
    return x * factor
