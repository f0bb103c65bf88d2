"""Hidden suite for metropolis."""

import numpy as np

from grader.suites import given, misconceptions, points


def bell(x):
    return -x * x / 2


def two_hills(x):
    return float(np.logaddexp(-((x - 2) ** 2), -((x + 2) ** 2)))


@points(1)
def test_draws(matches_reference, make):
    """Each draw follows from the generator and the density."""
    for density, n in ((bell, 5), (two_hills, 40)):
        rng = np.random.default_rng(make.integer(0, 1000))
        matches_reference.metropolis(given(density, at_most=n + 1), 0.5, n, rng)
    matches_reference.metropolis(bell, 0.0, 20, np.random.default_rng(3), width=3.0)


@points(1)
def test_generator(matches_reference):
    """The generator that is passed is used, and left where the last draw leaves it."""
    matches_reference.in_place("rng").metropolis(bell, 0.0, 10, np.random.default_rng(5))


def only_up(log_density, x0, n, rng, width=1.0):
    x, density = x0, log_density(x0)
    found = []
    for _ in range(n):
        other = x + width * rng.normal()
        there = log_density(other)
        rng.uniform()
        if there > density:
            x, density = other, there
        found.append(x)
    return np.array(found)


def drops(log_density, x0, n, rng, width=1.0):
    x, density = x0, log_density(x0)
    found = []
    while len(found) < n:
        other = x + width * rng.normal()
        there = log_density(other)
        if np.log(rng.uniform()) < there - density:
            x, density = other, there
            found.append(x)
    return np.array(found)


KNOWN = misconceptions("metropolis", climbs_only=only_up, drops_refused=drops)
