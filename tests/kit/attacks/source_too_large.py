"""Is larger than a file may be.

Stopped by: submission: the size is checked before anything else.
"""
# deserves 0

# @REPEAT:x:70000@


def scale(x, factor=2.0):
    if factor == 0:
        raise ValueError("factor must not be 0")
    return x * factor
