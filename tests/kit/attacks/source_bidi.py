"""Hides what the code says behind bidi overrides in a comment.

Stopped by: the code is run, not read; the report shows no source.
"""
# deserves 4

# @BIDI@ } factor = 0 { @BIDI@


def scale(x, factor=2.0):
    if factor == 0:
        raise ValueError("factor must not be 0")
    return x * factor
