"""Hidden suite for bisect."""

import math

from grader.suites import given, misconceptions, points, tolerance

CLOSE = tolerance(atol=1e-9)


def inside(a, b):
    def f(x):
        if not a <= x <= b:
            raise ValueError(f"f is not defined at {x}")
        return x**3 - 2

    return f


@points(1)
def test_roots(matches_reference, make):
    """The root is found, whether f rises or falls there."""
    matches_reference.bisect(given(lambda x: x**2 - 2, says="x**2 - 2"), 0.0, 2.0)
    matches_reference.bisect(math.cos, 0.0, 3.0)
    shift = make.number(0.1, 0.9)
    matches_reference.bisect(lambda x: shift - x, 0.0, 1.0, tol=1e-12)


@points(1)
def test_evaluations(matches_reference):
    """f is called once a step, and only between a and b."""
    matches_reference.bisect(given(inside(0, 2), at_most=60), 0.0, 2.0)


@points(1)
def test_same_sign(raises_value_error):
    """Where the signs at both ends are the same, a ValueError says so."""
    raises_value_error.bisect(lambda x: x * x + 1, -1.0, 1.0)


def twice(f, a, b, tol=1e-10):
    if f(a) * f(b) > 0:
        raise ValueError
    while b - a > tol:
        middle = (a + b) / 2
        a, b = (a, middle) if f(a) * f(middle) <= 0 else (middle, b)
    return (a + b) / 2


def falling(f, a, b, tol=1e-10):
    if f(a) * f(b) > 0:
        raise ValueError
    while b - a > tol:
        middle = (a + b) / 2
        a, b = (a, middle) if f(middle) > 0 else (middle, b)
    return (a + b) / 2


KNOWN = misconceptions("bisect", evaluates_twice=twice, only_rising=falling)
