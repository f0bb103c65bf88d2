"""Raises exceptions whose __str__ and __repr__ raise.

Stopped by: source.describe: a message that cannot be had is none.
"""
# deserves 0

class Rude(Exception):
    def __str__(self):
        raise self

    __repr__ = __str__


def scale(x, factor=2.0):
    raise Rude
