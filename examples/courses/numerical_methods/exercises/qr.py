"""QR by Householder reflections, and least squares.

A reflection turns the first column of a matrix into a multiple of the first unit vector; another one, of the rows below,
does the same for the next column, and so on. The product of the reflections is orthogonal to the last digit, whatever the
matrix, which Gram and Schmidt's way is not. What numpy has for it is not allowed here; `numpy.linalg.solve` is.
"""

import numpy as np


def qr(a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The reduced factorisation a = q @ r of a [m, n], m at least n, by Householder reflections.

    Returns:
        q [m, n]: its columns are orthonormal to rounding, also where those of a are nearly dependent.
        r [n, n]: upper triangular, no entry of its diagonal negative.

    Raises:
        ValueError: a has fewer rows than columns.

    Example:
        qr(array([[3.0, 1.0], [4.0, 2.0]])) -> ([[0.6, -0.8], [0.8, 0.6]], [[5, 2.2], [0, 0.4]])
    """
    raise NotImplementedError


def least_squares(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The x [n] for which a @ x is closest to b [m]; a [m, n] has independent columns.

    It goes through `qr`: the normal equations a.T @ a would square the condition, and lose twice as many digits.
    """
    raise NotImplementedError
