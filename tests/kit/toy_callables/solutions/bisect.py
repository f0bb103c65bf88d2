"""A root by bisection."""


def bisect(f, a: float, b: float, tol: float = 1e-10) -> float:
    left = f(a)
    if left * f(b) > 0:
        raise ValueError("the signs are the same")
    while b - a > tol:
        middle = (a + b) / 2
        value = f(middle)
        if left * value <= 0:
            b = middle
        else:
            a, left = middle, value
    return (a + b) / 2
