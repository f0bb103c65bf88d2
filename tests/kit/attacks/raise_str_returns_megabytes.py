"""Raises exceptions with messages of 50 megabytes.

Stopped by: worker.describe and target.decode_raised cut it.
"""
# deserves 0

def scale(x, factor=2.0):
    raise RuntimeError("CANARIA " * 6_000_000)
