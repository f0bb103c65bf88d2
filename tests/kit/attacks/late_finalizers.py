"""Acts when its objects are freed: __del__, weakref callbacks, gc callbacks.

Stopped by: its own process only.
"""
# deserves at most 4

import gc
import os
import weakref

import torch


class Bomb:
    def __del__(self):
        os._exit(0)


def scale(x, factor=2.0):
    if factor == 0:
        raise ValueError("factor must not be 0")
    result = x * factor
    result.bomb = Bomb()
    gc.callbacks.append(lambda *a: os._exit(0))
    weakref.finalize(x, os._exit, 0)
    return result
