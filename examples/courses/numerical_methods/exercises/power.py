"""Power iteration.

Multiply a vector by a matrix often enough, and it points along the eigenvector whose eigenvalue is the largest in size.
What numpy has for eigenvalues is not allowed here.
"""

import numpy as np


def power_iteration(a: np.ndarray, x: np.ndarray, steps: int) -> tuple[float, np.ndarray]:
    """`steps` steps of power iteration for the symmetric matrix a [n, n], started at x [n].

    A step multiplies by a and divides by the length. What comes back is the Rayleigh quotient v @ a @ v of the last unit
    vector v, and v itself with its sign chosen so that its entry that is the largest in size is positive. With 0 steps v is
    x divided by its length. x is not changed.

    Raises:
        ValueError: a vector of length 0 comes up, at the start or on the way.

    Example:
        power_iteration(array([[2.0, 0.0], [0.0, 1.0]]), array([1.0, 1.0]), 1) -> (1.8, [0.8944, 0.4472])
    """
    raise NotImplementedError
