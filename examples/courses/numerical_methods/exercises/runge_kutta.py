"""Runge-Kutta of order four, for species that live on each other.

The equations of Lotka and Volterra for d species: y' = y * (r + a @ y). A species grows or dies at its own rate r [d];
a [d, d] says what each makes of the others. The right side is yours to write down, the method is the classical one.
"""

import numpy as np


def rk4(y0: np.ndarray, r: np.ndarray, a: np.ndarray, h: float, steps: int) -> np.ndarray:
    """The populations after each of `steps` steps of length h of the classical Runge-Kutta method.

    Args:
        y0: the populations [d] at the start. It is not changed.
        r: growth rates [d].
        a: what each species makes of the others [d, d].
        h: the length of a step; it may be negative, which goes back in time.
        steps: how many, 0 or more.

    Returns:
        [steps + 1, d]: y0, then the populations after each step.

    Example:
        rk4(array([1.0]), array([1.0]), array([[0.0]]), 0.1, 1) -> [[1.0], [1.1051708]]
    """
    raise NotImplementedError
