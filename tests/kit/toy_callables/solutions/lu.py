"""An LU decomposition in place."""

import numpy as np


def lu(a: np.ndarray) -> list[int]:
    pivots = []
    for k in range(len(a)):
        p = k + int(np.abs(a[k:, k]).argmax())
        a[[k, p]] = a[[p, k]]
        a[k + 1 :, k] /= a[k, k]
        a[k + 1 :, k + 1 :] -= np.outer(a[k + 1 :, k], a[k, k + 1 :])
        pivots.append(p)
    return pivots
