"""A sum that loses nothing.

A float64 holds sixteen digits. In 1e16 + 1 the 1 does not fit any more, and a sum of many numbers loses something in each
step. What is lost can be computed, exactly and with ordinary operations, collected on the way and added at the end
(Kahan 1965, Neumaier 1974). `math.fsum` and `numpy.sum` are not allowed here.
"""

import numpy as np


def compensated_sum(x: np.ndarray) -> float:
    """The sum of the entries of x [n], as if it were computed with twice the digits and rounded once.

    It is right too where a term is larger than the sum so far. The sum of no numbers is 0.0. x is not changed.

    Example:
        compensated_sum(array([1.0, 1e100, 1.0, -1e100])) -> 2.0
    """
    raise NotImplementedError
