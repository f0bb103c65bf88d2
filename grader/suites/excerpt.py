"""The part of a wrong result that is small enough to look at, and how well a call shows a mistake."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from grader import arrays
from grader.arrays import Array, Numpy
from grader.report import Cell, Picture
from grader.suites.api import PROMISES, Promise, Salience
from grader.texts import Text, translated

MOST = 12  # rows, and columns
MOST_TRACED = 4096  # entries of a result whose places are looked up
PATTERN = range(3, 9)  # rows, and columns, that show a staircase or a band and are still read at a glance
LARGE = 50.0  # an entry beyond this is no ordinary one
IN_PART = translated("{part}, matrix {place}")


class Compared(NamedTuple):
    """One wrong result: its name, the actual and the expected array (of one shape), and which entries are right."""

    name: Text
    actual: Numpy
    expected: Numpy
    right: Numpy

    def apart(self) -> Numpy:
        """Return by how much each entry is off; less than 0 where it is right."""
        difference = np.abs(arrays.minus(arrays.exact(self.actual), arrays.exact(self.expected)))
        return np.where(self.right, -1.0, np.nan_to_num(difference, nan=np.inf, posinf=np.inf))

    def worst(self) -> tuple[int, ...]:
        """Return the place of the entry that is off most."""
        apart = self.apart()
        return tuple(int(i) for i in np.unravel_index(apart.argmax(), apart.shape))


def shown_of(results: Sequence[Compared]) -> Compared:
    """Return the wrong result to show: one that can be drawn before others, shares before other numbers."""
    return min(results, key=lambda r: (not is_drawn(r), not _shares(r.expected)))


def is_drawn(wrong: Compared) -> bool:
    """Return whether the last two dimensions are small enough to look at."""
    size = wrong.actual.shape[-2:] if arrays.holds_numbers(wrong.expected) else ()
    return bool(size) and math.prod(size) > 1 and max(size) <= MOST and not np.iscomplexobj(wrong.expected)


def shows_pattern(shape: Sequence[int]) -> bool:
    """Return True if the result's last matrix, or its row, has a size at which the layout of its entries shows."""
    return bool(shape) and all(n in PATTERN for n in shape[-2:])


def _shares(expected: Numpy) -> bool:
    return expected.dtype.kind in "biuf" and bool(((expected >= 0) & (expected <= 1)).all())


def excerpt(wrong: Compared) -> Picture | None:
    """Return the matrix with the entry that is off most; None if it is not small enough."""
    return _pictured(wrong, wrong.worst()[:-2]) if is_drawn(wrong) else None


def excerpts(compared: Compared, most: int) -> tuple[Picture, ...]:
    """Return the first few matrices and the one with the entry that is off most; none if they are not small enough."""
    actual, whole = compared.actual, compared.right.all()
    if (
        not actual.size
        or not arrays.holds_numbers(actual)
        or max(actual.shape[-2:], default=1) > MOST
        or any(map(np.iscomplexobj, compared[1:3]))
    ):
        return ()
    places = list(itertools.islice(np.ndindex(actual.shape[:-2]), most))
    if not whole and (worst := compared.worst()[:-2]) not in places:
        places[-1] = worst
    return tuple(_pictured(compared, place) for place in places)


def _pictured(wrong: Compared, place: tuple[int, ...]) -> Picture:
    """The matrix at this place of the leading axes; a row or a number as a matrix."""
    actual, expected, right = (np.atleast_2d(t[place]).tolist() for t in wrong[1:])
    shown = [
        [_cell(e) if ok else _apart(a, e) for a, e, ok in zip(*row, strict=True)]
        for row in zip(actual, expected, right, strict=True)
    ]
    name = IN_PART.format(part=wrong.name, place=list(place)) if place else wrong.name
    due = [[_cell(e) for e in row] for row in expected]
    return Picture(name, list(wrong.actual.shape), due, shown, _homes(wrong, place))


def _homes(wrong: Compared, place: tuple[int, ...]) -> list[list[list[int]]] | None:
    """Return where each wrong entry of the matrix at `place` belongs; None unless the code moves entries.

    The code moves entries if most wrong entries belong elsewhere; this shows only if all expected entries differ.
    """
    if wrong.actual.ndim < 2 or wrong.expected.size > MOST_TRACED or wrong.right[place].all():
        return None
    due = {value: index for index, value in np.ndenumerate(wrong.expected)}
    if len(due) < wrong.expected.size:
        return None
    rows = zip(arrays.exact(wrong.actual)[place], wrong.right[place], strict=True)
    found = [[() if ok else due.get(v, ()) for v, ok in zip(*row, strict=True)] for row in rows]
    moved = sum(bool(home) for row in found for home in row)
    if 2 * moved <= int((~wrong.right[place]).sum()):
        return None
    return [[list(home[-2:] if home[:-2] == place else home) for home in row] for row in found]


def _cell(value: float) -> Cell:
    """The number with six digits, which is more than fits on a screen."""
    return float(f"{float(value):.6g}") if math.isfinite(value) else str(float(value))


def _apart(actual: float, expected: float) -> Cell:
    """Write a wrong entry, with as many digits as it takes to differ from the right one."""
    cell = _cell(actual)
    return cell if cell != _cell(expected) else float(actual)


def salience(promise: Promise, inputs: Sequence[Array]) -> Salience:
    """Return how well a failure with these inputs shows what is wrong."""
    floats = [t for t in inputs if arrays.is_real(t) and arrays.size(t)]
    edge = any({0, 1} & {*t.shape} for t in inputs) or not all((np.abs(arrays.exact(t)) < LARGE).all() for t in floats)
    usual = {"torch.float32", "float64"}  # of torch, of numpy
    other_dtype = any(str(t.dtype) not in usual for t in floats)
    return Salience(PROMISES.index(promise), edge, other_dtype, size=sum(map(arrays.size, inputs)))
