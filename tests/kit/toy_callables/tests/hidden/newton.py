"""Hidden suite for newton."""

import math

from grader.suites import expect, given, misconceptions, points, tolerance

CLOSE = tolerance(atol=1e-9)


@points(1)
def test_roots(matches_reference, make):
    """The root near x0 is found."""
    for x0 in (1.0, 3.0, make.number(1.0, 2.0)):
        matches_reference.newton(
            given(lambda x: x * x - 2, says="x * x - 2", at_most=20), given(lambda x: 2 * x, at_most=20), x0
        )
    matches_reference.newton(math.sin, math.cos, 3.0)


@points(1)
def test_derivative_is_used(student):
    """As few steps as Newton's method takes, each with the derivative."""
    f, df = given(lambda x: x**3 - 5, at_most=12), given(lambda x: 3 * x**2, at_most=12)
    student.newton(f, df, 2.0)
    expect(df.calls > 0, "df is never called")


def fixed(f, df, x0, tol=1e-12, max_iter=50):
    x, slope = x0, df(x0)
    for _ in range(10 * max_iter):
        step = f(x) / slope
        x -= step
        if abs(step) < tol:
            break
    return x


def added(f, df, x0, tol=1e-12, max_iter=50):
    x = x0
    for _ in range(max_iter):
        step = f(x) / df(x)
        x += step
        if abs(step) < tol:
            return x
    raise RuntimeError("no convergence")


KNOWN = misconceptions("newton", slope_of_the_start=fixed, added_step=added)
