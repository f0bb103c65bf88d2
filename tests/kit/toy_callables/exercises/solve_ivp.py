"""A differential equation by the classical method of Runge and Kutta."""

import numpy as np


def solve_ivp(f, t0: float, t1: float, y0: np.ndarray, n: int) -> np.ndarray:
    """The solution of y' = f(t, y), y(t0) = y0 [d], at t0 and after each of n equal steps up to t1: [n + 1, d]."""
    raise NotImplementedError
