"""Returns a tensor whose memory was given back, so that its bytes are read from nowhere.

Stopped by: the process boundary: it is the worker that reads them.
"""
# deserves at most 1.5


def scale(x, factor=2.0):
    if factor == 0:
        raise ValueError("factor must not be 0")
    result = x * factor
    result.untyped_storage().resize_(0)
    return result
