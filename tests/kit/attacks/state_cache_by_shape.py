"""Answers from a cache keyed on the shape of the input.

Stopped by: suites call with new values of the same shape.
"""
# deserves at most 3

cache = {}


def scale(x, factor=2.0):
    if factor == 0:
        raise ValueError("factor must not be 0")
    if x.shape not in cache:
        cache[x.shape] = x * factor
    return cache[x.shape]
