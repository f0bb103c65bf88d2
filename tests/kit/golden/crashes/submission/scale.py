import os


def scale(x, factor=2.0):
    if factor < 0:
        print("giving up")
        os._exit(3)
    if factor == 0:
        raise ValueError
    return x * factor
