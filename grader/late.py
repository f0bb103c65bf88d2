"""Due dates: how late a hand-in was and what that costs. Times come from the platform, never from a hand-in."""

from __future__ import annotations

import csv
import dataclasses
import datetime
import math
from collections.abc import Callable, Mapping
from pathlib import Path

from grader.errors import CourseError
from grader.report import total

DAY = 86_400.0


@dataclasses.dataclass(frozen=True)
class Policy:
    """What lateness costs. Within the grace nothing; then a part of the points for each day begun, up to a limit."""

    percent_a_day: float = 0.0
    grace_minutes: float = 0.0
    at_most_percent: float = 100.0

    def factor(self, seconds: float) -> float:
        """What is left of the points of a hand-in that came `seconds` after it was due, 0 to 1."""
        over = seconds - 60 * self.grace_minutes
        if over <= 0:
            return 1.0
        return 1 - min(self.percent_a_day * math.ceil(over / DAY), self.at_most_percent, 100.0) / 100

    def adjusted(self, score: float, seconds: float) -> float:
        """The points that count."""
        return total([round(score * self.factor(seconds), 4)])


FREE = Policy()
Charge = Callable[[str, float], tuple[float, float | None]]


def charge(policy: Policy, due: str | None, file: Path) -> Charge:
    """What lateness leaves of a student's points, and by how many seconds the hand-in was late, None if nobody knows.

    Args:
        due: from course.yaml.
        file: as `times` reads it.

    Raises:
        CourseError: the course says nothing of lateness, or the file is not as it should be.
    """
    if not due or not policy.percent_a_day:
        raise CourseError("--times: course.yaml does not say when work is due and what lateness costs; add due, late")
    seconds = lateness(moment(due, "course.yaml: due"), times(file))
    return lambda student, score: (policy.adjusted(score, seconds.get(student, 0.0)), seconds.get(student))


def in_time(_student: str, score: float) -> tuple[float, float | None]:
    """The `Charge` where nothing is known of times."""
    return score, None


def hours(seconds: float | None) -> float | str:
    """As a column of a table says it."""
    return "" if seconds is None else round(seconds / 3600, 2)


def moment(text: str, where: str) -> datetime.datetime:
    """A point in time from ISO 8601 with its offset, such as `2026-10-01T23:59+08:00`.

    Raises:
        CourseError: it is none, or without an offset; the message begins with `where`.
    """
    try:
        found = datetime.datetime.fromisoformat(text.strip())
    except ValueError as error:
        raise CourseError(f"{where}: {text!r} is no date and time; write 2026-10-01T23:59+08:00") from error
    if found.tzinfo is None:
        raise CourseError(f"{where}: {text!r} has no offset from UTC; write 2026-10-01T23:59+08:00 or ...Z")
    return found


def times(path: Path) -> dict[str, datetime.datetime]:
    """When each student handed in: a CSV file with the columns `student` and `time`.

    Raises:
        CourseError: unreadable, without these columns, or with a time that is none; the message names file and line.
    """
    try:
        with open(path, newline="", encoding="utf-8-sig") as file:
            reader = csv.DictReader(file)
            if not {"student", "time"} <= set(reader.fieldnames or ()):
                raise CourseError(f"{path}:1: needs the columns student and time")
            return {row["student"].strip(): moment(row["time"] or "", f"{path}:{reader.line_num}") for row in reader}
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise CourseError(f"{path}: cannot be read: {error}; it should be CSV in UTF-8") from error


def lateness(due: datetime.datetime, handed_in: Mapping[str, datetime.datetime]) -> dict[str, float]:
    """Seconds after the due date for each student, 0 for who was in time."""
    return {student: max(0.0, (when - due).total_seconds()) for student, when in handed_in.items()}
