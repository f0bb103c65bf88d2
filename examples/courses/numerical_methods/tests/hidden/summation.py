"""Hidden suite for summation."""

import math

import numpy as np

from grader.suites import error_bound, expect_close, laws, misconceptions, oracle, points


LETS_PASS = {
    "long_rows_cut": "the result is a number",
    "reuses_buffer": "the result is a number",
    "squeezed": "the result is a number",
}


@oracle("compensated_sum")
def exact_sum(x):
    return math.fsum(x)


@error_bound("compensated_sum")
def bound(x):
    # The sum is rounded a few times; what is collected carries a relative error of n eps, and is itself of the size
    # n eps sum |x|: together n^2 eps^2 sum |x|, here in units of eps.
    return 4 * abs(math.fsum(x)) + len(x) ** 2 * np.finfo(float).eps * float(np.abs(x).sum())


@points(2)
def test_ordinary(matches_reference, make):
    """The sum of ordinary numbers, to the last digits."""
    for n in (1, 2, 3, 7):  # too few of one size for a plain sum to lose a digit that counts
        matches_reference.compensated_sum(make.normal(n) + 4)
        matches_reference.compensated_sum(make.normal(n) - 4)


@points(2.5)
def test_cancellation(matches_reference, make):
    """Numbers that nearly cancel: the small rest is right."""
    # Each usual way to add these ten gets another wrong sum.
    matches_reference.compensated_sum(make.array([7.0, 7.0, -1e17, 7.0, 3.0, 5.0, 1e17, 1.0, 7.0, 2.0]))
    matches_reference.compensated_sum(make.array([1 / 3, 1e14 / 3, -1e14 / 3]))
    for n in (30, 4):
        x = make.normal(n, scale=1e14)
        terms = np.concatenate([x, make.normal(3), -x])
        matches_reference.compensated_sum(terms[make.distinct(len(terms)).astype(int)])


@points(2)
def test_larger_than_the_sum(student, matches_reference, make):
    """A term that is larger than the sum so far pushes nothing out of it."""
    for x, due in (([1, 1e20, 1, -1e20], 2.0), ([3, 1e17, 2, -1e17, 1], 6.0)):
        expect_close(student.compensated_sum(make.array(x)), due, 0.0, f"the sum of {x} is not {due:g}")
    matches_reference.compensated_sum(np.concatenate([make.normal(3), [1e12], make.normal(3), [-1e12]]))


@points(1)
def test_many(matches_reference, make):
    """A thousand equal numbers that float64 cannot hold exactly."""
    matches_reference.compensated_sum(make.array([0.1] * 1000))
    matches_reference.compensated_sum(np.concatenate([make.array([1e16]), make.array([1.0] * 100)]))
    matches_reference.compensated_sum(make.array([0.1] * 1000 + [1e17, -1e17]))


@points(0.5)
def test_nothing(matches_reference, make):
    """The sum of no numbers is 0."""
    matches_reference.compensated_sum(make.array([]))
    matches_reference.compensated_sum(make.normal(3) + 4)


def examples(ask, make):
    ask.compensated_sum(make.normal(7) + 4)


test_input_unchanged = laws.inputs_unchanged(0.5, examples)
test_keywords = laws.keywords(0.5, examples)
test_layout = laws.memory_layout(0.5, examples)
test_remembers_nothing = laws.remembers_nothing(0.5, examples)


def summed(x, lost_in):
    total = lost = 0.0
    for term in map(float, x):
        new = total + term
        lost += lost_in(total, term, new)
        total = new
    return total, lost


def kahan(x):
    total = carry = 0.0
    for term in map(float, x):
        y = term - carry
        new = total + y
        carry = (new - total) - y
        total = new
    return total


def of_the_larger(total, term, new):
    return (total - new) + term if abs(total) >= abs(term) else (term - new) + total


def in_place(x):
    x.sort()
    return math.fsum(x)


KNOWN = misconceptions(
    "compensated_sum",
    from_left_to_right=lambda x: summed(x, lambda *_: 0.0)[0],
    sorted_first=lambda x: summed(np.sort(x), lambda *_: 0.0)[0],
    smallest_first=lambda x: summed(x[np.argsort(np.abs(x))], lambda *_: 0.0)[0],
    pairwise=lambda x: float(np.sum(x)),
    kahan=kahan,
    total_taken_for_larger=lambda x: sum(summed(x, lambda total, term, new: (total - new) + term)),
    lost_subtracted=lambda x: summed(x, of_the_larger)[0] - summed(x, of_the_larger)[1],
    in_float32=lambda x: float(x.astype(np.float32).sum()),
    sorts_its_input=in_place,
)
