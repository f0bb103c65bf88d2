"""LU with partial pivoting."""

import numpy as np


def lu(a: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    if a.ndim != 2 or a.shape[0] != a.shape[1]:
        raise ValueError("the matrix must be square")
    n, u = len(a), a.copy()
    p, factors = np.arange(n), np.eye(n)
    for k in range(n):
        row = k + int(np.abs(u[k:, k]).argmax())
        if u[row, k] == 0:
            raise ValueError("the matrix is singular")
        u[[k, row]] = u[[row, k]]
        p[[k, row]] = p[[row, k]]
        factors[[k, row], :k] = factors[[row, k], :k]
        factors[k + 1 :, k] = u[k + 1 :, k] / u[k, k]
        u[k + 1 :, k:] -= np.outer(factors[k + 1 :, k], u[k, k:])
        u[k + 1 :, k] = 0.0
    return p, factors, u


def solve(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    p, factors, u = lu(a)
    x = b[p].astype(float)
    for k in range(len(x)):
        x[k] -= factors[k, :k] @ x[:k]
    for k in reversed(range(len(x))):
        x[k] = (x[k] - u[k, k + 1 :] @ x[k + 1 :]) / u[k, k]
    return x
