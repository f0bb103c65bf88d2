import numpy as np


def solve(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, float]:
    x = np.linalg.solve(a, b)
    return x, np.abs(a @ x - b).max()
