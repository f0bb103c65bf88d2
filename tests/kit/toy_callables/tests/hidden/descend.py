"""Hidden suite for descend."""

import numpy as np

from grader.suites import given, misconceptions, points, tolerance

CLOSE = tolerance(rtol=1e-7, atol=1e-7)


class Bowl:
    """A quadratic function with its smallest value at `at`."""

    def __init__(self, at):
        self.at = at

    def value(self, x):
        return float(((x - self.at) ** 2).sum())

    def gradient(self, x):
        return 2 * (x - self.at)


@points(1)
def test_descends(matches_reference, make):
    """The lowest point is found, or what is reached when the steps are over."""
    at = make.normal(3)
    matches_reference.descend(given(Bowl(at).gradient, at_most=200), make.normal(3))
    matches_reference.descend(lambda x: np.array([2.0, 20.0]) * x, make.normal(2), rate=0.09)
    matches_reference.descend(lambda x: 2 * x, make.normal(2), max_iter=5)


@points(1)
def test_steps(matches_reference, make):
    """The values come one after the other, as many as are asked for."""
    bowl = given(Bowl(make.normal(2)), methods=("value", "gradient"), name="bowl", at_most=40)
    matches_reference.taking(8).steps(bowl, make.normal(2), 0.2)


def uphill(grad, x0, rate=0.1, tol=1e-8, max_iter=1000):
    x = x0
    for _ in range(min(max_iter, 200)):
        x = x + rate * grad(x)
    return x


def fixed(grad, x0, rate=0.1, tol=1e-8, max_iter=1000):
    x = x0
    for _ in range(max_iter):
        slope = grad(x)
        if np.linalg.norm(slope) < tol:
            break
        x = x - 0.1 * slope
    return x


KNOWN = misconceptions("descend", goes_uphill=uphill, rate_is_ignored=fixed)
