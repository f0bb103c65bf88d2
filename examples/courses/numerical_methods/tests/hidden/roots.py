"""Hidden suite for roots."""

import numpy as np

from grader.suites import exact, expect_close, laws, misconceptions, points, tolerance

HALVED = exact("bisection")  # the midpoints are the same in every right solution
CLOSE = tolerance("newton", rtol=1e-11, atol=1e-11)
LETS_PASS = {
    "long_rows_cut": "the results are numbers",
    "reuses_buffer": "the results are numbers",
    "squeezed": "the results are numbers",
    "remembers_by_shape": "calls with other ends and tolerances are other calls",
}
SQUARE_ROOT_OF_2 = [1.0, 0.0, -2.0]


@points(2)
def test_bisection(matches_reference, student, make):
    """Bisection finds the root, within tol, as the midpoint of the last interval."""
    for tol in (0.1, 1e-3, 1e-9):
        x = matches_reference.bisection(make.array(SQUARE_ROOT_OF_2), 0.0, 2.0, tol=tol)
        expect_close(x, 2**0.5, tol, "the root of x^2 - 2 is off by more than tol")
    matches_reference.bisection(make.array([1.0, 0.0, 0.0, -5.0]), 1.0, 3.0)


@points(1.5)
def test_falling(matches_reference, make):
    """The polynomial may fall instead of rise, and have several roots in the interval."""
    matches_reference.bisection(make.array([-1.0, 0.0, 2.0]), 0.0, 2.0, tol=1e-6)
    matches_reference.bisection(make.array([1.0, 0.0, -1.0, 0.1]), -1.5, 1.4, tol=1e-6)
    root = make.number(0.2, 0.8)
    matches_reference.bisection(make.array([-3.0, 3.0 * root]), 0.0, 1.0, tol=1e-8)


@points(1)
def test_hits_a_root(matches_reference, make):
    """A root at an end or at a midpoint is found exactly."""
    line = make.array([1.0, -1.0])
    for a, b in ((1.0, 3.0), (-2.0, 1.0), (0.0, 2.0), (-1.0, 7.0)):
        matches_reference.bisection(line, a, b, tol=1e-3)
    matches_reference.bisection(make.array(SQUARE_ROOT_OF_2), 1.0, 2.0, tol=1e-2)


@points(1)
def test_bisection_refuses(raises_value_error, matches_reference, make):
    """Ends of the same sign, or in the wrong order, are refused with ValueError."""
    c = make.array(SQUARE_ROOT_OF_2)
    raises_value_error.bisection(c, 2.0, 3.0)
    raises_value_error.bisection(c, -1.0, 1.0)
    raises_value_error.bisection(c, 2.0, 0.0)
    matches_reference.bisection(c, 0.0, 3.0)


@points(2)
def test_newton(matches_reference, make):
    """Newton finds the root, in the number of steps that the method takes."""
    for start in (2.0, 1.0, -3.0, 10.0):
        matches_reference.newton(make.array(SQUARE_ROOT_OF_2), start)
    matches_reference.newton(make.array([1.0, 0.0, 0.0, -5.0]), 3.0, tol=1e-6)
    matches_reference.newton(make.array([2.0, -1.0]), make.number(1, 5))


@points(1)
def test_newton_refuses(raises_value_error, matches_reference, make):
    """A derivative of 0, and too few steps, end in ValueError."""
    c = make.array(SQUARE_ROOT_OF_2)
    raises_value_error.newton(c, 0.0)
    raises_value_error.newton(make.array([1.0, 0.0, 1.0]), 1.0)
    raises_value_error.newton(c, 2.0, max_steps=3)
    matches_reference.newton(c, 2.0, max_steps=6)


def examples(ask, make):
    ask.bisection(make.array([1.0, 0.0, -3.0]), 0.0, 3.0, tol=1e-4)
    ask.newton(make.array([1.0, 0.0, -3.0]), 3.0, tol=1e-6)


test_input_unchanged = laws.inputs_unchanged(0.5, examples)
test_remembers_nothing = laws.remembers_nothing(0.5, examples)
test_keywords = laws.keywords(0.5, examples)


def halved(c, a, b, tol, keeps, result=lambda a, b: (a + b) / 2, until=2.0):
    if not a < b or np.polyval(c, a) * np.polyval(c, b) > 0:
        raise ValueError
    for end in (a, b):
        if np.polyval(c, end) == 0:
            return end
    while b - a > until * tol:
        middle = (a + b) / 2
        value = np.polyval(c, middle)
        if value == 0:
            return middle
        a, b = (middle, b) if keeps(c, a, value) else (a, middle)
    return result(a, b)


def same_sign(c, a, value):
    return value * np.polyval(c, a) > 0


def stepped(c, x, tol, max_steps, step, done=lambda x, before, c, tol: abs(x - before) <= tol, count=0):
    for n in range(1, max_steps + 1):
        if np.polyval(np.polyder(c), x) == 0:
            raise ValueError
        before, x = x, step(c, x)
        if done(x, before, c, tol):
            return x, n + count
    raise ValueError


def newtons(c, x):
    return x - np.polyval(c, x) / np.polyval(np.polyder(c), x)


BISECTION = misconceptions(
    "bisection",
    wrong_half=lambda c, a, b, tol=1e-10: halved(c, a, b, tol, lambda *given: not same_sign(*given)),
    rising_only=lambda c, a, b, tol=1e-10: halved(c, a, b, tol, lambda c, a, value: value < 0),
    lower_end=lambda c, a, b, tol=1e-10: halved(c, a, b, tol, same_sign, lambda a, b: a),
    until_tol=lambda c, a, b, tol=1e-10: halved(c, a, b, tol, same_sign, until=1.0),
    stops_early=lambda c, a, b, tol=1e-10: halved(c, a, b, tol, same_sign, until=8.0),
    false_position=lambda c, a, b, tol=1e-10: a - np.polyval(c, a) * (b - a) / (np.polyval(c, b) - np.polyval(c, a)),
    any_root=lambda c, a, b, tol=1e-10: float(np.roots(c).real.max()),
)
NEWTON = misconceptions(
    "newton",
    uphill=lambda c, x, tol=1e-12, max_steps=50: stepped(c, x, tol, max_steps, lambda c, x: 2 * x - newtons(c, x)),
    slope_of_the_start=lambda c, x, tol=1e-12, max_steps=50: stepped(
        c, x, tol, max_steps, lambda c, y, slope=np.polyval(np.polyder(c), x): y - np.polyval(c, y) / slope
    ),
    stops_at_small_values=lambda c, x, tol=1e-12, max_steps=50: stepped(
        c, x, tol, max_steps, newtons, lambda x, before, c, tol: abs(np.polyval(c, x)) <= tol
    ),
    counts_from_0=lambda c, x, tol=1e-12, max_steps=50: stepped(c, x, tol, max_steps, newtons, count=-1),
    multiplied=lambda c, x, tol=1e-12, max_steps=50: stepped(
        c, x, tol, max_steps, lambda c, x: x - np.polyval(c, x) * np.polyval(np.polyder(c), x)
    ),
)
