"""Hidden suite for solve_ivp."""

import numpy as np

from grader.suites import given, laws, misconceptions, points, tolerance

CLOSE = tolerance(rtol=1e-9, atol=1e-10)


def swing(t, y):
    return np.array([y[1], -y[0]])


def driven(t, y):
    return t - 2 * y


@points(1)
def test_swing(matches_reference, make):
    """A pendulum swings as it should."""
    for n in (1, 4, 10):
        matches_reference.solve_ivp(given(swing, at_most=4 * n), 0.0, 1.0, make.normal(2), n)


@points(1)
def test_time(matches_reference, make):
    """f is called at the right times."""
    for n in (1, 3, 8):
        matches_reference.solve_ivp(driven, 1.0, make.number(1.5, 2.0), make.normal(3), n)


def examples(ask, make):
    ask.solve_ivp(swing, 0.0, 1.0, make.normal(2), 3)


test_inputs = laws.inputs_unchanged(1, examples)


def euler(f, t0, t1, y0, n):
    h, found = (t1 - t0) / n, [y0]
    for i in range(n):
        found.append(found[-1] + h * f(t0 + i * h, found[-1]))
    return np.array(found)


def at_the_start(f, t0, t1, y0, n):
    h, found = (t1 - t0) / n, [y0]
    for i in range(n):
        t, y = t0 + i * h, found[-1]
        a = f(t, y)
        b = f(t, y + h / 2 * a)
        c = f(t, y + h / 2 * b)
        d = f(t, y + h * c)
        found.append(y + h / 6 * (a + 2 * b + 2 * c + d))
    return np.array(found)


KNOWN = misconceptions("solve_ivp", euler_steps=euler, time_of_the_start=at_the_start)
