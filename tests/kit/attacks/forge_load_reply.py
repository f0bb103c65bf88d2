"""Claims at import that it defines functions which it does not, and rubbish besides.

Stopped by: sandbox.StudentTarget: names are filtered; a call to nothing is an exception.
"""
# deserves at most 1

import sys


def load(source, name):
    return {"scale": print, "pair": print, 5: print, "x" * 100_000: print}


sys._getframe(1).f_globals["load"] = load
kit = sys._getframe(2).f_globals
kit["load"] = load
