"""Hidden suite for pair."""

from grader.suites import error_bound, expect_close, misconception, points


@error_bound("pair")
def pair_bound(x):
    return x.abs() + 1, x.abs()


@points(1)
def test_values(matches_reference, make):
    """The results are x + 1 and x * 2."""
    matches_reference.pair(make.normal(2, 3))


@points(1)
def test_law(student, make):
    """Twice the first result is the second one plus 2."""
    first, second = student.pair(make.normal(4))
    expect_close(2 * first, second + 2, 1e-5, "the two results do not fit together")


@misconception("pair")
def swapped(x):
    """The two results are in the wrong order."""
    return x * 2, x + 1
