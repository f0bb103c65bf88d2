"""Reads a class list from a learning platform or a spreadsheet, in any language: its students and their names."""

from __future__ import annotations

import dataclasses
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

from grader.errors import CourseError
from grader.intake.csv_tables import Line, rows_of
from grader.intake.matching import CALLED, MATCHED, NAME, Facts, Taken, common_word, find, is_measure
from grader.report import ClassList
from grader.texts import Text, translated

# By what students are called, where a list has such a heading, the most telling first.
KEYS = (
    "student", "SIS Login ID", "SIS User ID", "Username", "ID number", "SID", "Email address", "Email", "identifier",
    "username", "github_username",
)  # fmt: skip
LOGINS, NUMBERS, ADDRESSES, NAMES, NUMBERED = range(5)  # what a column may hold, the best to call people by first
NOBODIES = 2  # lines that may be no student
TAKEN = translated("Column “{column}” of the class list holds {fact}: {count} of {all} found by it.")
HELD = {  # what a fact about people is called
    CALLED: translated("what submissions are called"),
    NAME: translated("names"),
    MATCHED: translated("what --match says"),
    "ID": translated("the platform's numbers of people"),
    "Identifier": translated("the numbers of participants"),
    "SID": translated("student ids"),
    "Email": translated("e-mail addresses"),
    "username": translated("user names"),
}
_LOGIN = re.compile(r"(?=.*[a-z\d])(?![A-Z][a-z]*$)[\w.+-]+", re.ASCII)  # `ada`, `s001`, `U17`; never `Ada`
_TEST_STUDENT = re.compile(r"[0-9a-f]{40}")  # what Canvas calls its own


@dataclasses.dataclass(frozen=True)
class Matches:
    """Each student's line, unless it is shared with another; and the names on lines without a submission."""

    lines: Mapping[str, Line]
    absent: tuple[str, ...]
    key: str
    taken: tuple[Taken, ...] = dataclasses.field(default=(), compare=False)


def read(path: Path, key: str | None = None) -> ClassList:
    """Read a class list: a heading, then a line a person; commas, semicolons or tabs between.

    Args:
        key: the column that holds the student ids, None for the most suitable one.

    Raises:
        CourseError: unreadable, no such column, or two lines with the same key; the message names file and line.
    """
    columns, rows = rows_of(path)
    lines = [dict(zip(columns, row, strict=True)) for _, row in rows]
    telling = keys(columns, lines)
    chosen = key or (KEYS[0] if KEYS[0] in columns else next(iter(telling), None) or _nearly(columns, lines))
    if chosen is None or chosen not in columns:
        has = ", ".join(columns) or "none"
        lacks = f"no column {chosen!r}" if chosen else "none of the columns says something else of everybody"
        raise CourseError(f"{path}:1: {lacks}; it has {has}. --key names the column to use as the student id")
    seen: dict[str, int] = {}
    people, held = [], kinds(columns, lines)
    possible = next(filter(None, (_points_possible(line, held) for line in lines[:NOBODIES])), "")
    for (number, _), line in zip(rows, lines, strict=True):
        name = line[chosen]
        says_nothing = not any(line[c] for c in (chosen, *telling))
        if says_nothing or is_nobody(line) or (possible and line[columns[0]] == possible):
            continue
        if name and name in seen:
            raise CourseError(f"{path}:{number}: {chosen} {name!r} was already on line {seen[name]}")
        seen[name] = number
        people.append(line)
    return ClassList(str(path.resolve()), columns, chosen, tuple(people), possible, key is not None)


def called(listed: ClassList, lines: Iterable[Line]) -> list[str]:
    """Return the names of the students on these lines; if the key is empty, another column's entry."""
    telling = keys(listed.columns, listed.lines)
    return [line[listed.key] or next((line[c] for c in telling if line[c]), "") for line in lines]


