"""Metropolis sampling."""

import numpy as np


def metropolis(log_density, x0: float, n: int, rng: np.random.Generator, width: float = 1.0) -> np.ndarray:
    x, density = x0, log_density(x0)
    found = []
    for _ in range(n):
        other = x + width * rng.normal()
        there = log_density(other)
        if np.log(rng.uniform()) < there - density:
            x, density = other, there
        found.append(x)
    return np.array(found)
