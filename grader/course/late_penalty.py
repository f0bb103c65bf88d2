"""How late a submission was and what that costs. Times come from the platform, never from a submission."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping, Sequence

from grader.course.course import Course
from grader.course.deadlines import Extension, moment
from grader.errors import CourseError

Scores = Mapping[str, float]  # by exercise
Times = Mapping[str, datetime.datetime]  # by student; without a zone it is that of the due date
# From a student and scores: the points that count, and by how many seconds it was late, None if nobody knows.
LatePenalty = Callable[[str, Scores], tuple[float, float | None]]


def in_time(_student: str, scores: Scores) -> tuple[float, float | None]:
    """The `LatePenalty` where nothing is known of times."""
    return round(sum(scores.values()), 4), None


def says_so(course: Course) -> bool:
    """Whether the course has a due date and a price for being late."""
    settings = course.settings
    return bool(settings.late.percent_a_day) and bool(settings.due or any(u.due for u in settings.units))


def penalty(course: Course, times: Times, extensions: Sequence[Extension] = ()) -> LatePenalty:
    """What lateness leaves of a student's points, unit by unit.

    Args:
        extensions: beside those in course.yaml, which they precede.

    Raises:
        CourseError: the course says nothing of lateness, or an extension names a unit that there is not.
    """
    if not says_so(course):
        missing = "course.yaml does not say when work is due and what lateness costs; add due, late"
        raise CourseError(f"--times and --extensions: {missing}")
    settings = course.settings
    units = {u.id for u in settings.units}
    if unknown := next((e for e in extensions if e.unit not in {"", *units}), None):
        said = f"no unit {unknown.unit!r}; the units are {', '.join(sorted(units))}"
        raise CourseError(f"the extension of {unknown.student}: {said}")
    moved = {
        (e.student, e.unit): moment(e.due, f"the extension of {e.student}") for e in (*settings.extensions, *extensions)
    }
    due = {
        u.id: moment(u.due or settings.due, f"course.yaml: due of {u.id}")
        for u in settings.units
        if u.due or settings.due
    }
    unit_of = {e.id: u.id for u in settings.units for e in u.exercises}

    def counted(student: str, scores: Scores) -> tuple[float, float | None]:
        when = times.get(student)
        if when is None:
            return in_time(student, scores)
        by_unit: dict[str, float] = {}
        for exercise, score in scores.items():
            unit = unit_of.get(exercise, "")
            by_unit[unit] = by_unit.get(unit, 0.0) + score
        points, latest = 0.0, 0.0
        for unit, score in by_unit.items():
            limit = moved.get((student, unit)) or moved.get((student, "")) or due.get(unit)
            seconds = _late(when, limit)
            points, latest = points + settings.late.adjusted(score, seconds), max(latest, seconds)
        return round(points, 4), latest

    return counted


def _late(when: datetime.datetime, limit: datetime.datetime | None) -> float:
    if limit is None:
        return 0.0
    when = when if when.tzinfo else when.replace(tzinfo=limit.tzinfo)
    return max(0.0, (when - limit).total_seconds())


def hours(seconds: float | None) -> float | str:
    """As a column of a table says it."""
    return "" if seconds is None else round(seconds / 3600, 2)
