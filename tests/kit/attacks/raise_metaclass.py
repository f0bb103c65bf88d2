"""Raises an exception whose class lies about its name and its bases.

Stopped by: the worker ends; a lost worker is a failed check.
"""
# deserves 0

class Meta(type):
    @property
    def __mro__(cls):
        raise SystemExit

    @property
    def __name__(cls):
        raise SystemExit


class Odd(Exception, metaclass=Meta):
    pass


def scale(x, factor=2.0):
    raise Odd
