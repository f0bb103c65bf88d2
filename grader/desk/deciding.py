"""A teacher's decisions about points: what makes sense, what it would change, and how it is put into the reports."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from pathlib import Path

import msgspec

from grader.errors import CourseError
from grader.report import Decision, ExerciseReport, Record, Report, decisions, in_parts, record

NAME = re.compile("[a-z][a-z0-9_]{0,39}")  # of a mistake
Pair = tuple[Report, Report]


def sensible(decision: Decision, reports: Sequence[Report], before: Record) -> tuple[Decision, ...]:
    """The decision, its mistake by its full name. A name for those who fail alike is two if it has points: the name
    and the cost.

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
        return (decision,)
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
    if decision.alike:
        return _of_those_alike(decision, theirs)
    if decision.without:
        return (_of_check(decision, theirs),)
    return (decision if decision.student else _of_mistake(decision, theirs),)


def _of_check(decision: Decision, theirs: Sequence[ExerciseReport]) -> Decision:
    ran = {in_parts(c.id)[0] for e in theirs for c in decisions.as_graded(e).checks}
    if decision.without not in ran:
        known = f"its checks are {', '.join(sorted(ran))}" if ran else "nobody was graded on it"
        raise CourseError(f"{decision.without}: no such check in {decision.exercise}; {known}")
    return decision


def _of_those_alike(decision: Decision, theirs: Sequence[ExerciseReport]) -> tuple[Decision, ...]:
    if decision.alike not in set(map(decisions.likeness, theirs)):
        raise CourseError(
            f"{decision.alike}: nobody fails {decision.exercise} in this way; `grader override RESULTS` lists"
        )
    name = decision.mistake.removeprefix(decisions.OURS)
    if not NAME.fullmatch(name):
        raise CourseError(
            f"{decision.mistake!r} is no name of a mistake: write small letters, digits and _, as adds_one"
        )
    named = msgspec.structs.replace(decision, mistake=decisions.OURS + name)
    cost = msgspec.structs.replace(named, alike="")
    return (msgspec.structs.replace(named, points=None), *([cost] if decision.points is not None else []))


def _of_mistake(decision: Decision, theirs: Sequence[ExerciseReport]) -> Decision:
    made = {d.misconception for e in theirs for d in e.diagnoses}
    may_mean = (decision.mistake, f"{decision.exercise}/{decision.mistake}", decisions.OURS + decision.mistake)
    full = next((name for name in may_mean if name in made), None)
    if full is None:
        known = f"made were {', '.join(sorted(made))}" if made else "no mistake was named there"
        raise CourseError(f"{decision.mistake}: nobody made it in {decision.exercise}; {known}")
    if decision.points is None:
        raise CourseError("points are missing: what does the mistake cost?")
    return msgspec.structs.replace(decision, mistake=full)


@dataclasses.dataclass(frozen=True)
class Effect:
    """The reports that decisions change, before and after. `number` is the first decision's number in the record."""

    decided: Sequence[Decision]
    changed: Sequence[Pair]
    number: int

    @classmethod
    def of(cls, decided: Sequence[Decision], reports: Sequence[Report], before: Record) -> Effect:
        """Return what the decisions would change in these reports."""
        after = before.and_also(*decided)
        pairs = [(report, after.put_into(report)) for report in reports]
        return cls(decided, [(old, new) for old, new in pairs if new != old], after.lines[-len(decided)].number)

    def put(self, folder: Path) -> None:
        """Write the decisions down, as `written_anew` and `given` ask for it."""
        record.add(folder, *self.decided)


def moved(old: Report, new: Report) -> list[tuple[str, float, float]]:
    """The exercises that differ, with their points before and after."""
    pairs = zip(old.exercises, new.exercises, strict=True)
    return [(n.id, o.score, n.score) for o, n in pairs if o != n]
