"""Packs students' pages to give them back: Moodle's zip of feedback files, or a folder for each with a table."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from grader.authoring import zipped
from grader.errors import CourseError
from grader.intake.matching import NAME
from grader.report import as_csv, defused

PAGE, TABLE, MOODLE = "feedback.html", "people.csv", "moodle-feedback.zip"
IDENTIFIER = "Identifier"  # of a participant, in Moodle's downloads and in its grading worksheet
_NO_NAME = re.compile(r"[^\w .'()-]|_|^\.")  # Moodle looks for the number behind the first _


Feedback = tuple[str, str, float, float]  # the file's name without ending, the page, the points that count, of how many


def moodle(pages: Iterable[tuple[str, Feedback]], people: Mapping[str, Mapping[str, str]]) -> tuple[bytes, list[str]]:
    """Return the zip that Moodle takes under "Upload multiple feedback files in a zip", and students without a number.

    Args:
        pages: the page of each student.
        people: the names of the platform and the class list for each.

    Raises:
        CourseError: no student's number is known.
    """
    files, unknown = [], []
    for student, (_, page, _, _) in pages:
        person = people.get(student, {})
        if number := re.sub(r"\D", "", person.get(IDENTIFIER, "")):
            name = _NO_NAME.sub(" ", person.get(NAME) or student)
            files.append((f"{name}_{number}_assignsubmission_file/{PAGE}", page.encode("utf-8", "replace")))
        else:
            unknown.append(student)
    if not files:
        raise CourseError("Moodle's number of a participant is known of nobody here; --package folder needs none")
    return zipped(files), unknown


def folder(pages: Iterable[tuple[str, Feedback]], people: Mapping[str, Mapping[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield names and contents of a page in a folder for each student, then of a table of them for a mail merge."""
    rows: list[Sequence[str | float]] = [["student", "name", "email", "points", "of", "file"]]
    for student, (file, page, points, most) in pages:
        yield f"{file}/{PAGE}", page
        person = people.get(student, {})
        email = next((v for v in person.values() if "@" in v), student if "@" in student else "")
        rows.append([defused(student), defused(person.get(NAME, "")), defused(email), points, most, f"{file}/{PAGE}"])
    yield TABLE, as_csv(rows)
