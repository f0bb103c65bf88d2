"""Questions on accuracy and cost: an experiment derives each key from the solutions."""

import math

import numpy as np

from grader.questions import Choice, Number, question


@question(1, Number(decimals=0))
def big_plus_one(lab):
    """In float64, what is (1e16 + 1) - 1e16?"""
    lab.show("What is computed", rows=[["1e16 + 1", f"{1e16 + 1:.0f}"], ["1e17 + 10", f"{1e17 + 10:.0f}"]])
    lab.wrong_answer("exact", 1, "So it would be without rounding. Between 1e16 and the next number lie 2, so 1 does not fit.")
    lab.wrong_answer("up", 2, "1e16 + 1 lies halfway between two numbers, and is rounded to the even one, which is 1e16.")
    return (1e16 + 1) - 1e16


FORMULAS = {
    "a": ("1 - cos(x)", lambda x: 1 - math.cos(x), lambda x: x**2 / 2 - x**4 / 24),
    "b": ("2 sin(x / 2)^2", lambda x: 2 * math.sin(x / 2) ** 2, lambda x: x**2 / 2 - x**4 / 24),
    "c": ("exp(x) - 1", lambda x: math.exp(x) - 1, lambda x: x + x**2 / 2),
    "d": ("expm1(x)", math.expm1, lambda x: x + x**2 / 2),
    "e": ("sqrt(1 + x) - 1", lambda x: math.sqrt(1 + x) - 1, lambda x: x / 2 - x**2 / 8),
    "f": ("x / (sqrt(1 + x) + 1)", lambda x: x / (math.sqrt(1 + x) + 1), lambda x: x / 2 - x**2 / 8),
}


@question(1, Choice({letter: said for letter, (said, _, _) in FORMULAS.items()}, many=True))
def digits_kept(lab):
    """At x = 1e-6, which of these formulas keep at least 14 digits in float64?"""
    x = 1e-6
    errors = {letter: abs(f(x) / exact(x) - 1) for letter, (_, f, exact) in FORMULAS.items()}
    rows = [[FORMULAS[letter][0], f"{error:.0e}"] for letter, error in errors.items()]
    lab.show("Relative errors", rows=rows, head=["formula", "error"])
    lab.wrong_answer("others", ["a", "c", "e"], "These subtract nearly equal numbers: their first digits cancel, and what is left has few.")
    return [letter for letter, error in errors.items() if error < 1e-14]


@question(1, Number(decimals=0))
def halvings(lab):
    """Bisection starts with an interval of length {length} and ends with one no longer than {end}. How often does it
    halve the interval?"""
    length = lab.pick("length", 1.0, [2.0, 4.0, 8.0])
    end = lab.pick("end", 0.001, [0.01, 0.0001])
    count, left = 0, length
    while left > end:
        count, left = count + 1, left / 2
    lab.show("Length after so many halvings", rows=[[k, f"{length / 2**k:g}"] for k in (count - 1, count)])
    lab.wrong_answer("one_less", count - 1, "After that many it is still longer.")
    return count


@question(1, Choice({
    "a": "one more", "b": "about three more", "c": "about twice as many", "d": "as many, once it is near the root",
}))  # fmt: skip
def newton_digits(lab):
    """Close to a simple root, how many digits are right after one more step of Newton's method?"""
    newton = lab.solution("roots").newton
    x, path = 2.0, []
    for _ in range(4):
        x, _ = newton(np.array([1.0, 0.0, -2.0]), x, tol=1.0)  # one step
        path.append(abs(x - math.sqrt(2)))
    lab.show("Errors for x^2 - 2 from 2", rows=[[k + 1, f"{error:.0e}"] for k, error in enumerate(path)], head=["step", "error"])
    lab.wrong_answer("bisection", "b", "Bisection wins a digit in about three steps. Newton squares the error in each.")
    return "c" if math.log(path[3]) / math.log(path[2]) > 1.8 else "a"


@question(1, Number(decimals=0))
def lu_cost(lab):
    """A matrix has twice as many rows and columns. By which factor does the work of an LU factorisation grow, for large
    matrices? Round to a whole number."""

    def multiplications(n):
        return sum((n - 1 - k) * (n - k) for k in range(n))

    lab.show("Multiplications", rows=[[n, multiplications(n)] for n in (100, 200, 400)], head=["n", "count"])
    lab.wrong_answer("entries", 4, "So does the number of entries. Each entry is changed up to n times.")
    lab.wrong_answer("rows", 2, "So does the number of rows.")
    return round(multiplications(2000) / multiplications(1000))


@question(1, Number(decimals=0))
def trapezoid_order(lab):
    """For a smooth function, by which factor does the error of the trapezoidal rule shrink when the width is halved?
    Round to a whole number."""
    trapezoid = lab.solution("quadrature").trapezoid

    def error(n):
        x = np.linspace(0, 1, n + 1)
        return abs(trapezoid(np.exp(x), x) - (math.e - 1))

    lab.show("Errors for exp on [0, 1]", rows=[[n, f"{error(n):.2e}"] for n in (8, 16, 32)], head=["pieces", "error"])
    lab.wrong_answer("first_order", 2, "That is a rule of order one, such as rectangles of the height at the left end.")
    lab.wrong_answer("simpson", 16, "That is a rule of order four, such as Simpson's.")
    return round(error(16) / error(32))


@question(1, Number(decimals=0))
def gauss_degree(lab):
    """Up to which degree does the rule of Gauss with {n} nodes integrate every polynomial exactly?"""
    n = lab.pick("n", 5, [3, 4, 6])
    nodes, weights = lab.solution("quadrature").gauss_legendre(n)

    def error(k):
        return abs((weights * nodes**k).sum() - (1 + (-1) ** k) / (k + 1))

    rows = [[k, f"{error(k):.0e}"] for k in range(2 * n - 2, 2 * n + 1)]
    lab.show("Error for x^k on [-1, 1]", rows=rows, head=["k", "error"])
    lab.wrong_answer("nodes", n - 1, "Any n nodes can do that. Gauss chooses them, which doubles what they can do.")
    lab.wrong_answer("even", 2 * n, "x to this power is the first that is not integrated exactly.")
    return next(k for k in range(4 * n) if error(k) > 1e-12) - 1


@question(1, Number(decimals=2))
def power_rate(lab):
    """A symmetric matrix has the eigenvalues {first}, {second} and 1. By which factor does the angle between the vector of
    power iteration and the eigenvector shrink in each step, after many?"""
    first = lab.pick("first", 3.0, [4.0, 5.0])
    second = lab.pick("second", -2.0, [-1.5, -2.5])
    power = lab.solution("power").power_iteration
    a = np.diag([first, second, 1.0])
    angles = [np.linalg.norm(power(a, np.ones(3), steps)[1][1:]) for steps in (20, 21)]
    lab.show("Sine of the angle", rows=[[20, f"{angles[0]:.2e}"], [21, f"{angles[1]:.2e}"]], head=["step", "sine"])
    lab.wrong_answer("smallest", 1 / first, "The slowest part decides: the eigenvalue that is second in size.")
    lab.wrong_answer("squared", (second / first) ** 2, "So does the error of the eigenvalue. That of the vector shrinks more slowly.")
    return angles[1] / angles[0]
