"""A teacher's decisions about points as data, and what becomes of a report by them.

Some are about one student, some about everyone who made a mistake, failed alike without one, or met a check.
"""

from __future__ import annotations

import dataclasses
import hashlib
import re
from collections.abc import Mapping, Sequence

import msgspec

from grader.report.report import Check, Decided, Diagnosis, ExerciseReport, Report, in_parts, total
from grader.texts import Text, plain, translated

OURS = "class/"  # how the names begin that a teacher gave to mistakes
_LINE = re.compile(r"\blines? \d+")  # two files with the same mistake need not have it in the same line

GIVEN = translated("Your teacher gave {points:g} points in place of {judged:g}: {reason}")
COSTS = translated("{mistake} It costs {points:g} points here, not {charged:g}: {reason}")
COSTS_SO = translated("{mistake} It costs {points:g} points here, not {charged:g}.")
LEFT_OUT = translated("Your teacher took this check out for the whole class: {reason}")
COUNTS_NOT = translated("The check “{check}” does not count: {reason}")


class Decision(msgspec.Struct, frozen=True):
    """A line of the record.

    With a `student`, `points` are those of the exercise; without `points` the reason is a comment. With a `mistake`,
    `points` are its cost for everyone who made it in this exercise. `without` is a check, in all its variants, that
    counts for nobody. `alike` are those who failed in this way, whose mistake is called `mistake` and explained by
    the reason. `undoes` is the number of a line that no longer holds. `at` is a time in ISO 8601, `number` counts
    from 1.
    """

    exercise: str
    reason: str
    student: str = ""
    mistake: str = ""
    points: float | None = None
    undoes: int | None = None
    at: str = ""
    who: str = ""
    number: int = 0
    without: str = ""
    alike: str = ""

    @property
    def place(self) -> tuple[str, ...]:
        """Return the decision's subject: of several decisions with the same subject, the last one holds."""
        mistake, comment = "" if self.alike else self.mistake, "comment" if self.points is None else ""
        return self.student, self.exercise, mistake, comment, self.without, self.alike


@dataclasses.dataclass(frozen=True)
class Record:
    """The decisions of a class, the oldest first."""

    lines: Sequence[Decision] = ()

    @property
    def holding(self) -> list[Decision]:
        """Return the decisions that hold: not undone, and the last one on their subject."""
        undone = {line.undoes for line in self.lines}
        return list({line.place: line for line in self.lines if not line.undoes and line.number not in undone}.values())

    def and_also(self, *decisions: Decision) -> Record:
        """Return the record with more decisions."""
        first = max((line.number for line in self.lines), default=0) + 1
        more = (msgspec.structs.replace(d, number=number) for number, d in enumerate(decisions, first))
        return Record((*self.lines, *more))

    def put_into(self, report: Report) -> Report:
        """Return the report with these decisions in place of earlier ones; it keeps the points of the checks."""
        holding = [d for d in self.holding if d.student in ("", report.student)]
        if not holding and not any(e.decided for e in report.exercises):
            return report
        return report.on(_decided(e, [d for d in holding if d.exercise == e.id]) for e in report.exercises)


def judged(exercise: ExerciseReport) -> float:
    """Return the points that the checks gave."""
    return total(c.points for c in exercise.checks) if exercise.checks else 0.0


def charged(exercise: ExerciseReport, mistake: str) -> float | None:
    """Return the cost of a mistake in this exercise as the checks have it; None if it was not made."""
    explained = {c for d in exercise.diagnoses if d.misconception == mistake for c in d.checks}
    if not any(d.misconception == mistake for d in exercise.diagnoses):
        return None
    return total(c.max_points - c.points for c in exercise.failed if c.id in explained)


def as_graded(exercise: ExerciseReport) -> ExerciseReport:
    """Return the exercise without the decisions that were put into it."""
    if not exercise.decided:
        return exercise
    return exercise.decided.graded or msgspec.structs.replace(exercise, score=judged(exercise), decided=None)


def unnamed(exercise: ExerciseReport) -> tuple[Check, ...]:
    """Return the failed checks that no named mistake explains."""
    named = {c for d in exercise.diagnoses for c in d.checks}
    return tuple(c for c in exercise.failed if c.id not in named) if exercise.state == "failed" else ()


