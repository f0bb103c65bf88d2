"""Leaves a thread behind that closes the channel during the next check.

Stopped by: it can only break its own worker, which is replaced.
"""
# deserves at most 4

import os
import threading
import time


def later():
    time.sleep(0.02)
    os.closerange(3, 64)


def scale(x, factor=2.0):
    threading.Thread(target=later, daemon=True).start()
    if factor == 0:
        raise ValueError("factor must not be 0")
    return x * factor
