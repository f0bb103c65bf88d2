"""Claims a payload of 2^63 bytes.

Stopped by: channel: sizes are checked before memory is taken.
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
    os.write(channel(), struct.pack("<QQ", 2, 1 << 63) + b"{}")
    time.sleep(0.2)
    return x * factor
