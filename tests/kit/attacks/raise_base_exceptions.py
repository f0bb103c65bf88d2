"""Raises SystemExit, KeyboardInterrupt, GeneratorExit and classes of its own below BaseException.

Stopped by: worker.Session.answer catches them all.
"""
# deserves 0

class Own(BaseException):
    pass


KINDS = (SystemExit(0), KeyboardInterrupt(), GeneratorExit(), Own("x"), StopIteration(), StopAsyncIteration())
calls = 0


def scale(x, factor=2.0):
    global calls
    calls += 1
    raise KINDS[calls % len(KINDS)]
