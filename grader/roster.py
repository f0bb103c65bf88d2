"""A class list from a learning platform: which of its lines belongs to which hand-in. Nobody is lost silently."""

from __future__ import annotations

import csv
import dataclasses
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

from grader.errors import CourseError

# What a line may be found by, the most telling first: our own column, then those of Canvas, Moodle and Gradescope.
KEYS = (
    "student", "SIS Login ID", "SIS User ID", "ID", "Username", "ID number", "Email address", "Email", "SID",
)  # fmt: skip
Line = Mapping[str, str]


@dataclasses.dataclass(frozen=True)
class Roster:
    """The lines of a class list, in its order; `key` is the column that holds what hand-ins are called."""

    columns: tuple[str, ...]
    key: str
    lines: tuple[Line, ...]


@dataclasses.dataclass(frozen=True)
class Matches:
    """Each student's line; students without one, or who share theirs with another; lines without a hand-in."""

    lines: Mapping[str, Line]
    unmatched: tuple[str, ...]
    absent: tuple[str, ...]


def read(path: Path, key: str | None = None) -> Roster:
    """Read a CSV file with a heading.

    Args:
        key: the column to match hand-ins with, None for the first of KEYS that is there.

    Raises:
        CourseError: unreadable, no such column, or two lines with the same key; the message names file and line.
    """
    try:
        with open(path, newline="", encoding="utf-8-sig") as file:
            reader = csv.reader(file)
            columns = tuple(c.strip() for c in next(reader, []))
            rows = [(reader.line_num, [c.strip() for c in row]) for row in reader if any(c.strip() for c in row)]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise CourseError(f"{path}: cannot be read: {error}; it should be CSV in UTF-8") from error
    chosen = key or next((k for k in KEYS if k in columns), None)
    if chosen is None or chosen not in columns:
        lacks = f"no column {chosen!r}" if chosen else f"none of the columns {', '.join(KEYS)}"
        has = ", ".join(columns) or "none"
        raise CourseError(
            f"{path}:1: {lacks}; it has {has}. --key names the column that holds what hand-ins are called"
        )
    seen: dict[str, int] = {}
    lines = []
    for number, row in rows:
        line = dict(zip(columns, row, strict=False))
        name = line.get(chosen, "")
        if not name or row[0].startswith("Points Possible"):  # a line of Canvas's that is no student
            continue
        if name in seen:
            raise CourseError(f"{path}:{number}: {chosen} {name!r} was already on line {seen[name]}")
        seen[name] = number
        lines.append({column: line.get(column, "") for column in columns})
    return Roster(columns, chosen, tuple(lines))


def match(roster: Roster, students: Iterable[str]) -> Matches:
    """Find each student's line: the same name, else the same but for capitals and the part after an @."""
    exact = {line[roster.key]: line for line in roster.lines}
    loose = defaultdict(list)
    for line in roster.lines:
        for name in {_loose(line[roster.key]), _loose(line[roster.key].partition("@")[0])}:
            loose[name].append(line)
    found: dict[str, Line] = {}
    for student in students:
        near = [exact[student]] if student in exact else loose.get(_loose(student), [])
        if len(near) == 1:
            found[student] = near[0]
    holders = defaultdict(list)
    for student, line in found.items():
        holders[line[roster.key]].append(student)
    matched = {s: line for s, line in found.items() if len(holders[line[roster.key]]) == 1}
    unmatched = tuple(s for s in students if s not in matched)
    absent = tuple(line[roster.key] for line in roster.lines if line[roster.key] not in holders)
    return Matches(matched, unmatched, absent)


def _loose(name: str) -> str:
    return name.casefold()
