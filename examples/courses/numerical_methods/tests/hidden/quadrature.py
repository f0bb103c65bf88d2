"""Hidden suite for quadrature."""

import numpy as np

from grader.suites import expect, expect_close, laws, misconceptions, points, tolerance

LETS_PASS = {
    "long_rows_cut": "the integral is a number",
    "reuses_buffer": "the integral is a number",
    "squeezed": "the integral is a number",
}
CLOSE = tolerance(rtol=1e-11, atol=1e-12)


def rising(make, n):
    return np.cumsum(make.uniform(n, low=0.1, high=1.0)) + make.number(-2, 2)


@points(2)
def test_trapezoid(matches_reference, make):
    """The sum of the trapezoids, each with its own width."""
    for n in (2, 3, 4, 20):
        matches_reference.trapezoid(make.normal(n), rising(make, n))


@points(1)
def test_lines(student, matches_reference, make):
    """Straight lines are integrated exactly, however the points are spaced."""
    x = rising(make, 6)
    due = (x[-1] ** 2 - x[0] ** 2) * 1.5 + 2 * (x[-1] - x[0])
    expect_close(student.trapezoid(3 * x + 2, x), due, 1e-12, "the integral of 3 x + 2 is not right")
    matches_reference.trapezoid(x**2, x)


@points(1)
def test_trapezoid_refuses(raises_value_error, matches_reference, make):
    """Points that do not rise, that are too few or not as many as the values are refused with ValueError."""
    raises_value_error.trapezoid(make.normal(3), make.array([0.0, 2.0, 1.0]))
    raises_value_error.trapezoid(make.normal(3), make.array([0.0, 1.0, 1.0]))
    raises_value_error.trapezoid(make.normal(3), rising(make, 4))
    raises_value_error.trapezoid(make.normal(1), make.array([0.0]))
    matches_reference.trapezoid(make.normal(2), rising(make, 2))


@points(2)
def test_gauss(matches_reference):
    """The nodes in rising order, and their weights."""
    for n in (1, 2, 3, 4, 5, 10, 32, 101):
        matches_reference.gauss_legendre(n)


@points(2)
def test_degree(student, matches_reference):
    """n nodes integrate x^k exactly up to k = 2 n - 1."""
    for n in (1, 2, 3, 6):
        nodes, weights = student.gauss_legendre(n)
        for k in range(2 * n):
            due = (1 + (-1) ** k) / (k + 1)
            expect_close((weights * nodes**k).sum(), due, 1e-12, f"the integral of x^{k} is not right with n = {n}")
        expect(np.abs(nodes) < 1, "a node lies outside of the interval")
    matches_reference.gauss_legendre(7)


@points(0.5)
def test_gauss_refuses(raises_value_error, matches_reference):
    """Less than one node is refused with ValueError."""
    raises_value_error.gauss_legendre(0)
    raises_value_error.gauss_legendre(-2)
    matches_reference.gauss_legendre(1)


def examples(ask, make):
    ask.trapezoid(make.normal(5), rising(make, 5))
    ask.gauss_legendre(3)


test_input_unchanged = laws.inputs_unchanged(0.5, examples)
test_keywords = laws.keywords(0.5, examples)
test_remembers_nothing = laws.remembers_nothing(0.5, lambda ask, make: [ask.gauss_legendre(n) for n in (3, 2)])


def checked(y, x):
    if len(x) != len(y) or len(x) < 2 or not (np.diff(x) > 0).all():
        raise ValueError
    return np.diff(x)


def golub(n, beside, weights=lambda v: 2 * v[0] ** 2):
    if n < 1:
        raise ValueError
    k = np.arange(1, n)
    b = beside(k)
    nodes, vectors = np.linalg.eigh(np.diag(b, 1) + np.diag(b, -1))
    return nodes, weights(vectors)


def legendre(k):
    return k / np.sqrt(4 * k**2 - 1)


def falling(n):
    nodes, weights = golub(n, legendre)
    return nodes[::-1], weights[::-1]


def on_the_unit_interval(n):
    nodes, weights = golub(n, legendre)
    return (nodes + 1) / 2, weights / 2


def equally_spaced(n):
    if n < 1:
        raise ValueError
    return np.linspace(-1, 1, n) if n > 1 else np.zeros(1), np.full(n, 2 / n)


TRAPEZOID = misconceptions(
    "trapezoid",
    equal_widths=lambda y, x: float((x[1] - x[0]) * ((y[1:] + y[:-1]) / 2)[checked(y, x) > 0].sum()),
    left_rule=lambda y, x: float((checked(y, x) * y[:-1]).sum()),
    right_rule=lambda y, x: float((checked(y, x) * y[1:]).sum()),
    not_halved=lambda y, x: float((checked(y, x) * (y[1:] + y[:-1])).sum()),
    ends_twice=lambda y, x: float((checked(y, x) * (y[1:] + y[:-1])).sum() / 2 + (y[0] + y[-1]) / 2),
    mean_width=lambda y, x: float(checked(y, x).mean() * (y[1:] + y[:-1]).sum() / 2),
    arguments_exchanged=lambda y, x: float(((y[1:] - y[:-1]) * (x[1:] + x[:-1])).sum() / 2 + 0 * checked(y, x).sum()),
)
GAUSS = misconceptions(
    "gauss_legendre",
    weights_not_doubled=lambda n: golub(n, legendre, lambda v: v[0] ** 2),
    not_squared=lambda n: golub(n, legendre, lambda v: 2 * np.abs(v[0])),
    entries_of_one_vector=lambda n: golub(n, legendre, lambda v: 2 * v[:, 0] ** 2),
    of_chebyshev=lambda n: golub(n, lambda k: np.where(k == 1, np.sqrt(0.5), 0.5)),
    one_less=lambda n: golub(n, lambda k: (k - 1) / np.sqrt(4.0 * np.maximum(k - 1, 1) ** 2 - 1)),
    falling=falling,
    on_0_1=on_the_unit_interval,
    equally_spaced=equally_spaced,
)
