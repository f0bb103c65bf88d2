"""Starts threads without end.

Stopped by: RLIMIT_NPROC and RLIMIT_AS; the process wall.
"""
# deserves 0

import threading
import time

threading.stack_size(32768)


def scale(x, factor=2.0):
    while True:
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
