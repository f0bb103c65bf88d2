"""Returns a list of a million tensors.

Stopped by: wire: a value has a limit of items.
"""
# deserves 0

def scale(x, factor=2.0):
    return [x] * 1_000_000
