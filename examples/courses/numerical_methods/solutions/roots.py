"""Bisection and Newton, for polynomials."""

import numpy as np


def bisection(c: np.ndarray, a: float, b: float, tol: float = 1e-10) -> float:
    at_a, at_b = np.polyval(c, a), np.polyval(c, b)
    if not a < b or at_a * at_b > 0:
        raise ValueError("the values at the ends must have different signs")
    if at_a == 0 or at_b == 0:
        return a if at_a == 0 else b
    while b - a > 2 * tol:
        middle = (a + b) / 2
        at_middle = np.polyval(c, middle)
        if at_middle == 0:
            return middle
        if (at_middle > 0) == (at_a > 0):
            a = middle
        else:
            b = middle
    return (a + b) / 2


def newton(c: np.ndarray, x: float, tol: float = 1e-12, max_steps: int = 50) -> tuple[float, int]:
    derivative = np.polyder(c)
    for step in range(1, max_steps + 1):
        slope = np.polyval(derivative, x)
        if slope == 0:
            raise ValueError("the derivative is 0")
        before, x = x, x - np.polyval(c, x) / slope
        if abs(x - before) <= tol:
            return x, step
    raise ValueError("did not converge")
