"""An integral by adaptive quadrature."""


def quad(f, a: float, b: float, tol: float = 1e-8) -> float:
    """The integral of f from a to b by Simpson's rule, refined where the estimates of the halves differ by 15 tol."""
    raise NotImplementedError