def likeness(exercise: ExerciseReport) -> str:
    """Return an id that those share who fail the same checks for the same reasons and values, where no mistake is
    named; "" if nothing is without a name.
    """
    found = [(c.id, c.verdict, _LINE.sub("line", c.reason.to("en"))) for c in unnamed(as_graded(exercise))]
    return hashlib.sha256(repr((exercise.id, found)).encode()).hexdigest()[:8] if found else ""


def _decided(exercise: ExerciseReport, holding: Sequence[Decision]) -> ExerciseReport:
    """Return the exercise with these decisions: checks that do not count, names of mistakes, then what mistakes cost,
    last one student's points.
    """
    graded = as_graded(exercise)
    if not holding:
        return graded
    said: list[Text] = []
    shown = _without({d.without: d.reason for d in holding if d.without}, graded, said)
    shown = _named([d for d in holding if d.alike], graded, shown)
    before = score = judged(shown)
    for d in sorted(holding, key=lambda d: (bool(d.student), d.points is None)):
        if d.without or d.alike:
            continue
        if d.points is None:
            said.append(plain(d.reason))
        elif d.student:
            said.append(GIVEN.format(points=d.points, judged=before, reason=d.reason))
            score = min(d.points, shown.max_score)
        elif (cost := charged(shown, d.mistake)) is not None:
            name = next(g.message for g in shown.diagnoses if g.misconception == d.mistake)
            why = {} if name == plain(d.reason) else {"reason": d.reason}
            said.append((COSTS if why else COSTS_SO).format(mistake=name, points=d.points, charged=cost, **why))
            score = max(0.0, min(shown.max_score, total([score, cost, -d.points])))
    kept = None if shown is graded else graded
    found = Decided(before, tuple(said), kept) if said or kept else None
    return msgspec.structs.replace(shown, score=score if found else graded.score, decided=found)


def _without(gone: Mapping[str, str], exercise: ExerciseReport, said: list[Text]) -> ExerciseReport:
    """Return the exercise with these checks skipped, and say so; the exercise itself if it has none of them."""

    def counted(check: Check) -> Check:
        reason = gone.get(in_parts(check.id)[0])
        if reason is None or (check.verdict == "skipped" and not check.answer):
            return check
        why = LEFT_OUT.format(reason=reason)
        return msgspec.structs.replace(check, verdict="skipped", points=0.0, reason=why, graded=bool(check.answer))

    checks = tuple(map(counted, exercise.checks))
    out = [old for old, new in zip(exercise.checks, checks, strict=True) if old is not new]
    if not out:
        return exercise
    titles = {in_parts(c.id)[0]: c.title for c in out}
    said += [COUNTS_NOT.format(check=title, reason=gone[name]) for name, title in titles.items()]
    failed = [c for c in checks if c.failed]
    left = {c.id for c in failed}
    chief = next((c for c in failed if c.id == exercise.chief), failed[0] if failed else None)
    waits = any(c.answer is not None and c.verdict == "skipped" and not c.graded for c in checks)
    reason = exercise.reason if chief and chief.id == exercise.chief else chief.reason or None if chief else None
    return msgspec.structs.replace(
        exercise, checks=checks, chief=chief.id if chief else None, reason=reason,
        max_score=total([exercise.max_score, *(-c.max_points for c in out if c.verdict != "skipped")]),
        status=exercise.status if failed or exercise.status != "failed" else "waiting" if waits else "passed",
        diagnoses=tuple(d for d in exercise.diagnoses if left.intersection(d.checks)),
    )  # fmt: skip


def _named(names: Sequence[Decision], graded: ExerciseReport, shown: ExerciseReport) -> ExerciseReport:
    """Return the exercise with the name that a teacher gave to what nothing explained."""
    mine = likeness(graded)
    name = next((d for d in names if d.alike == mine), None)
    left = {c.id for c in shown.failed}
    checks = tuple(c.id for c in unnamed(graded) if c.id in left)
    if not name or not checks:
        return shown
    found = Diagnosis(name.mistake, plain(name.reason), checks)
    return msgspec.structs.replace(shown, diagnoses=(*shown.diagnoses, found))
