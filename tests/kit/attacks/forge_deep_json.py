"""Sends a header nested so deeply that a JSON parser overflows.

Stopped by: channel: RecursionError is a broken frame.
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
    text = b'{"a":' + b"[" * 200_000 + b"]" * 200_000 + b"}"
    os.write(channel(), struct.pack("<QQ", len(text), 0) + text)
    time.sleep(0.2)
    return x * factor
