"""Gradient descent."""

import numpy as np


def descend(grad, x0: np.ndarray, rate: float = 0.1, tol: float = 1e-8, max_iter: int = 1000) -> np.ndarray:
    x = x0
    for _ in range(max_iter):
        slope = grad(x)
        if np.linalg.norm(slope) < tol:
            break
        x = x - rate * slope
    return x


def steps(problem, x0: np.ndarray, rate: float):
    x = x0
    while True:
        yield problem.value(x)
        x = x - rate * problem.gradient(x)
