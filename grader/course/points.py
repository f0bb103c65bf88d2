"""Points: the one place where they are summed and rounded."""

from __future__ import annotations

from collections.abc import Iterable

DECIMALS = 4


def rounded(points: float) -> float:
    """Points without the dust of binary fractions."""
    return round(points, DECIMALS)


def total(points: Iterable[float]) -> float:
    """A sum of points."""
    return rounded(sum(points))
