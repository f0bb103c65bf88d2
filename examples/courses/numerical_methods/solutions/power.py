"""Power iteration."""

import numpy as np


def power_iteration(a: np.ndarray, x: np.ndarray, steps: int) -> tuple[float, np.ndarray]:
    v = _unit(x)
    for _ in range(steps):
        v = _unit(a @ v)
    return v @ a @ v, v * np.sign(v[np.abs(v).argmax()])


def _unit(x: np.ndarray) -> np.ndarray:
    length = np.linalg.norm(x)
    if length == 0:
        raise ValueError("a vector of length 0 has no direction")
    return x / length
