"""The part of a wrong result that is small enough to look at: one matrix of what was due, one of what came."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from grader import arrays
from grader.arrays import Numpy
from grader.report import Cell, Picture
from grader.texts import Text, translated

MOST = 12  # rows, and columns
PATTERN = range(3, 9)  # rows, and columns, that show a staircase or a band and are still read at a glance
IN_PART = translated("{part}, matrix {place}")


class Compared(NamedTuple):
    """One wrong result: what it is called, what came, what was due (of one shape), and which entries are right."""

    name: Text
    actual: Numpy
    expected: Numpy
    right: Numpy

    def apart(self) -> Numpy:
        """How far each wrong entry is off; less than 0 where it is right."""
        difference = np.abs(arrays.minus(arrays.exact(self.actual), self.expected))
        return np.where(self.right, -1.0, np.nan_to_num(difference, nan=np.inf, posinf=np.inf))

    def worst(self) -> tuple[int, ...]:
        """Where the entry is that is off most."""
        apart = self.apart()
        return tuple(int(i) for i in np.unravel_index(apart.argmax(), apart.shape))


@dataclasses.dataclass(frozen=True)
class Excerpt:
    """A picture whose name is yet to be said in a language."""

    name: Text
    shape: list[int]
    expected: list[list[Cell]]
    actual: list[list[Cell]]

    def picture(self, lang: str) -> Picture:
        """The picture in the language of the report."""
        return Picture(self.name.to(lang), self.shape, self.expected, self.actual)


class Detail(NamedTuple):
    """What a learner is shown beside the reason of a failure."""

    values: Text | None
    excerpt: Excerpt | None


def shown_of(results: Sequence[Compared]) -> Compared:
    """The wrong result to tell about: one that can be drawn before others, shares before other numbers."""
    return min(results, key=lambda r: (not is_drawn(r), not _shares(r.expected)))


def is_drawn(wrong: Compared) -> bool:
    """Whether the last two dimensions are small enough to look at."""
    size = wrong.actual.shape[-2:]
    return bool(size) and math.prod(size) > 1 and max(size) <= MOST and not np.iscomplexobj(wrong.expected)


def shows_pattern(shape: Sequence[int]) -> bool:
    """Whether a matrix of a result of this shape, or the row that it is, shows how its entries are laid out."""
    return bool(shape) and all(n in PATTERN for n in shape[-2:])


def _shares(expected: Numpy) -> bool:
    return not np.iscomplexobj(expected) and bool(((expected >= 0) & (expected <= 1)).all())


def excerpt(wrong: Compared) -> Excerpt | None:
    """The matrix that holds the entry that is off most; None where it is not small enough."""
    if not is_drawn(wrong):
        return None
    place: tuple[int, ...] = ()
    if wrong.actual.ndim > 2:
        place = wrong.worst()[:-2]
    rows = [t[place] if t.ndim > 1 else t[None] for t in wrong[1:]]
    actual, expected, right = (t.tolist() for t in rows)
    shown = [
        [_cell(e) if ok else _apart(a, e) for a, e, ok in zip(*row, strict=True)]
        for row in zip(actual, expected, right, strict=True)
    ]
    name = IN_PART.format(part=wrong.name, place=list(place)) if place else wrong.name
    return Excerpt(name, list(wrong.actual.shape), [[_cell(e) for e in row] for row in expected], shown)


def _cell(value: float) -> Cell:
    """The number with six digits, which is more than fits on a screen."""
    return float(f"{float(value):.6g}") if math.isfinite(value) else str(float(value))


def _apart(actual: float, expected: float) -> Cell:
    """A wrong entry, with as many digits as it takes to differ from the right one."""
    cell = _cell(actual)
    return cell if cell != _cell(expected) else float(actual)
