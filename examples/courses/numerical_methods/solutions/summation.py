"""A sum that loses nothing."""

import numpy as np


def compensated_sum(x: np.ndarray) -> float:
    total = lost = 0.0
    for term in map(float, x):
        new = total + term
        lost += (total - new) + term if abs(total) >= abs(term) else (term - new) + total
        total = new
    return total + lost
