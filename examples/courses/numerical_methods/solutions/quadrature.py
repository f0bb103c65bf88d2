"""The trapezoidal rule and Gauss."""

import numpy as np


def trapezoid(y: np.ndarray, x: np.ndarray) -> float:
    if len(x) != len(y) or len(x) < 2 or not (np.diff(x) > 0).all():
        raise ValueError("needs as many values as rising points, two at least")
    return (np.diff(x) * (y[1:] + y[:-1])).sum() / 2


def gauss_legendre(n: int) -> tuple[np.ndarray, np.ndarray]:
    if n < 1:
        raise ValueError("needs a node")
    k = np.arange(1, n)
    beside = k / np.sqrt(4 * k**2 - 1)
    nodes, vectors = np.linalg.eigh(np.diag(beside, 1) + np.diag(beside, -1))
    return nodes, 2 * vectors[0] ** 2
