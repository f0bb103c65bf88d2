"""Hidden suite for qr."""

import numpy as np

from grader.suites import expect, expect_close, laws, misconceptions, points, tolerance

LETS_PASS = {
    "long_rows_cut": "more columns than a hundred are no other case",
    "squeezed": "one column of least squares gives one entry, which is as good as a number",
}
CLOSE = tolerance(rtol=1e-9, atol=1e-11)
SHAPES = ((1, 1), (2, 2), (3, 2), (5, 3), (4, 4), (6, 1))


def nearly_dependent(make, m, gap):
    """Columns that differ by `gap`, so that q amplifies rounding by 1 / gap but must stay orthonormal."""
    x = make.normal(m)
    return np.stack([x, x + gap * make.normal(m), make.normal(m)], axis=1)


def least(make, m, n):
    """Far from singular; r has a negative entry above its diagonal wherever there is room for one."""
    a = make.normal(m, n) + 3 * np.eye(m, n)
    a[:, 1:] -= 2 * a[:, :1]
    return a


@points(2)
def test_factors(matches_reference, make):
    """q and r, r with a diagonal that is not negative."""
    for m, n in SHAPES:
        matches_reference.qr(least(make, m, n))
    matches_reference.qr(-least(make, 4, 2))


@points(1)
def test_product(student, matches_reference, make):
    """q @ r is a, r is upper triangular."""
    nearly_a_unit_vector = make.array([[1.0, 2.0], [1e-9, 1.0], [0.0, 3.0]])
    for a in (*(least(make, m, n) for m, n in SHAPES), nearly_a_unit_vector):
        q, r = student.qr(a)
        expect_close(q @ r, a, 1e-11, "q @ r is not a")
        expect(np.tril(r, -1) == 0, "r has entries below its diagonal")
        matches_reference.qr(a)


@points(2)
def test_orthonormal(student, matches_reference, make):
    """The columns of q are orthonormal to rounding, also where those of a are nearly dependent."""
    nearly_equal = 1 + 1e-5 * np.array([1.0, 2.0, 3.0]) ** np.arange(4)[:, None]
    for a in (nearly_equal, nearly_dependent(make, 6, 1e-3), nearly_dependent(make, 6, 1e-5)):
        q, _ = student.qr(a)
        expect_close(q.T @ q, np.eye(3), 1e-12, "the columns of q are not orthonormal")
    matches_reference.qr(least(make, 5, 2))


@points(0.5)
def test_columns_that_need_nothing(student, matches_reference, make):
    """A column that is a multiple of the first unit vector already, or 0 below the diagonal, or nearly so, is no special case."""
    matches_reference.qr(make.array([[2.0, 1.0], [0.0, 3.0], [0.0, 4.0]]))
    matches_reference.qr(make.array([[-2.0, 0.0], [0.0, 3.0]]))
    matches_reference.qr(np.eye(3))
    matches_reference.qr(make.array([[1.0, 2.0], [1e-9, 1.0], [0.0, 3.0]]))


@points(0.5)
def test_refuses(raises_value_error, matches_reference, make):
    """Fewer rows than columns are refused with ValueError."""
    raises_value_error.qr(make.normal(2, 3))
    matches_reference.qr(least(make, 3, 3))


@points(1.5)
def test_least_squares(matches_reference, make):
    """The x for which a @ x is closest to b."""
    for m, n in ((2, 2), (5, 2), (9, 4)):
        matches_reference.least_squares(least(make, m, n), make.normal(m))


@points(1)
def test_ill_conditioned(student, matches_reference, make):
    """Nearly dependent columns: the digits that the data have are kept, which the normal equations lose."""
    a = nearly_dependent(make, 8, 1e-6)
    x = make.array([1.0, 2.0, 3.0])
    expect_close(student.least_squares(a, a @ x), x, 1e-7, "x has fewer right digits than the columns allow")
    matches_reference.least_squares(least(make, 4, 2), make.normal(4))


def examples(ask, make):
    ask.qr(least(make, 4, 3))
    ask.least_squares(least(make, 5, 2), make.normal(5))


test_input_unchanged = laws.inputs_unchanged(0.5, examples)
test_keywords = laws.keywords(0.5, examples)
test_remembers_nothing = laws.remembers_nothing(0.5, examples)


def reflected(a, cancels=False):
    """q and r with the signs that reflections give them."""
    m, n = a.shape
    if m < n:
        raise ValueError
    r, q = a.astype(float), np.eye(m)
    for k in range(min(n, m - 1)):
        v = r[k:, k].copy()
        v[0] += -np.linalg.norm(v) if cancels else np.copysign(np.linalg.norm(v), v[0])
        if v.any():
            v /= np.linalg.norm(v)
            r[k:] -= 2 * np.outer(v, v @ r[k:])
            q[:, k:] -= 2 * np.outer(q[:, k:] @ v, v)
    return q[:, :n], np.triu(r[:n])


def signed(q, r):
    signs = np.where(np.diag(r) < 0, -1.0, 1.0)
    return q * signs, np.triu(r) * signs[:, None]


def gram_schmidt(a, modified):
    if a.shape[0] < a.shape[1]:
        raise ValueError
    q, r = np.zeros_like(a), np.zeros((a.shape[1], a.shape[1]))
    for k in range(a.shape[1]):
        v = a[:, k].copy()
        for j in range(k):
            r[j, k] = q[:, j] @ (v if modified else a[:, k])
            v -= r[j, k] * q[:, j]
        r[k, k] = np.linalg.norm(v)
        q[:, k] = v / r[k, k]
    return q, r


QR = misconceptions(
    "qr",
    signs_as_they_come=reflected,
    complete=lambda a: np.linalg.qr(a, mode="complete") if a.shape[0] >= a.shape[1] else reflected(a),
    q_transposed=lambda a: (signed(*reflected(a))[0].T.copy(), signed(*reflected(a))[1]),
    gram_schmidt=lambda a: gram_schmidt(a, False),
    modified_gram_schmidt=lambda a: gram_schmidt(a, True),
    cancelling=lambda a: signed(*reflected(a, cancels=True)),
    signs_of_r_only=lambda a: (reflected(a)[0], signed(*reflected(a))[1]),
    absolute=lambda a: (signed(*reflected(a))[0], np.abs(reflected(a)[1])),
)
LEAST_SQUARES = misconceptions(
    "least_squares",
    normal_equations=lambda a, b: np.linalg.solve(a.T @ a, a.T @ b),
    first_rows=lambda a, b: np.linalg.solve(a[: a.shape[1]], b[: a.shape[1]]),
    b_as_it_is=lambda a, b: np.linalg.solve(signed(*reflected(a))[1], b[: a.shape[1]]),
    r_transposed=lambda a, b: np.linalg.solve(signed(*reflected(a))[1].T, signed(*reflected(a))[0].T @ b),
    regularised=lambda a, b: np.linalg.solve(a.T @ a + 1e-6 * np.eye(a.shape[1]), a.T @ b),
)
