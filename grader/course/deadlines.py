"""Due dates, extensions and the price of being late: the part of course.yaml about them."""

from __future__ import annotations

import dataclasses
import datetime
import math

from grader.errors import CourseError

DAY = 86_400.0


@dataclasses.dataclass(frozen=True)
class Policy:
    """The price of being late: nothing within the grace period, then a part of the points for each day begun, up to a
    limit.
    """

    percent_a_day: float = 0.0
    grace_minutes: float = 0.0
    at_most_percent: float = 100.0

    def factor(self, seconds: float) -> float:
        """Return the share of the points, 0 to 1, that remains `seconds` after the due date."""
        over = seconds - 60 * self.grace_minutes
        if over <= 0:
            return 1.0
        return 1 - min(self.percent_a_day * math.ceil(over / DAY), self.at_most_percent, 100.0) / 100


FREE = Policy()


@dataclasses.dataclass(frozen=True)
class Extension:
    """Another due date for one student, for one unit or (with "") for all of them."""

    student: str
    due: str
    unit: str = ""


def moment(text: str, where: str) -> datetime.datetime:
    """Return the point in time of an ISO 8601 text with its offset, such as `2026-10-01T23:59+08:00`.

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
