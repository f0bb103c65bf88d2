"""Returns objects whose pickles run code where they are loaded.

Stopped by: wire: nothing is ever unpickled; an object does not cross.
"""
# deserves 0

import os


class Bomb:
    def __reduce__(self):
        return os.system, ("echo CANARY" + "-written > @MARKS@/pickle",)


def scale(x, factor=2.0):
    return Bomb()