def others(listed: ClassList, students: Collection[str]) -> dict[str, str]:
    """Return which student each unique entry of the list identifies: a number, an address."""
    meant = defaultdict[str, set[str]](set)
    for line in listed.lines:
        here = {cell for cell in line.values() if cell in students}
        for cell in filter(None, line.values()):
            meant[cell] |= here
    return {cell: next(iter(found)) for cell, found in meant.items() if len(found) == 1}


def keys(columns: Sequence[str], lines: Sequence[Line]) -> list[str]:
    """Return the columns in which all entries, except on a few lines, differ, the most suitable student id first.

    First come those with a known heading; then, in any language, by content: logins, other numbers, e-mail addresses,
    names, numbers of participants.
    """
    found = kinds(columns, lines)
    numbers = {c: sum(any(map(str.isdecimal, line[c])) for line in lines) for c in found}  # `ada` before `M7001`
    ranks = {c: (KEYS.index(c) if c in KEYS else len(KEYS), kind, numbers[c]) for c, kind in found.items()}
    return sorted(found, key=ranks.__getitem__)


def kinds(columns: Sequence[str], lines: Sequence[Line]) -> dict[str, int]:
    """Return the kind of content of each column in which all entries, except on a few lines, differ."""
    found = {}
    for column in columns:
        cells = [line[column] for line in lines if line[column]]
        distinct = len(set(cells)) == len(cells) >= max(len(lines) - NOBODIES, 1)
        if distinct and not any(map(is_measure, cells)):
            found[column] = _kind(cells)
    return found


def _kind(cells: Sequence[str]) -> int:
    if (word := common_word(cells)) and all(c.startswith(word) for c in cells):
        return NUMBERED
    if all("@" in c for c in cells):
        return ADDRESSES
    if all(c.isdecimal() for c in cells):
        return NUMBERS
    return LOGINS if all(_LOGIN.fullmatch(c) or "@" in c for c in cells) else NAMES


def _nearly(columns: Sequence[str], lines: Sequence[Line]) -> str | None:
    """Return the column that separates most people if none separates all, so that duplicates can be named."""
    different = {c: len({line[c] for line in lines} - {""}) for c in columns}
    best = max(columns, key=lambda c: different[c], default=None)
    return best if best is not None and 2 * different[best] > len(lines) else None


def _points_possible(line: Line, held: Mapping[str, int]) -> str:
    """Return Canvas's name for the points possible, in any language, if this is their line: it has no person's id."""
    first, second = (*line, "", "")[:2]
    others = [c for c in held if c != first]
    return line[first] if held.get(second) == NUMBERS and not any(line[c] for c in others) else ""


def is_nobody(line: Line) -> bool:
    """Return True if a line of Canvas's is no student: the points possible, the test student."""
    first = next(iter(line.values()), "")
    test = first == "Student, Test" or any(_TEST_STUDENT.fullmatch(cell) for cell in line.values())
    return test or first.startswith("Points Possible") or not any(line.values())


def match(listed: ClassList, students: Iterable[str], people: Mapping[str, Facts] | None = None) -> Matches:
    """Find each student's line in a class list.

    Args:
        people: the platform's data about each student, by its own names.
    """
    wanted = list(students)
    found, taken = find(listed.columns, listed.lines, [{**(people or {}).get(s, {}), CALLED: s} for s in wanted])
    holders = defaultdict(list)
    for student, number in zip(wanted, found, strict=True):
        if number is not None:
            holders[number].append(student)
    matched = {held[0]: listed.lines[number] for number, held in holders.items() if len(held) == 1}
    lines = {s: matched[s] for s in wanted if s in matched}
    absent = called(listed, (line for number, line in enumerate(listed.lines) if number not in holders))
    return Matches(lines, tuple(absent), listed.key, tuple(taken))


def told(taken: Sequence[Taken], people: int) -> list[Text]:
    """Return a sentence for each column that says which fact it was taken for.

    Args:
        people: how many were looked for.
    """
    return [TAKEN.format(column=t.column, fact=HELD.get(t.fact, t.fact), count=t.count, all=people) for t in taken]
