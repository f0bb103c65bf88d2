"""Returns lists nested 100,000 deep and lists that hold themselves.

Stopped by: wire: a value has a limit of depth.
"""
# deserves 0

calls = 0


def scale(x, factor=2.0):
    global calls
    calls += 1
    deep = []
    if calls % 2:
        deep.append(deep)
        return deep
    for _ in range(100_000):
        deep = [deep]
    return deep
