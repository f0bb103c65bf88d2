"""Hidden suite for quad."""

import math

from grader.suites import given, misconceptions, points, tolerance

CLOSE = tolerance(atol=1e-7)


@points(1)
def test_integrals(matches_reference, make):
    """The integral is right within tol."""
    matches_reference.quad(math.exp, 0.0, 1.0)
    matches_reference.quad(given(lambda x: x * math.sin(3 * x), says="x sin 3x"), 0.0, make.number(1.0, 2.0))
    matches_reference.quad(given(abs, name="abs"), -1.0, 2.0)


@points(1)
def test_adapts(matches_reference):
    """A sharp peak is resolved with few evaluations elsewhere, none of them twice."""
    matches_reference.quad(given(lambda x: 1 / (1e-3 + x * x), at_most=700), -1.0, 1.0, tol=1e-5)


def uniform(f, a, b, tol=1e-8):
    n = 2000
    h = (b - a) / n
    inner = sum((4 if i % 2 else 2) * f(a + i * h) for i in range(1, n))
    return h / 3 * (f(a) + f(b) + inner)


def trapezoid(f, a, b, tol=1e-8):
    n = 64
    h = (b - a) / n
    return h * (f(a) / 2 + f(b) / 2 + sum(f(a + i * h) for i in range(1, n)))


KNOWN = misconceptions("quad", not_adaptive=uniform, trapezoid_rule=trapezoid)
