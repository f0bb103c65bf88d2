"""Hands in a class where a function is due, whose metaclass answers calls, counts them and lies about its name.

Stopped by: any callable will do; what it returns is compared as ever.
"""
# deserves at most 1

class Meta(type):
    made = 0

    def __call__(cls, x, factor=2.0):
        Meta.made += 1
        if factor == 0:
            raise ValueError("factor must not be 0")
        return x if Meta.made % 2 else type.__call__(cls)

    def __getattribute__(cls, name):
        if name in ("__module__", "__qualname__", "__name__"):
            return {"not": "a text"}
        return type.__getattribute__(cls, name)


class scale(metaclass=Meta):
    def __reduce__(self):
        raise SystemExit(0)

    @property
    def shape(self):
        raise KeyboardInterrupt
