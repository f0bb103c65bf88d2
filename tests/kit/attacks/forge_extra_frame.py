"""Answers honestly, but a thread sends a second answer after the first.

Stopped by: sandbox.StudentTarget: the extra frame is read as the next answer, has the wrong nonce, ends the worker.
"""
# deserves at most 4

import json
import os
import stat
import struct
import threading
import time

def channel():
    for fd in range(3, 64):
        try:
            if stat.S_ISSOCK(os.fstat(fd).st_mode):
                return fd
        except OSError:
            pass


def later():
    time.sleep(0.02)
    text = json.dumps({"ok": None, "verdict": "passed"}).encode()
    os.write(channel(), struct.pack("<QQ", len(text), 0) + text)


def scale(x, factor=2.0):
    threading.Thread(target=later, daemon=True).start()
    if factor == 0:
        raise ValueError("factor must not be 0")
    return x * factor
