"""Sends a frame one byte at a time, so that the grader keeps waiting for the rest.

Stopped by: channel: one absolute deadline a frame.
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
    os.write(channel(), struct.pack("<QQ", 1 << 19, 0))
    while True:
        os.write(channel(), b" ")
        time.sleep(0.01)
