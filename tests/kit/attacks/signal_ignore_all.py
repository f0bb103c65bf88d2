"""Ignores every signal that can be ignored, then runs for ever.

Stopped by: SIGKILL only, never a request to stop.
"""
# deserves 0

import signal

for number in range(1, 65):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass


def scale(x, factor=2.0):
    while True:
        pass
