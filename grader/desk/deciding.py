"""A teacher's decisions about points: what makes sense, what it would change, and how it is put into the reports."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path

import msgspec

from grader.desk import writing
from grader.errors import CourseError
from grader.report import Decision, ExerciseReport, Record, Report, record

Pair = tuple[Report, Report]


def sensible(decision: Decision, reports: Sequence[Report], before: Record) -> Decision:
    """The decision, its mistake by its full name.

    Args:
        reports: of all whom it may be about.

    Raises:
        CourseError: it makes no sense.
    """
    if decision.undoes is not None:
        if decision.undoes not in {d.number for d in before.holding}:
            raise CourseError(
                f"decision {decision.undoes}: no such decision holds; `grader override RESULTS` lists them"
            )
        return decision
    if not decision.reason.strip():
        raise CourseError("a reason is missing: why? It is kept")
    theirs = [
        e for r in reports if decision.student in ("", r.student) for e in r.exercises if e.id == decision.exercise
    ]
    if decision.student and not theirs:
        raise CourseError(f"{decision.student} was not graded on {decision.exercise}; grade it first")
    most = max((e.max_score for e in theirs), default=0.0)
    if decision.points is not None and not 0 <= decision.points <= most:
        raise CourseError(f"{decision.points:g} points: {decision.exercise} is worth 0 to {most:g} points")
    return decision if decision.student else _of_mistake(decision, theirs)


def _of_mistake(decision: Decision, theirs: Sequence[ExerciseReport]) -> Decision:
    made = {d.misconception for e in theirs for d in e.diagnoses}
    full = decision.mistake if decision.mistake in made else f"{decision.exercise}/{decision.mistake}"
    if full not in made:
        known = f"made were {', '.join(sorted(made))}" if made else "no mistake was named there"
        raise CourseError(f"{decision.mistake}: nobody made it in {decision.exercise}; {known}")
    if decision.points is None:
        raise CourseError("points are missing: what does the mistake cost?")
    return msgspec.structs.replace(decision, mistake=full)


@dataclasses.dataclass(frozen=True)
class Effect:
    """The reports that a decision changes, before and after. `number` is the decision's number in the record."""

    decision: Decision
    changed: Sequence[Pair]
    number: int

    @classmethod
    def of(cls, decision: Decision, reports: Sequence[Report], before: Record) -> Effect:
        """Return what the decision would change in these reports."""
        after = before.and_also(decision)
        pairs = [(report, after.put_into(report)) for report in reports]
        return cls(decision, [(old, new) for old, new in pairs if new != old], after.lines[-1].number)

    @property
    def students(self) -> list[str]:
        """The students whose reports change."""
        return [old.student for old, _ in self.changed]

    def put(self, folder: Path) -> None:
        """Write the decision down, as `written_anew` and `given` ask for it."""
        record.add(folder, self.decision)

    def apply(self, results: Path) -> list[Report]:
        """Write it down and put it into the reports; these as they are written."""
        return writing.given(results, self.students, self.put)


def moved(old: Report, new: Report) -> list[tuple[str, float, float]]:
    """The exercises that differ, with their points before and after."""
    pairs = zip(old.exercises, new.exercises, strict=True)
    return [(n.id, o.score, n.score) for o, n in pairs if o != n]
