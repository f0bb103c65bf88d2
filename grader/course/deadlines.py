"""When work is due, for whom, and what it costs to be late: the part of course.yaml that says so."""

from __future__ import annotations

import dataclasses
import datetime
import math

from grader.course.points import rounded
from grader.errors import CourseError

DAY = 86_400.0


@dataclasses.dataclass(frozen=True)
class Policy:
    """What lateness costs. Within the grace nothing; then a part of the points for each day begun, up to a limit."""

    percent_a_day: float = 0.0
    grace_minutes: float = 0.0
    at_most_percent: float = 100.0

    def factor(self, seconds: float) -> float:
        """What is left of the points of a submission that came `seconds` after it was due, 0 to 1."""
        over = seconds - 60 * self.grace_minutes
        if over <= 0:
            return 1.0
        return 1 - min(self.percent_a_day * math.ceil(over / DAY), self.at_most_percent, 100.0) / 100

    def adjusted(self, score: float, seconds: float) -> float:
        """The points that count."""
        return rounded(score * self.factor(seconds))


FREE = Policy()


@dataclasses.dataclass(frozen=True)
class Extension:
    """Another due date for one student, of one unit or (with "") of all of them."""

    student: str
    due: str
    unit: str = ""


def moment(text: str, where: str) -> datetime.datetime:
    """A point in time from ISO 8601 with its offset, such as `2026-10-01T23:59+08:00`.

    Raises:
        CourseError: it is not such a text, or has no offset; the message begins with `where`.
    """
    try:
        found = datetime.datetime.fromisoformat(text.strip().replace("Z", "+00:00"))
    except ValueError as error:
        raise CourseError(f"{where}: {text!r} is not a date and time; write 2026-10-01T23:59+08:00") from error
    if found.tzinfo is None:
        raise CourseError(f"{where}: {text!r} has no offset from UTC; write 2026-10-01T23:59+08:00 or ...Z")
    return found
