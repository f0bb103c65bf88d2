"""A root by bisection."""


def bisect(f, a: float, b: float, tol: float = 1e-10) -> float:
    """A root of f between a and b, where f changes its sign; off by no more than tol.

    Raises ValueError where f(a) and f(b) have the same sign.
    """
    raise NotImplementedError
