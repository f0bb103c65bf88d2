"""Reads tables that people keep or platforms export, whatever program wrote them: class lists, times, points."""

from __future__ import annotations

import codecs
import contextlib
import csv
import datetime
import io
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from grader.course import Extension
from grader.course.deadlines import moment
from grader.errors import CourseError

MAX_BYTES = 32 << 20
MOST_COMPLAINTS = 10
Line = Mapping[str, str]

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


def rows_of(path: Path) -> tuple[tuple[str, ...], list[tuple[int, list[str]]]]:
    """Return the heading of a table in a file, and its rows with their line numbers, whatever program wrote it.

    A row has as many cells as there are columns.

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
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
        columns = tuple(c.strip() for c in next(reader, []))
        rows = [(reader.line_num, [c.strip() for c in row]) for row in reader]
        return columns, [(n, (row + [""] * len(columns))[: len(columns)]) for n, row in rows if any(row)]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise CourseError(f"{path}: cannot be read: {error}; it should be CSV in UTF-8") from error


def take_lines(path: Path, columns: Sequence[str], take: Callable[[Line], None]) -> None:
    """Give `take` each line of a table that a person filled in, by its columns in lower case.

    Raises: CourseError: student, question or points is not among its columns, or `take` raised ValueError; the message
        gives the lines and the reasons.
    """
    there, rows = rows_of(path)
    lowered = [c.casefold() for c in there]
    if lacking := [c for c in ("student", "question", "points") if c not in lowered]:
        raise CourseError(f"{path}:1: no column {lacking[0]}; the table has the columns {', '.join(columns)}")
    complaints = []
    for number, row in rows:
        try:
            take(dict(zip(lowered, row, strict=True)))
        except ValueError as error:
            complaints.append(f"{path}:{number}: {error}")
    if complaints:
        more = f"\n... and {len(complaints) - MOST_COMPLAINTS} more" if len(complaints) > MOST_COMPLAINTS else ""
        raise CourseError("\n".join(["nothing was taken:", *complaints[:MOST_COMPLAINTS]]) + more)


def _decoded(data: bytes) -> str:
    """Return the text by its byte order mark, else UTF-8, else UTF-16 if every other byte is 0, else Windows' own."""
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
    """Return True for GB18030: bytes above 127 come in pairs there, and mostly alone in Western Windows' text."""
    runs = re.findall(rb"[\x80-\xff]+", data)
    paired = sum(len(run) % 2 == 0 for run in runs)
    try:
        return 2 * paired > len(runs) and any("\u4e00" <= c <= "\u9fff" for c in data.decode("gb18030"))
    except UnicodeDecodeError:
        return False


def platform_time(value: Any) -> datetime.datetime | None:
    """Return a platform's time, which YAML may have parsed already; in UTC if it has no zone."""
    if isinstance(value, str):
        try:
            value = datetime.datetime.fromisoformat(_DIGITS.sub(r"\1", value.strip()).replace("Z", "+00:00"))
        except ValueError:
            return None
    if not isinstance(value, datetime.datetime):
        return None
    return value if value.tzinfo else value.replace(tzinfo=datetime.timezone.utc)


def moodle_time(text: str) -> datetime.datetime | None:
    """Return a time in Moodle's format for people: without a zone, which is then that of the due date."""
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
    """Return a time whose month is a word of English or German, in any order: `Oct 1, 2026 1158 PM`, `1. März 2026`."""
    for found in _BY_MONTH.finditer(text):
        day, month, later_day, year, hour, minute, half = found.groups()
        if month.lower() in _MONTHS and (day or later_day):
            hours = int(hour) % 12 + 12 * (half in ("P", "p")) if half else int(hour)
            with contextlib.suppress(ValueError):  # no such day or hour
                return datetime.datetime(int(year), _MONTHS[month.lower()], int(day or later_day), hours, int(minute))
    return None


def handed_in(path: Path) -> dict[str, datetime.datetime]:
    """Return when each student handed in, from a table with the columns `student` and `time`.

    Raises:
        CourseError: unreadable, without these columns, or with an invalid time; the message names file and line.
    """
    return {
        row["student"]: moment(row["time"], f"{path}:{number}") for number, row in _table(path, ("student", "time"))
    }


def extensions(path: Path) -> list[Extension]:
    """Return the extensions in a table with the columns `student`, `due` and, for one unit only, `unit`.

    Raises:
        CourseError: as for `handed_in`; or two extensions are for the same work.
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
