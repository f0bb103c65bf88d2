"""Runge-Kutta of order four, for species that live on each other."""

import numpy as np


def rk4(y0: np.ndarray, r: np.ndarray, a: np.ndarray, h: float, steps: int) -> np.ndarray:
    def slope(y: np.ndarray) -> np.ndarray:
        return y * (r + a @ y)

    path = [y0]
    for _ in range(steps):
        y = path[-1]
        k1 = slope(y)
        k2 = slope(y + h / 2 * k1)
        k3 = slope(y + h / 2 * k2)
        k4 = slope(y + h * k3)
        path.append(y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4))
    return np.array(path)
