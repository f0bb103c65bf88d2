"""Takes just under the limit at every call, for hours in all.

Stopped by: the time of an exercise, and of a submission, beside that of a call.
"""
# deserves at most 4

import time

time.sleep(0.3)


def scale(x, factor=2.0):
    time.sleep(0.45)
    if factor == 0:
        raise ValueError("factor must not be 0")
    return x * factor
