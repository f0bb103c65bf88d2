"""Recognises the columns of a platform's own file in any language; it is written back with its headings."""

from __future__ import annotations

import dataclasses
import itertools
import re
from collections.abc import Sequence

from grader.intake import Line
from grader.intake.roster import ADDRESSES, LOGINS, NUMBERED, NUMBERS, kinds

_ASSIGNMENT = re.compile(r".*\(\d+\)")  # HW 3 (77)
_POINTS = re.compile(r"\d*([.,]\d+)?")
_NAME = re.compile(r"[^\d@]+")


@dataclasses.dataclass(frozen=True)
class Worksheet:
    """The columns of Moodle's grading worksheet with the grade, and with its maximum."""

    grade: str
    maximum: str


def gradebook(lines: Sequence[Line]) -> tuple[str, ...]:
    """Return the columns of Canvas's gradebook that identify a person; none if the lines are of another list.

    It begins with names and Canvas's numbers of people, and goes on with points.
    """
    columns = tuple(lines[0]) if lines else ()
    if len(columns) < 2 or not all(_NAME.fullmatch(line[columns[0]]) for line in lines):
        return ()
    if not all(line[columns[1]].isdecimal() for line in lines):
        return ()
    points = (n for n, c in enumerate(columns) if n > 1 and (_ASSIGNMENT.fullmatch(c) or _is_of_points(c, lines)))
    return columns[: next(points, len(columns))]


def _is_of_points(column: str, lines: Sequence[Line]) -> bool:
    """Return True if a column holds points with a fraction, and nothing else."""
    cells = [line[column] for line in lines if line[column]]
    return any(not c.isdecimal() for c in cells) and all(map(_POINTS.fullmatch, cells))


def worksheet(lines: Sequence[Line]) -> Worksheet | None:
    """Return Moodle's grading worksheet, if the lines are one: it begins with `Participant 20001`; the grade stands
    before a number that is the same in all lines, the maximum.
    """
    columns = tuple(lines[0]) if lines else ()
    if not columns or kinds(columns, lines).get(columns[0]) != NUMBERED:
        return None
    for grade, maximum in itertools.pairwise(columns[1:]):
        most = {line[maximum] for line in lines}
        same = len(most) == 1 and "" not in most and all(map(_POINTS.fullmatch, most))
        if same and all(_POINTS.fullmatch(line[grade]) or line[grade] == "-" for line in lines):
            return Worksheet(grade, maximum)
    return None


def identities(lines: Sequence[Line]) -> tuple[str, ...]:
    """Return the columns of any list by which a platform can identify people: logins, numbers, e-mail addresses."""
    columns = tuple(lines[0]) if lines else ()
    found = kinds(columns, lines)
    return tuple(c for c in columns if found.get(c) in (LOGINS, NUMBERS, ADDRESSES))
