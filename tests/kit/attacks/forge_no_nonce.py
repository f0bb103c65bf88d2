"""Finds the channel and sends a reply of its own without a nonce.

Stopped by: sandbox.StudentTarget: a reply must carry the nonce of its request.
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
    text = json.dumps({"ok": True, "verdict": "passed", "points": 4}).encode()
    os.write(channel(), struct.pack("<QQ", len(text), 0) + text)
    time.sleep(0.2)
    return x * factor
