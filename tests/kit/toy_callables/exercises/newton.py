"""A root by Newton's method."""


def newton(f, df, x0: float, tol: float = 1e-12, max_iter: int = 50) -> float:
    """A root of f near x0: x - f(x) / df(x), again and again, until a step is shorter than tol.

    Raises RuntimeError after max_iter steps.
    """
    raise NotImplementedError
