"""Computes how late a submission was and what that costs. Times come from the platform, never from a submission."""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Collection, Mapping, Sequence

from grader.course.course import Course
from grader.course.deadlines import FREE, Extension, Policy, moment
from grader.course.points import rounded, total
from grader.errors import CourseError

Scores = Mapping[str, float]  # by exercise
Times = Mapping[str, datetime.datetime]  # by student; without a zone it is that of the due date


@dataclasses.dataclass(frozen=True)
class Charged:
    """A unit that one student handed in late: its due date, by how many seconds it was late, the share of its points
    that is left (0 to 1). `extended`: True if the due date is an extension.
    """

    unit: str
    due: datetime.datetime
    handed_in: datetime.datetime
    seconds: float
    factor: float
    extended: bool


@dataclasses.dataclass(frozen=True)
class LatePenalty:
    """The points that lateness leaves, unit by unit. Called with a student and scores, it returns the points that
    count, and by how many seconds the work was late, None if that is not known.

    Points that belong to no unit, as of an oral exam, are never late. Without times there is no penalty.
    """

    policy: Policy = FREE
    times: Times = dataclasses.field(default_factory=dict)
    due: Mapping[str, datetime.datetime] = dataclasses.field(default_factory=dict)
    moved: Mapping[tuple[str, str], datetime.datetime] = dataclasses.field(default_factory=dict)
    unit_of: Mapping[str, str] = dataclasses.field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.times)

    def __call__(self, student: str, scores: Scores) -> tuple[float, float | None]:
        late = self.charged(student, scores)
        by_unit: dict[str, float] = {}
        for exercise, score in scores.items():
            unit = self.unit_of.get(exercise, "")
            by_unit[unit] = by_unit.get(unit, 0.0) + score
        points = total(self._left(score, late.get(unit)) for unit, score in by_unit.items())
        longest = max((c.seconds for c in late.values()), default=0.0)
        return points, longest if student in self.times else None

    def charged(self, student: str, exercises: Collection[str]) -> dict[str, Charged]:
        """Return the units of these exercises that were late, also within the grace period, by their ids."""
        when = self.times.get(student)
        units = {self.unit_of[e]: None for e in exercises if e in self.unit_of} if when else {}
        found = {}
        for unit in units:
            extension = self.moved.get((student, unit)) or self.moved.get((student, ""))
            due = extension or self.due.get(unit)
            if not when or not due:
                continue
            at = when if when.tzinfo else when.replace(tzinfo=due.tzinfo)
            if (seconds := (at - due).total_seconds()) > 0:
                found[unit] = Charged(unit, due, when, seconds, self.policy.factor(seconds), extension is not None)
        return found

    def of_exercise(self, student: str, exercise: str, score: float) -> float:
        """Return the points of one exercise that count."""
        return self._left(score, self.charged(student, [exercise]).get(self.unit_of.get(exercise, "")))

    def _left(self, score: float, late: Charged | None) -> float:
        return rounded(score * late.factor) if late else score


IN_TIME = LatePenalty()


def says_so(course: Course) -> bool:
    """Return True if the course has a due date and a price for being late."""
    settings = course.settings
    return bool(settings.late.percent_a_day) and bool(settings.due or any(u.due for u in settings.units))


def penalty(course: Course, times: Times, extensions: Sequence[Extension] = ()) -> LatePenalty:
    """Return the rule that says how many of a student's points lateness leaves.

    Args:
        extensions: these override those in course.yaml.

    Raises:
        CourseError: the course has no rule about lateness, or an extension names a unit that does not exist.
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
    return LatePenalty(settings.late, times, due, moved, unit_of)


def hours(seconds: float | None) -> float | str:
    """Return the hours for a column of a table."""
    return "" if seconds is None else round(seconds / 3600, 2)
