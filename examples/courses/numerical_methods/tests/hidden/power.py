"""Hidden suite for power."""

import numpy as np

from grader.suites import expect_close, laws, misconceptions, points, tolerance

LETS_PASS = {"long_rows_cut": "more rows than a hundred are no other case"}
CLOSE = tolerance(rtol=1e-9, atol=1e-11)


def symmetric(make, n, shift=0.0):
    a = make.normal(n, n)
    return (a + a.T) / 2 + shift * np.eye(n)


def clear(make, n):
    """A start whose largest entry stays the largest by far, so that rounding does not choose the sign."""
    return make.uniform(n, low=0.1, high=0.3) + 2.0 * (np.arange(n) == 0)


def turned(make, n, shift):
    """A matrix and a start whose iterates have a negative first entry, the largest, and else positive ones."""
    signs = np.where(np.arange(n) == 0, -1.0, 1.0)
    a = make.uniform(n, n, low=0.1, high=1.0)
    return signs[:, None] * ((a + a.T) / 2 + shift * np.eye(n)) * signs, signs * clear(make, n)


@points(2.5)
def test_steps(matches_reference, make):
    """The vector and its Rayleigh quotient after some steps."""
    for n, steps in ((1, 1), (2, 1), (3, 2), (5, 4)):
        matches_reference.power_iteration(*turned(make, n, 6.0), steps)


@points(1)
def test_no_step(matches_reference, make):
    """Without a step the vector is the start, with length 1."""
    matches_reference.power_iteration(symmetric(make, 3), clear(make, 3), 0)
    matches_reference.power_iteration(symmetric(make, 3, 4.0), -clear(make, 3), 0)
    matches_reference.power_iteration(symmetric(make, 3), make.array([0.5, -2.0, 1.0]), 0)
    matches_reference.power_iteration(symmetric(make, 3), make.array([0.5, 2.0, -1.0]), 0)


@points(2)
def test_negative(student, matches_reference, make):
    """A negative dominant eigenvalue keeps its sign, whatever the number of steps."""
    a = make.array([[-3.0, 1.0], [1.0, 1.0]])
    due = -1 - 5**0.5
    for steps in (60, 61):
        value, _ = student.power_iteration(a, make.array([1.0, 0.2]), steps)
        expect_close(value, due, 1e-9, "the eigenvalue of largest size, -3.236, is not found")
    a, x = turned(make, 3, 6.0)
    matches_reference.power_iteration(-a, x, 3)


@points(1)
def test_long(student, matches_reference, make):
    """A thousand steps with a large or a small matrix neither overflow nor vanish."""
    for scale in (1e6, 1e-6):
        a = scale * make.array([[2.0, 0.5], [0.5, 1.0]])
        value, _ = student.power_iteration(a, make.array([1.0, 1.0]), 1000)
        expect_close(value / scale, 1.5 + 0.5**0.5, 1e-9, "the dominant eigenvalue is not found")
    matches_reference.power_iteration(*turned(make, 2, 5.0), 2)


@points(1)
def test_refuses(raises_value_error, matches_reference, make):
    """A vector of length 0, at the start or on the way, is refused with ValueError."""
    raises_value_error.power_iteration(symmetric(make, 2), make.array([0.0, 0.0]), 3)
    raises_value_error.power_iteration(make.array([[0.0, 0.0], [0.0, 1.0]]), make.array([1.0, 0.0]), 1)
    matches_reference.power_iteration(*turned(make, 2, 5.0), 1)


def examples(ask, make):
    ask.power_iteration(*turned(make, 3, 6.0), 2)


test_input_unchanged = laws.inputs_unchanged(1, examples)
test_remembers_nothing = laws.remembers_nothing(1, examples)
test_keywords = laws.keywords(0.5, examples)


def unit(x, norm=2):
    length = np.linalg.norm(x, norm)
    if length == 0:
        raise ValueError
    return x / length


def signed(v):
    return v * np.sign(v[np.abs(v).argmax()])


def iterated(a, x, steps, each=unit, value=lambda a, v: v @ a @ v, sign=signed):
    v = each(x)
    for _ in range(steps):
        v = each(a @ v)
    return value(a, v), sign(v)


def at_the_end(a, x, steps):
    v = unit(x)
    with np.errstate(all="ignore"):
        for _ in range(steps):
            v = a @ v
        return iterated(a, v, 0)


def smallest(a, x, steps):
    return iterated(np.linalg.pinv(a), x, steps, value=lambda _, v: v @ a @ v)


KNOWN = misconceptions(
    "power_iteration",
    length_for_value=lambda a, x, steps: iterated(a, x, steps, value=lambda a, v: np.linalg.norm(a @ v)),
    sign_as_it_comes=lambda a, x, steps: iterated(a, x, steps, sign=lambda v: v),
    last_entry_positive=lambda a, x, steps: iterated(a, x, steps, sign=lambda v: v * np.sign(v[-1])),
    all_positive=lambda a, x, steps: iterated(a, x, steps, sign=np.abs),
    length_in_the_end=at_the_end,
    maximum_norm=lambda a, x, steps: iterated(a, x, steps, lambda x: unit(x, np.inf)),
    sum_of_sizes=lambda a, x, steps: iterated(a, x, steps, lambda x: unit(x, 1)),
    one_step_more=lambda a, x, steps: iterated(a, x, steps + 1),
    one_step_less=lambda a, x, steps: iterated(a, x, max(steps - 1, 0)),
    value_before_the_last=lambda a, x, steps: (iterated(a, x, max(steps - 1, 0))[0], iterated(a, x, steps)[1]),
    inverse_iteration=smallest,
)
