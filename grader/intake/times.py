"""Points in time as platforms write them, and tables of them that people keep."""

from __future__ import annotations

import contextlib
import datetime
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from grader.course import Extension
from grader.course.deadlines import moment
from grader.errors import CourseError
from grader.intake.tables import Line, rows_of

_MOODLE_TIMES = (
    "%A, %d %B %Y, %I:%M %p", "%A, %d %B %Y, %H:%M", "%A, %B %d, %Y, %I:%M %p", "%d/%m/%Y, %H:%M", "%d %B %Y, %I:%M %p",
    "%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S",
)  # fmt: skip
_DIGITS = re.compile(r"(\.\d{6})\d+\s*")  # of a second, and a space before the zone: Python before 3.11 reads neither
_CHINESE_TIME = re.compile(r"(\d{4})年\s*(\d{1,2})月\s*(\d{1,2})日\D*?(\d{1,2}):?(\d{2})")
_MONTHS = {
    name: number
    for number, names in enumerate(
        ("jan january januar", "feb february februar", "mar march märz mrz mär", "apr april", "may mai",
         "jun june juni", "jul july juli", "aug august", "sep sept september", "oct october okt oktober",
         "nov november", "dec december dez dezember"), 1,
    )
    for name in names.split()
}  # fmt: skip
_BY_MONTH = re.compile(
    r"(?:(\d{1,2})(?:st|nd|rd|th)?[.,]?\s+)?([^\W\d_]+)[.,]*\s+(?:(\d{1,2})(?:st|nd|rd|th)?,?\s+)?(\d{4})\D*?"
    r"(\d{1,2})[:.]?(\d{2})(?!\d)(?::\d\d)?\s*([AaPp](?=\.?[Mm]))?"
)


def platform_time(value: Any) -> datetime.datetime | None:
    """A time of the platform's, which YAML may have read as one; in UTC where it says no zone."""
    if isinstance(value, str):
        try:
            value = datetime.datetime.fromisoformat(_DIGITS.sub(r"\1", value.strip()).replace("Z", "+00:00"))
        except ValueError:
            return None
    if not isinstance(value, datetime.datetime):
        return None
    return value if value.tzinfo else value.replace(tzinfo=datetime.timezone.utc)


def moodle_time(text: str) -> datetime.datetime | None:
    """A time as Moodle writes it for people: without a zone, which is then that of the due date."""
    if found := _CHINESE_TIME.search(text):
        year, month, day, hour, minute = map(int, found.groups())
        hour += 12 * (("下午" in text or "晚上" in text) and hour < 12)
        with contextlib.suppress(ValueError):  # no such day or hour
            return datetime.datetime(year, month, day, hour, minute)
        return None
    for form in _MOODLE_TIMES:
        try:
            return datetime.datetime.strptime(text.strip(), form)
        except ValueError:
            continue
    return _by_month(text)


def _by_month(text: str) -> datetime.datetime | None:
    """A time whose month is a word of English or German, in whatever order: `Oct 1, 2026 1158 PM`, `1. März 2026`."""
    for found in _BY_MONTH.finditer(text):
        day, month, later_day, year, hour, minute, half = found.groups()
        if month.lower() in _MONTHS and (day or later_day):
            hours = int(hour) % 12 + 12 * (half in ("P", "p")) if half else int(hour)
            with contextlib.suppress(ValueError):  # no such day or hour
                return datetime.datetime(int(year), _MONTHS[month.lower()], int(day or later_day), hours, int(minute))
    return None


def handed_in(path: Path) -> dict[str, datetime.datetime]:
    """When each student handed in: a table with the columns `student` and `time`.

    Raises:
        CourseError: unreadable, without these columns, or with a time that is not one; the message names file and line.
    """
    return {
        row["student"]: moment(row["time"], f"{path}:{number}") for number, row in _table(path, ("student", "time"))
    }


def extensions(path: Path) -> list[Extension]:
    """More time for some: a table with the columns `student`, `due` and, for one unit only, `unit`.

    Raises:
        CourseError: as for `handed_in`; or two extensions are of the same work.
    """
    found: dict[tuple[str, str], Extension] = {}
    for number, row in _table(path, ("student", "due")):
        moment(row["due"], f"{path}:{number}")
        extension = Extension(row["student"], row["due"], row.get("unit", ""))
        if (extension.student, extension.unit) in found:
            raise CourseError(f"{path}:{number}: {extension.student!r} has two extensions of the same work; keep one")
        found[extension.student, extension.unit] = extension
    return list(found.values())


def _table(path: Path, needed: Sequence[str]) -> list[tuple[int, Line]]:
    columns, rows = rows_of(path)
    names = [column.casefold() for column in columns]
    if not set(needed) <= set(names):
        raise CourseError(f"{path}:1: needs the columns {' and '.join(needed)}")
    return [(number, dict(zip(names, row, strict=True))) for number, row in rows]
