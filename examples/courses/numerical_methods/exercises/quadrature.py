"""The trapezoidal rule and Gauss.

One takes what values there are, the other chooses where to look: n points of Gauss integrate every polynomial of degree
2 n - 1 exactly. `numpy.trapezoid` and `leggauss` are not allowed here; `numpy.linalg.eigh` is.
"""

import numpy as np


def trapezoid(y: np.ndarray, x: np.ndarray) -> float:
    """The integral of the broken line through the points (x[i], y[i]), x [n] rising, y [n], n at least 2.

    The points need not be equally spaced.

    Raises:
        ValueError: x and y differ in length, there are fewer than two points, or x does not rise from each to the next.

    Example:
        trapezoid(array([0.0, 1.0, 4.0]), array([0.0, 1.0, 3.0])) -> 5.5
    """
    raise NotImplementedError


def gauss_legendre(n: int) -> tuple[np.ndarray, np.ndarray]:
    """The n nodes of Gauss in [-1, 1], in rising order, and their weights, n at least 1.

    The nodes are the eigenvalues of the symmetric tridiagonal matrix with 0 on its diagonal and k / sqrt(4 k^2 - 1),
    k = 1, ..., n - 1, beside it. A weight is 2 times the square of the first entry of the unit eigenvector.

    Raises:
        ValueError: n is less than 1.

    Example:
        gauss_legendre(2) -> ([-0.57735, 0.57735], [1.0, 1.0])
    """
    raise NotImplementedError
