"""A root by Newton's method."""


def newton(f, df, x0: float, tol: float = 1e-12, max_iter: int = 50) -> float:
    x = x0
    for _ in range(max_iter):
        step = f(x) / df(x)
        x -= step
        if abs(step) < tol:
            return x
    raise RuntimeError("no convergence")
