"""Returns dicts with keys that are NaN, tuples or beyond 64 bits, of thousands of entries, and dicts that lie.

Stopped by: wire: what cannot cross is named by its kind; a value has a limit of items.
"""
# deserves 0

calls = 0


class Lying(dict):
    def __len__(self):
        return 10**9

    def items(self):
        while True:
            yield "x", 1

    def values(self):
        raise SystemExit(0)

    def __iter__(self):
        return iter([float("nan")] * 3)


def scale(x, factor=2.0):
    global calls
    calls += 1
    nan = float("nan")
    dicts = ({nan: x, nan * 1: x}, {(1, 2): x}, {10**4000: x}, dict.fromkeys(range(9000), x), Lying(x=x), {True: x})
    return dicts[calls % len(dicts)]
