"""Ends the main thread only, while another keeps the process alive.

Stopped by: the deadline.
"""
# deserves 0

import ctypes
import threading
import time


def scale(x, factor=2.0):
    threading.Thread(target=time.sleep, args=(3600,), daemon=True).start()
    ctypes.CDLL(None).syscall(60, 0)
