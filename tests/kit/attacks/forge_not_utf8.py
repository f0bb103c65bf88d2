"""Sends headers that are no UTF-8 and no JSON object.

Stopped by: channel: both are broken frames.
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
    for text in (b"\xff\xfe\x00", b"[]", b"null", b"NaN", "{}".encode("utf-16")):
        os.write(channel(), struct.pack("<QQ", len(text), 0) + text)
    return x * factor
