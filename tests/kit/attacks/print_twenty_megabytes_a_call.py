"""Makes its streams non-blocking, asks for larger pipes and writes twenty megabytes in each call.

Stopped by: seccomp: F_SETPIPE_SZ; PipeOutput: what is beyond the limit is counted and dropped.
"""
# deserves at most 4

import fcntl
import os

for stream in (1, 2):
    fcntl.fcntl(stream, fcntl.F_SETFL, os.O_NONBLOCK)
    try:
        print("CANARY" + "-pipe", fcntl.fcntl(stream, 1031, 1 << 20))
    except OSError:
        pass


def scale(x, factor=2.0):
    if factor == 0:
        raise ValueError("factor must not be 0")
    try:
        for _ in range(300):
            os.write(1, b"A" * 65536)
    except BlockingIOError:
        pass
    return x * factor
