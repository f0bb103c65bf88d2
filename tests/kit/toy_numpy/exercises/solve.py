"""A linear system."""

import numpy as np


def solve(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, float]:
    """The solution x of a x = b, and the largest entry of the residual |a x - b|."""
    raise NotImplementedError
