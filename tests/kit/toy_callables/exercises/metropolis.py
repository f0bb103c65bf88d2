"""Metropolis sampling."""

import numpy as np


def metropolis(log_density, x0: float, n: int, rng: np.random.Generator, width: float = 1.0) -> np.ndarray:
    """n draws from the density, one after the other, from x0 on: [n].

    Each step draws first the move, width * rng.normal(), then rng.uniform(), whose logarithm decides whether the chain
    moves there. log_density is called once at x0 and once a step.
    """
    raise NotImplementedError
