"""QR by Householder reflections, and least squares."""

import numpy as np


def qr(a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    m, n = a.shape
    if m < n:
        raise ValueError("a needs at least as many rows as columns")
    r, q = a.astype(float), np.eye(m)
    for k in range(min(n, m - 1)):
        v = r[k:, k].copy()
        v[0] += np.copysign(np.linalg.norm(v), v[0])
        length = v @ v
        if length:
            r[k:] -= np.outer(2 * v / length, v @ r[k:])
            q[:, k:] -= np.outer(q[:, k:] @ v, 2 * v / length)
    signs = np.where(np.diag(r) < 0, -1.0, 1.0)
    return q[:, :n] * signs, np.triu(r[:n]) * signs[:, None]


def least_squares(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    q, r = qr(a)
    return np.linalg.solve(r, q.T @ b)
