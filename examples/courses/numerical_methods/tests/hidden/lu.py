"""Hidden suite for lu."""

import numpy as np

from grader.suites import expect, expect_close, laws, misconceptions, points, tolerance

LETS_PASS = {"long_rows_cut": "a hundred rows of elimination take long in Python"}
CLOSE = tolerance(rtol=1e-10, atol=1e-11)  # orders of elimination differ by rounding; the matrices here are tame


def matrix(make, n):
    """One whose condition is moderate and whose rows have to change places."""
    return np.roll(make.normal(n, n) + 4 * np.diag((-1.0) ** np.arange(n)), 1, axis=0)


@points(2)
def test_factors(matches_reference, make):
    """p, l and u are those of elimination with partial pivoting."""
    for n in (1, 2, 3, 6):
        matches_reference.lu(matrix(make, n))


@points(2)
def test_product(student, matches_reference, make):
    """The rows of a in the order p are l @ u; l and u are triangular, and no entry of l is larger than 1."""
    for n in (2, 4, 7):
        a = matrix(make, n)
        p, factors, u = student.lu(a)
        expect(np.sort(p) == np.arange(n), "p does not hold each row once")
        expect_close(factors @ u, a[p], 1e-10, "l @ u is not a[p]")
        expect(np.triu(factors, 1) == 0, "l has entries above its diagonal")
        expect(np.tril(u, -1) == 0, "u has entries below its diagonal")
        expect(np.abs(factors) <= 1, "an entry of l is larger than 1")
        matches_reference.lu(a)


@points(1)
def test_needs_pivots(matches_reference, make):
    """A 0 or a tiny number where the pivot would be does no harm."""
    matches_reference.lu(make.array([[0.0, 1.0], [1.0, 0.0]]))
    matches_reference.lu(make.array([[1e-18, 1.0], [1.0, 1.0]]))
    matches_reference.lu(make.array([[1.0, 2.0, 3.0], [1.0, 2.0, 5.0], [-4.0, 1.0, 1.0]]))


@points(0.5)
def test_ties(matches_reference, make):
    """Of several entries that are the largest in size the first one is the pivot."""
    matches_reference.lu(make.array([[1.0, 2.0], [-1.0, 1.0]]))
    matches_reference.lu(make.array([[1.0, 0.0, 2.0], [3.0, 1.0, 1.0], [-3.0, 2.0, 0.5]]))


@points(1)
def test_refuses(raises_value_error, matches_reference, make):
    """A singular matrix and one that is not square are refused with ValueError."""
    raises_value_error.lu(make.array([[0.0, 1.0], [0.0, 2.0]]))
    raises_value_error.lu(make.array([[1.0, 2.0], [2.0, 4.0]]))
    raises_value_error.lu(make.normal(2, 3))
    raises_value_error.solve(make.array([[1.0, 2.0], [2.0, 4.0]]), make.array([1.0, 1.0]))
    matches_reference.lu(matrix(make, 2))


@points(2)
def test_solve(student, matches_reference, make):
    """The solution of a linear system."""
    for n in (1, 2, 3, 8):
        a, b = matrix(make, n), make.normal(n)
        x = student.solve(a, b)
        expect_close(a @ x, b, 1e-10, "a @ x is not b")
        matches_reference.solve(a, b)
    matches_reference.solve(make.array([[1e-18, 1.0], [1.0, 1.0]]), make.array([1.0, 2.0]))


def examples(ask, make):
    ask.lu(matrix(make, 3))
    ask.solve(matrix(make, 3), make.normal(3))


test_input_unchanged = laws.inputs_unchanged(0.5, examples)
test_keywords = laws.keywords(0.5, examples)
test_remembers_nothing = laws.remembers_nothing(0.5, examples)


def eliminated(a, pivot=True, swap_factors=True, choose=np.abs, keep=True):
    if a.ndim != 2 or a.shape[0] != a.shape[1]:
        raise ValueError
    n, u = len(a), np.array(a)
    p, factors = np.arange(n), np.eye(n)
    for k in range(n):
        row = k + int(choose(u[k:, k]).argmax()) if pivot else k
        if u[row, k] == 0:
            raise ValueError
        u[[k, row]] = u[[row, k]]
        if keep:
            p[[k, row]] = p[[row, k]]
        if swap_factors:
            factors[[k, row], :k] = factors[[row, k], :k]
        factors[k + 1 :, k] = u[k + 1 :, k] / u[k, k]
        u[k + 1 :] -= np.outer(factors[k + 1 :, k], u[k])
        u[k + 1 :, k] = 0
    return p, factors, u


def inverse_order(a):
    p, factors, u = eliminated(a)
    return np.argsort(p), factors, u


def permutation(a):
    p, factors, u = eliminated(a)
    return np.eye(len(a))[p], factors, u


def crout(a):
    p, factors, u = eliminated(a)
    return p, factors * np.diag(u), u / np.diag(u)[:, None]


def with_unit_u(a):
    p, factors, u = eliminated(a)
    return p, factors, u - np.tril(u, -1) + np.tril(a, -1)


def solved(a, b, order=lambda b, p: b[p], forward=True):
    p, factors, u = eliminated(a)
    x = order(b, p)
    y = np.linalg.solve(factors, x) if forward else x
    return np.linalg.solve(u, y)


KNOWN = misconceptions(
    "lu",
    no_pivoting=lambda a: eliminated(a, pivot=False),
    pivot_with_its_sign=lambda a: eliminated(a, choose=lambda column: column),
    factors_left_behind=lambda a: eliminated(a, swap_factors=False),
    order_forgotten=lambda a: eliminated(a, keep=False),
    inverse_order=inverse_order,
    permutation_matrix=permutation,
    pivots_in_l=crout,
    below_the_diagonal=with_unit_u,
)
SOLVE = misconceptions(
    "solve",
    b_not_permuted=lambda a, b: solved(a, b, lambda b, p: b),
    b_permuted_back=lambda a, b: solved(a, b, lambda b, p: b[np.argsort(p)]),
    back_substitution_only=lambda a, b: solved(a, b, forward=False),
    transposed=lambda a, b: solved(np.ascontiguousarray(a.T), b),
)
