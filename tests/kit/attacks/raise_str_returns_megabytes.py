"""Raises exceptions with messages of 50 megabytes.

Stopped by: source.describe and messages.Raised cut it.
"""
# deserves 0

def scale(x, factor=2.0):
    raise RuntimeError("CANARIA " * 6_000_000)
