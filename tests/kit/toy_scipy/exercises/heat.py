"""Heat in a rod of length 1 whose ends are kept at 0, with n points inside."""

import numpy as np
from scipy import sparse


def stiffness(n: int) -> sparse.csr_array:
    """The matrix [n, n] of -u'' by second differences, with spacing 1 / (n + 1)."""
    raise NotImplementedError


def step(a: sparse.csr_array, u: np.ndarray, dt: float) -> np.ndarray:
    """One implicit Euler step of u' = -a u, from u [n] to the temperatures [n] after the time dt."""
    raise NotImplementedError
