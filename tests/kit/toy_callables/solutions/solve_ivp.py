"""A differential equation by the classical method of Runge and Kutta."""

import numpy as np


def solve_ivp(f, t0: float, t1: float, y0: np.ndarray, n: int) -> np.ndarray:
    h = (t1 - t0) / n
    found = [y0]
    for i in range(n):
        t, y = t0 + i * h, found[-1]
        a = f(t, y)
        b = f(t + h / 2, y + h / 2 * a)
        c = f(t + h / 2, y + h / 2 * b)
        d = f(t + h, y + h * c)
        found.append(y + h / 6 * (a + 2 * b + 2 * c + d))
    return np.array(found)
