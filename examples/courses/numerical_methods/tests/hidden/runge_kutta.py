"""Hidden suite for runge_kutta."""

import numpy as np

from grader.suites import expect, expect_close, laws, misconceptions, points, tolerance

CLOSE = tolerance(rtol=1e-10, atol=1e-12)


def species(make, d):
    """Populations that neither die out nor explode."""
    return make.uniform(d, low=0.5, high=1.5), make.uniform(d, low=-1, high=1), make.normal(d, d, scale=0.4)


@points(2)
def test_one_step(matches_reference, make):
    """One step of the method."""
    for d in (1, 2, 4):
        matches_reference.rk4(*species(make, d), 0.1, 1)


@points(2)
def test_path(matches_reference, make):
    """Each row of the result follows from the one before."""
    for d, steps in ((1, 5), (2, 8), (3, 3), (1, 110)):
        matches_reference.rk4(*species(make, d), 0.05, steps)


@points(1.5)
def test_order(student, matches_reference, make):
    """Half the step, and the error is a sixteenth: growth without bounds has the solution exp(t)."""
    one, none = make.array([1.0]), make.array([[0.0]])
    errors = [abs(student.rk4(one, one, none, 1 / n, n)[-1, 0] - np.e) for n in (16, 32)]
    expect(14.5 < errors[0] / errors[1] < 17.5, "half the step does not divide the error by about 16")
    matches_reference.rk4(*species(make, 2), 0.1, 2)


@points(1)
def test_equilibrium(student, matches_reference, make):
    """Hunters and prey in equilibrium stay there."""
    y0, r = make.array([2.0, 0.5]), make.array([1.0, -1.0])
    a = make.array([[0.0, -2.0], [0.5, 0.0]])
    expect_close(student.rk4(y0, r, a, 0.1, 20), np.tile(y0, (21, 1)), 1e-12, "an equilibrium is left")
    matches_reference.rk4(y0 * 1.1, r, a, 0.1, 10)


@points(1)
def test_no_step_and_back(matches_reference, make):
    """No step gives the start alone; a negative h goes back in time."""
    matches_reference.rk4(*species(make, 3), 0.1, 0)
    matches_reference.rk4(*species(make, 2), -0.1, 3)


def examples(ask, make):
    ask.rk4(*species(make, 2), 0.1, 2)


test_input_unchanged = laws.inputs_unchanged(1, examples)
test_layout = laws.memory_layout(0.5, examples)
test_remembers_nothing = laws.remembers_nothing(0.5, examples)
test_keywords = laws.keywords(0.5, examples)


def walked(y0, steps, step):
    path = [y0]
    for _ in range(steps):
        path.append(step(path[-1]))
    return np.array(path)


def classical(slope, h, half=0.5, last=1.0, weights=(1, 2, 2, 1), whole=6.0, third=None):
    def step(y):
        k1 = slope(y)
        k2 = slope(y + half * h * k1)
        k3 = slope(y + half * h * (k1 if third == "first" else k2))
        k4 = slope(y + last * h * k3)
        return y + h / whole * sum(w * k for w, k in zip(weights, (k1, k2, k3, k4), strict=True))

    return step


def variant(slope=lambda y, r, a: y * (r + a @ y), **changed):
    return lambda y0, r, a, h, steps: walked(y0, steps, classical(lambda y: slope(y, r, a), h, **changed))


def euler(y0, r, a, h, steps):
    return walked(y0, steps, lambda y: y + h * y * (r + a @ y))


def midpoint(y0, r, a, h, steps):
    def slope(y):
        return y * (r + a @ y)

    return walked(y0, steps, lambda y: y + h * slope(y + h / 2 * slope(y)))


KNOWN = misconceptions(
    "rk4",
    euler=euler,
    midpoint=midpoint,
    equal_weights=variant(weights=(1, 1, 1, 1), whole=4.0),
    middle_once=variant(weights=(1, 1, 1, 1)),
    whole_steps_inside=variant(half=1.0),
    last_in_the_middle=variant(last=0.5),
    third_from_the_first=variant(third="first"),
    transposed=variant(lambda y, r, a: y * (r + a.T @ y)),
    entry_by_entry=variant(lambda y, r, a: y * (r + np.diag(a) * y)),
    rate_alone=variant(lambda y, r, a: r + a @ y),
    linear=variant(lambda y, r, a: r * y + a @ y),
    without_the_start=lambda y0, r, a, h, steps: variant()(y0, r, a, h, steps)[1:],
    end_only=lambda y0, r, a, h, steps: variant()(y0, r, a, h, steps)[-1],
)
