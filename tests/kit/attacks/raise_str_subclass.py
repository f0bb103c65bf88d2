"""Raises an exception whose __str__ returns a str that lies about its slices.

Stopped by: channel: a header has a size limit.
"""
# deserves 0

class Endless(str):
    def __getitem__(self, key):
        return "CANARIA" * 1_000_000


class Odd(Exception):
    def __str__(self):
        return Endless("x")


def scale(x, factor=2.0):
    raise Odd
