"""Raises an exception whose class answers with a million bases and a number for a name.

Stopped by: the process boundary: describing it fails in the worker, which ends.
"""
# deserves 0


class Meta(type):
    def mro(cls):
        return [cls, ValueError, Exception, BaseException, object]

    @property
    def __mro__(cls):
        return ["passed"] * 10**6

    @property
    def __name__(cls):
        return 10**6


class Passed(ValueError, metaclass=Meta):
    pass


def scale(x, factor=2.0):
    raise Passed("4 of 4")
