"""The part of a wrong result that is small enough to look at: one matrix of what was due, one of what came."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from grader.arrays import Numpy
from grader.report import Cell, Picture
from grader.texts import Text, translated

MOST = 12  # rows, and columns
IN_PART = translated("{part}, matrix {place}")


class Compared(NamedTuple):
    """One wrong result: what it is called, what came, what was due (of one shape), and which entries are right."""

    name: Text
    actual: Numpy
    expected: Numpy
    right: Numpy


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


def excerpt(results: Sequence[Compared]) -> Excerpt | None:
    """The first matrix of a wrong result in which something is wrong; None where none is small enough.

    Of several results one whose entries are all due between 0 and 1 is preferred: shares and switches are seen at a
    glance.
    """
    sizes = [r.actual.shape[-2:] for r in results]
    drawn = [size and math.prod(size) > 1 and max(size) <= MOST for size in sizes]
    small = [r for r, fits in zip(results, drawn, strict=True) if fits and not np.iscomplexobj(r.expected)]
    return _of(min(small, key=lambda r: not _shares(r.expected))) if small else None


def _shares(expected: Numpy) -> bool:
    return bool(((expected >= 0) & (expected <= 1)).all())


def _of(wrong: Compared) -> Excerpt:
    place: tuple[int, ...] = ()
    if wrong.actual.ndim > 2:
        leading = itertools.product(*(range(n) for n in wrong.actual.shape[:-2]))
        place = next(p for p in leading if not bool(wrong.right[p].all()))
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
