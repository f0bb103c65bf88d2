"""Returns generators, and lists and dicts whose iteration never ends.

Stopped by: wire: a value has a limit of items; the deadline.
"""
# deserves 0

import itertools


class Endless(list):
    def __iter__(self):
        return itertools.count()


class EndlessKeys(dict):
    def items(self):
        return (("k", i) for i in itertools.count())


calls = 0


def scale(x, factor=2.0):
    global calls
    calls += 1
    return (Endless(), EndlessKeys(), itertools.count(), iter(int, 1))[calls % 4]
