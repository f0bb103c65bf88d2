"""Points: the one place where they are summed and rounded."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

DECIMALS = 4
DUST = 1e-6  # of binary fractions


def rounded(points: float) -> float:
    """Round points so that no errors of binary fractions show."""
    return round(points, DECIMALS)


def shared_out(weights: Mapping[str, float], points: float | None, decimals: int = DECIMALS) -> dict[str, float]:
    """Share out `points` in proportion to the weights; if `points` is None, return the weights."""
    sum_ = sum(weights.values())
    if points is None or not sum_ or abs(sum_ - points) <= DUST:
        return dict(weights)
    found = {name: round(weight * points / sum_, decimals) for name, weight in weights.items()}
    largest = max(found, key=found.__getitem__)
    found[largest] = rounded(found[largest] + points - sum(found.values()))
    return found


def total(points: Iterable[float]) -> float:
    """Return the sum of points, rounded."""
    return rounded(sum(points))
