"""Returns 70 megabytes of text.

Stopped by: channel: a header has a size limit.
"""
# deserves 0

def scale(x, factor=2.0):
    return "CANARIA" * 10_000_000
