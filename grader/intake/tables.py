"""Tables that people keep or platforms export, whatever program wrote them: class lists, times, points."""

from __future__ import annotations

import codecs
import csv
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from grader.errors import CourseError

MAX_BYTES = 32 << 20
MOST_COMPLAINTS = 10
Line = Mapping[str, str]


def rows_of(path: Path) -> tuple[tuple[str, ...], list[tuple[int, list[str]]]]:
    """The heading of a table in a file, and its rows with their line numbers, whatever program wrote it.

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
        reader = csv.reader(text.splitlines(keepends=True), delimiter=delimiter)
        columns = tuple(c.strip() for c in next(reader, []))
        rows = [(reader.line_num, [c.strip() for c in row]) for row in reader]
        return columns, [(n, (row + [""] * len(columns))[: len(columns)]) for n, row in rows if any(row)]
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
            take(dict(zip(lowered, row, strict=True)))
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
