"""Sends replies with guessed nonces before the real one.

Stopped by: sandbox.StudentTarget: 64 random bits a request; the first wrong reply ends the worker.
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
    for nonce in ("0" * 16, "", None, 0, True, ["a"], {"nonce": "b"}):
        text = json.dumps({"ok": None, "nonce": nonce}).encode()
        os.write(channel(), struct.pack("<QQ", len(text), 0) + text)
    return x * factor
