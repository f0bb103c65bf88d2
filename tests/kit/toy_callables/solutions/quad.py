"""An integral by adaptive quadrature."""


def quad(f, a: float, b: float, tol: float = 1e-8) -> float:
    def simpson(fa, fm, fb, width):
        return width / 6 * (fa + 4 * fm + fb)

    def refined(a, fa, fm, b, fb, whole, tol):
        middle = (a + b) / 2
        left, right = f((a + middle) / 2), f((middle + b) / 2)
        one, other = simpson(fa, left, fm, middle - a), simpson(fm, right, fb, b - middle)
        if abs(one + other - whole) <= 15 * tol:
            return one + other + (one + other - whole) / 15
        return refined(a, fa, left, middle, fm, one, tol / 2) + refined(middle, fm, right, b, fb, other, tol / 2)

    fa, fm, fb = f(a), f((a + b) / 2), f(b)
    return refined(a, fa, fm, b, fb, simpson(fa, fm, fb, b - a), tol)
