"""A class list from a learning platform: which of its lines belongs to which submission. Nobody is lost silently."""

from __future__ import annotations

import codecs
import csv
import dataclasses
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path

from grader.errors import CourseError

# What a line may be found by, the most telling first: our own column, then those of Canvas, Moodle, Gradescope,
# GitHub.
KEYS = (
    "student", "SIS Login ID", "SIS User ID", "ID", "Username", "ID number", "SID", "Email address", "Email",
    "identifier", "username", "github_username", "Identifier", "email",
)  # fmt: skip
NOBODIES = 2  # lines that may be no student
MAX_BYTES = 32 << 20
MOST_COMPLAINTS = 10
Line = Mapping[str, str]


@dataclasses.dataclass(frozen=True)
class Roster:
    """The lines of a class list, in its order; `key` is the column that holds what submissions are called."""

    columns: tuple[str, ...]
    key: str
    lines: tuple[Line, ...]


@dataclasses.dataclass(frozen=True)
class Matches:
    """Each student's line, unless it is shared with another; lines without a submission."""

    lines: Mapping[str, Line]
    absent: tuple[str, ...]
    key: str


def read(path: Path, key: str | None = None) -> Roster:
    """Read a class list: a heading, then a line a person; commas, semicolons or tabs between.

    Args:
        key: the column to match submissions with, None for the first of KEYS that says something of everybody.

    Raises:
        CourseError: unreadable, no such column, or two lines with the same key; the message names file and line.
    """
    columns, rows = rows_of(path)
    chosen = key or _telling(columns, [row for _, row in rows])
    if chosen is None or chosen not in columns:
        lacks = f"no column {chosen!r}" if chosen else f"none of the columns {', '.join(KEYS)}"
        has = ", ".join(columns) or "none"
        raise CourseError(
            f"{path}:1: {lacks}; it has {has}. --key names the column that holds what submissions are called"
        )
    seen: dict[str, int] = {}
    lines = []
    for number, row in rows:
        line = dict(zip_longest(columns, row[: len(columns)], fillvalue=""))
        name = line[chosen]
        if not name or is_nobody(line):
            continue
        if name in seen:
            raise CourseError(f"{path}:{number}: {chosen} {name!r} was already on line {seen[name]}")
        seen[name] = number
        lines.append(line)
    return Roster(columns, chosen, tuple(lines))


def rows_of(path: Path) -> tuple[tuple[str, ...], list[tuple[int, list[str]]]]:
    """The heading of a table in a file, and its rows with their line numbers, whatever program wrote it.

    Raises:
        CourseError: it cannot be read as a table.
    """
    try:
        data = path.read_bytes()
        if len(data) > MAX_BYTES:
            raise CourseError(f"{path}: larger than {MAX_BYTES >> 20} MB; it should be a class list")
        text = _decoded(data)
        heading = text.partition("\n")[0]
        delimiter = max(",;\t", key=heading.count)
        reader = csv.reader(text.splitlines(keepends=True), delimiter=delimiter)
        columns = tuple(c.strip() for c in next(reader, []))
        return columns, [(reader.line_num, [c.strip() for c in row]) for row in reader if any(c.strip() for c in row)]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise CourseError(f"{path}: cannot be read: {error}; it should be CSV in UTF-8") from error


def take_lines(path: Path, columns: Sequence[str], take: Callable[[Line], None]) -> None:
    """Give `take` each line of a table that a person filled in, by its columns in lower case.

    Raises:
        CourseError: student, question or points is not among its columns, or `take` raised ValueError: for which lines,
            and why.
    """
    there, rows = rows_of(path)
    lowered = [c.casefold() for c in there]
    if lacking := [c for c in ("student", "question", "points") if c not in lowered]:
        raise CourseError(f"{path}:1: no column {lacking[0]}; the table has the columns {', '.join(columns)}")
    complaints = []
    for number, row in rows:
        try:
            take(dict(zip(lowered, row, strict=False)))
        except ValueError as error:
            complaints.append(f"{path}:{number}: {error}")
    if complaints:
        more = f"\n... and {len(complaints) - MOST_COMPLAINTS} more" if len(complaints) > MOST_COMPLAINTS else ""
        raise CourseError("\n".join(["nothing was taken:", *complaints[:MOST_COMPLAINTS]]) + more)


def _decoded(data: bytes) -> str:
    """The text by its byte order mark, else UTF-8, else UTF-16 if every other byte is 0, else what Windows writes."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16")
    if data[1:40:2].count(0) > 10:
        return data.decode("utf-16-le")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        if _looks_chinese(data):
            return data.decode("gb18030")
        try:
            return data.decode("cp1252")
        except UnicodeDecodeError:
            return data.decode("gb18030")


def _looks_chinese(data: bytes) -> bool:
    """Whether this is GB18030: bytes above 127 come in pairs there, and mostly alone in what Western Windows writes."""
    runs = re.findall(rb"[\x80-\xff]+", data)
    paired = sum(len(run) % 2 == 0 for run in runs)
    try:
        return 2 * paired > len(runs) and any("\u4e00" <= c <= "\u9fff" for c in data.decode("gb18030"))
    except UnicodeDecodeError:
        return False


def _telling(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str | None:
    """The first known column in which everybody has something of their own; the first known one if there is none."""
    known = [k for k in KEYS if k in columns]
    for key in known:
        values = [row[columns.index(key)] for row in rows if len(row) > columns.index(key)]
        if len({v for v in values if v}) >= max(len(rows) - NOBODIES, 1):
            return key
    return known[0] if known else None


def is_nobody(line: Line) -> bool:
    """Whether a line of Canvas's is no student: the points possible, the test student."""
    first = next(iter(line.values()), "")
    return first.startswith("Points Possible") or first == "Student, Test"


def match(roster: Roster, students: Iterable[str], people: Mapping[str, Line] | None = None) -> Matches:
    """Find each student's line: the same name, else the same but for capitals and the part after an @.

    Args:
        people: what a platform called each student, column by column; its ids find the line first.
    """
    exact = {line[roster.key]: line for line in roster.lines}
    loose = defaultdict(list)
    for line in roster.lines:
        for name in {_loose(line[roster.key]), _loose(line[roster.key].partition("@")[0])}:
            loose[name].append(line)
    found: dict[str, Line] = {}
    for student in students:
        person = (people or {}).get(student, {})
        named = person.get(roster.key, student)
        near = [exact[named]] if named in exact else loose.get(_loose(named), []) or loose.get(_loose(student), [])
        if len(near) == 1:
            found[student] = near[0]
    holders = defaultdict(list)
    for student, line in found.items():
        holders[line[roster.key]].append(student)
    matched = {s: line for s, line in found.items() if len(holders[line[roster.key]]) == 1}
    absent = tuple(line[roster.key] for line in roster.lines if line[roster.key] not in holders)
    return Matches(matched, absent, roster.key)


def _loose(name: str) -> str:
    return re.sub(r"^participant\s+", "", name.casefold())
