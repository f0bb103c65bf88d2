"""Begins a frame, then ends the process.

Stopped by: channel: a closed peer is an answer that never came.
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
    os.write(channel(), struct.pack("<QQ", 1000, 1000) + b'{"ok"')
    os._exit(0)
