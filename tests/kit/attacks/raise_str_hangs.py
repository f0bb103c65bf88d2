"""Raises an exception whose __str__ never returns.

Stopped by: the deadline of the call.
"""
# deserves 0

class Slow(Exception):
    def __str__(self):
        while True:
            pass


def scale(x, factor=2.0):
    raise Slow
