"""Two more ways to see a wrong result: where moved entries belong, and pairs of columns as points of a plane.

Terminal and pages draw both from here.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from grader.report import Cell, Picture, same

MOST_PAIRS, MOST_ROWS = 3, 3


class Home(NamedTuple):
    """The place where the entry of a cell belongs; `matrix` is empty if that is in the same one."""

    matrix: tuple[int, ...]
    row: int
    column: int

    def __str__(self) -> str:
        return f"{self.of_matrix}{self.row},{self.column}"

    @property
    def of_matrix(self) -> str:
        """`[0,2]`, or nothing."""
        return f"[{','.join(map(str, self.matrix))}]" if self.matrix else ""


def homes(picture: Picture) -> list[list[Home | None]] | None:
    """Return for each cell of the result where its entry belongs, None if nowhere.

    This is for code that only moves entries. It returns None as a whole if the expected entries are not all
    different, since the places are unknown then.
    """
    at = {str(v): Home((), r, c) for r, row in enumerate(picture.expected) for c, v in enumerate(row)}
    if len(at) < sum(map(len, picture.expected)):
        return None
    if not picture.homes:
        return [[at.get(str(v)) for v in row] for row in picture.actual]
    rows = zip(picture.actual, picture.expected, picture.homes, strict=True)
    return [[_home(at, *cell) for cell in zip(*row, strict=True)] for row in rows]


def _home(at: dict[str, Home], value: Cell, due: Cell, place: Sequence[int]) -> Home | None:
    if same(value, due):
        return at[str(due)]
    return Home(tuple(place[:-2]), *place[-2:]) if place else None


class Point(NamedTuple):
    """Two columns of a row as a point, where it is due and where it came."""

    row: int
    columns: tuple[int, int]
    due: tuple[float, float]
    came: tuple[float, float]
    right: bool

    @property
    def apart(self) -> float:
        """The distance between the point and where it should be."""
        return math.dist(self.due, self.came)


def points(picture: Picture) -> list[Point]:
    """Column i with column i + half of each row, for results that turn such pairs.

    None of a result with an odd number of columns, with an entry that is not a number, or in which both columns hold
    the same, as in a table of angles.
    """
    width = len(picture.expected[0])
    every = [v for rows in (picture.expected, picture.actual) for row in rows for v in row]
    if width % 2 or not all(isinstance(v, int | float) for v in every):
        return []
    found = list(_points(picture, width // 2))
    return found if any(p.due[0] != p.due[1] for p in found) else []


def _points(picture: Picture, half: int) -> Iterator[Point]:
    for number, (due, came) in enumerate(zip(picture.expected, picture.actual, strict=True)):
        for one, other in ((i, i + half) for i in range(half)):
            right = same(due[one], came[one]) and same(due[other], came[other])
            (x, y), (u, v) = ((float(row[one]), float(row[other])) for row in (due, came))
            yield Point(number, (one, other), (x, y), (u, v), right)


def worst_pairs(picture: Picture) -> dict[tuple[int, int], list[Point]]:
    """The few pairs of columns that are off most, and of each the few rows."""
    wrong = sorted((p for p in points(picture) if not p.right), key=lambda p: -p.apart)
    pairs = sorted(list(dict.fromkeys(p.columns for p in wrong))[:MOST_PAIRS])
    return {pair: sorted([p for p in wrong if p.columns == pair][:MOST_ROWS]) for pair in pairs}
