"""Bisection and Newton, for polynomials.

A polynomial is the array of its coefficients, the highest power first: [1, 0, -2] is x^2 - 2. `numpy.polyval(c, x)`
evaluates it, `numpy.polyder(c)` gives the coefficients of its derivative. `numpy.roots` is not allowed here.
"""

import numpy as np


def bisection(c: np.ndarray, a: float, b: float, tol: float = 1e-10) -> float:
    """A root of the polynomial c between a and b, off by tol at most.

    Halve the interval until it is no longer than 2 tol and return its midpoint. If the polynomial is exactly 0 at an end
    of the first interval or at a midpoint, that is the result.

    Raises:
        ValueError: the values at a and b have the same sign, or a is not less than b.

    Example:
        bisection(array([1.0, 0.0, -2.0]), 0.0, 2.0, tol=0.1) -> 1.4375
    """
    raise NotImplementedError


def newton(c: np.ndarray, x: float, tol: float = 1e-12, max_steps: int = 50) -> tuple[float, int]:
    """Newton's method for the polynomial c, started at x: the root, and how many steps it took.

    A step goes from x to x - p(x) / p'(x). Stop after the first step that moves x by tol or less, and count it.

    Raises:
        ValueError: the derivative is exactly 0 where a step begins, or max_steps steps were not enough.

    Example:
        newton(array([1.0, 0.0, -2.0]), 2.0) -> (1.4142135623730951, 6)
    """
    raise NotImplementedError
