"""Hidden suite for lu."""

import numpy as np

from grader.suites import misconceptions, points


@points(2)
def test_factors(matches_reference, make):
    """The matrix holds both factors after the call."""
    for n in (1, 2, 3, 6):
        matches_reference.in_place("a").lu(make.normal(n, n))


@points(1)
def test_pivots(matches_reference, make):
    """The rows that were exchanged are returned."""
    for n in (2, 4):
        matches_reference.in_place("a", "").lu(make.normal(n, n))


def unpivoted(a):
    for k in range(len(a)):
        a[k + 1 :, k] /= a[k, k]
        a[k + 1 :, k + 1 :] -= np.outer(a[k + 1 :, k], a[k, k + 1 :])
    return list(range(len(a)))


def on_a_copy(a):
    a = a.copy()
    pivots = []
    for k in range(len(a)):
        p = k + int(np.abs(a[k:, k]).argmax())
        a[[k, p]] = a[[p, k]]
        a[k + 1 :, k] /= a[k, k]
        a[k + 1 :, k + 1 :] -= np.outer(a[k + 1 :, k], a[k, k + 1 :])
        pivots.append(p)
    return pivots


KNOWN = misconceptions("lu", no_pivots=unpivoted, works_on_a_copy=on_a_copy)
