"""Gradient descent."""

import numpy as np


def descend(grad, x0: np.ndarray, rate: float = 0.1, tol: float = 1e-8, max_iter: int = 1000) -> np.ndarray:
    """Where the gradient is shorter than tol, or what max_iter steps x - rate * grad(x) from x0 [d] come to."""
    raise NotImplementedError


def steps(problem, x0: np.ndarray, rate: float):
    """The values of problem.value on the way from x0 along problem.gradient, without an end: a generator."""
    raise NotImplementedError
