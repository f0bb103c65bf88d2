"""Answers in sentences: collected from the reports of a class, graded by a person, and put back into the reports."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from grader import atomic_write
from grader.report import record
from grader.report.report import Check, ExerciseReport, Report, total
from grader.texts import NOTHING, plain

BEFORE = "essays.json"  # what held the marks until there was one record
MARKS, WORTH, SALT = "essays", "essays: worth", "essays: salt"  # what they are called in the record


class Mark(msgspec.Struct, frozen=True):
    """A person's mark for one answer; `answer` is that answer's hash: for another answer the mark does not count."""

    points: float
    comment: str
    answer: str


class Marks(msgspec.Struct, frozen=True):
    """All marks of a class, by student and by exercise/question. `worth` holds the points of the exercises with such
    questions: once some are marked, an unwritten answer gets none of them. `salt` makes codes of names.
    """

    marks: dict[str, dict[str, Mark]] = {}
    worth: dict[str, float] = {}
    salt: str = ""

    def code(self, student: str) -> str:
        """Return the code that stands for a student's name."""
        return "writer-" + hashlib.sha256(f"{self.salt} {student}".encode()).hexdigest()[:8]

    def put_into(self, report: Report) -> Report:
        """Return the report with its marks; an answer without a mark waits for a person."""
        if not self.worth:
            return report
        mine = self.marks.get(report.student, {})
        return report.on(self._exercise(e, mine) if e.id in self.worth else e for e in report.exercises)

    def _exercise(self, exercise: ExerciseReport, mine: Mapping[str, Mark]) -> ExerciseReport:
        if not exercise.checks:  # nothing was handed in
            return msgspec.structs.replace(exercise, max_score=self.worth[exercise.id])
        checks = tuple(_check(c, mine.get(place(exercise, c))) for c in exercise.checks)
        score = total(c.points for c in checks)
        most = total(c.max_points for c in checks if c.verdict != "skipped")
        failed = [c for c in checks if c.failed]
        waits = any(c.verdict == "skipped" for c in checks)
        chief = next((c for c in failed if c.id == exercise.chief), failed[0] if failed else None)
        return msgspec.structs.replace(
            exercise, checks=checks, score=score, max_score=most, chief=chief.id if chief else None,
            status="failed" if failed else "waiting" if waits else "passed",
            reason=chief.reason or None if chief else None,
        )  # fmt: skip


def _check(check: Check, mark: Mark | None) -> Check:
    if check.answer is None:
        written = check.blank and check.verdict == "skipped"
        return msgspec.structs.replace(check, verdict="failed") if written else check
    if mark is None or mark.answer != digest(check.answer):
        undone = {"verdict": "skipped", "points": 0.0, "reason": NOTHING, "graded": False} if check.graded else {}
        return msgspec.structs.replace(check, **undone)
    verdict = "passed" if mark.points >= check.max_points else "failed"
    return msgspec.structs.replace(check, verdict=verdict, points=mark.points, reason=plain(mark.comment), graded=True)


def place(exercise: ExerciseReport, check: Check) -> str:
    """Return the name of a question among those of all exercises."""
    return f"{exercise.id}/{check.id}"


def digest(answer: str) -> str:
    """Return a hash that identifies an answer."""
    return hashlib.sha256(answer.encode()).hexdigest()[:16]


def written(report: Report) -> Iterator[tuple[ExerciseReport, Check]]:
    """Yield the answers in sentences that a report holds."""
    for exercise in report.exercises:
        yield from ((exercise, check) for check in exercise.checks if check.answer is not None)


def read(results: Path) -> Marks:
    """Return the marks that were put into this folder.

    Raises:
        CourseError: a newer version of the kit wrote them.
        MachineError: the record or an older file of marks is damaged.
    """
    found: dict[str, dict[str, Mark]] = {}
    with record.reading(results) as given:
        salt = given(SALT, str).get(("", ""))
        worth = {exercise: points for (_, exercise), points in given(WORTH, float).items()}
        for (student, question), mark in given(MARKS, Mark).items():
            found.setdefault(student, {})[question] = mark
    if salt is not None:
        return Marks(found, worth, salt)
    unmarked = Marks(salt=secrets.token_hex(8))
    return atomic_write.read_data(results / BEFORE, Marks, unmarked, "delete it, and take the marks in again")


def keep(results: Path, marks: Marks) -> None:
    """Write the marks, so that they outlive another run of `grader grade`. Raises as `read` does."""
    each = {(student, question): mark for student, given in marks.marks.items() for question, mark in given.items()}
    worth = {("", exercise): points for exercise, points in marks.worth.items()}
    record.give(results, {MARKS: each, WORTH: worth, SALT: {("", ""): marks.salt}})
    (results / BEFORE).unlink(missing_ok=True)
