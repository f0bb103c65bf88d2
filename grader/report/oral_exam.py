"""An oral exam as data: questions about one student's code, each with its options and the proof of its answer."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Literal

import msgspec

from grader import atomic_write
from grader.report import record
from grader.report.report import Check, ExerciseReport, Report, total
from grader.texts import Text, plain, translated

BEFORE = "viva.json"  # what held the points until there was one record
ID = "viva"
SHEETS = "viva: sheets"  # what they are called in the record
TITLE = translated("Oral exam")

Kind = Literal["wrong", "input", "result", "predict", "trace"]
Sign = Literal["-", "+"]
LETTERS = "abcdefghij"
_AROUND = re.compile(r"\band\b|\boption\b|\banswer\b|[和与及、选项答案]|[\W_]", re.IGNORECASE)


def letters(typed: str, known: str = LETTERS) -> tuple[str, ...] | None:
    """Return the typed letters, each once, in order: `b`, `a, c`, `A and C`, `选b`; None if the text says more."""
    words = _AROUND.sub(" ", unicodedata.normalize("NFKC", typed)).lower().split()
    found = "".join(words)
    if not set(found) <= set(known) or any(len(set(word)) < len(word) for word in words):
        return None
    return tuple(sorted(set(found)))


class Option(msgspec.Struct, frozen=True):
    """One option to choose; `proof` is a run's result for it."""

    text: Text
    right: bool
    proof: Text


class CodeLine(msgspec.Struct, frozen=True):
    """A line of a student's file, or of a change to it: `-` goes, `+` comes. `number` counts in the file."""

    sign: Sign
    number: int
    text: str


class OralQuestion(msgspec.Struct, frozen=True):
    """A question to one student about one of their files. If the answer is `single`, one option is right; else some
    are, never all and never none.
    """

    kind: Kind
    exercise: str
    text: Text
    change: tuple[CodeLine, ...]
    options: tuple[Option, ...]
    single: bool

    @property
    def chance(self) -> float:
        """Return the probability that a blind guess is right."""
        return 1 / (len(self.options) if self.single else 2 ** len(self.options) - 2)

    @property
    def right(self) -> tuple[str, ...]:
        """Return the letters of the right options."""
        return tuple(letter for letter, option in zip(LETTERS, self.options, strict=False) if option.right)


class Unasked(msgspec.Struct, frozen=True):
    """An exercise without questions, and the reason."""

    exercise: str
    reason: Text


class OralSheet(msgspec.Struct, frozen=True):
    """All questions for one student. `code` holds the lines of the files that they are about, by exercise."""

    student: str
    seed: int
    questions: tuple[OralQuestion, ...]
    code: dict[str, tuple[str, ...]]
    unasked: tuple[Unasked, ...]

    @property
    def chance(self) -> float:
        """Return how many of the questions a blind guesser gets right on average."""
        return math.fsum(q.chance for q in self.questions)


class _Length(msgspec.Struct):
    questions: tuple[msgspec.Raw, ...]


class Answered(msgspec.Struct, frozen=True):
    """One student's result for one question; `text` is the question."""

    question: int
    exercise: str
    text: str
    points: float
    most: float
    comment: str


class Oral(msgspec.Struct, frozen=True):
    """The results of a class in the oral exam, by student. Students who were not examined have and lose no points."""

    answered: dict[str, tuple[Answered, ...]] = {}

    def put_into(self, report: Report) -> Report:
        """Return the report with the oral exam as its last exercise."""
        before = tuple(e for e in report.exercises if e.id != ID)
        mine = self.answered.get(report.student)
        exercises = (*before, _exercise(mine)) if mine else before
        return report if exercises == report.exercises else report.on(exercises)


def _exercise(answered: tuple[Answered, ...]) -> ExerciseReport:
    checks = tuple(
        Check(
            f"{a.question}",
            plain(a.text),
            "passed" if a.points >= a.most else "failed",
            a.points,
            a.most,
            plain(a.comment),
            graded=True,
        )
        for a in answered
    )
    score, most = total(a.points for a in answered), total(a.most for a in answered)
    failed = [c for c in checks if c.verdict == "failed"]
    chief, reason = (failed[0].id, failed[0].reason or None) if failed else (None, None)
    return ExerciseReport(ID, "failed" if failed else "passed", reason, score, most, checks, chief=chief)


def read(results: Path) -> Oral:
    """Return the results that were put into this folder.

    Raises:
        CourseError: a newer version of the kit wrote it.
        MachineError: the record or an older file of points is damaged.
    """
    earlier = atomic_write.read_data(results / BEFORE, Oral, Oral(), "delete it, and take the points in again")
    with record.reading(results) as given:
        answered = {student: mine for (student, _), mine in given(ID, tuple[Answered, ...]).items()}
    return Oral(earlier.answered | answered)


def add(results: Path, answered: Mapping[str, tuple[Answered, ...]]) -> None:
    """Write what these students have answered; the others' results stay. Raises as `read` does."""
    keep(results, Oral({student: mine for student, mine in {**read(results).answered, **answered}.items() if mine}))


def keep_sheets(results: Path, sheets: Iterable[OralSheet]) -> None:
    """Write what is asked, in place of earlier sheets. Raises as `read` does."""
    record.give(results, {SHEETS: {(sheet.student, ""): sheet for sheet in sheets}})


def sheet(results: Path, student: str) -> OralSheet | None:
    """Return what a student is asked. Raises as `read` does."""
    with record.reading(results) as given:
        return given(SHEETS, OralSheet, student).get((student, ""))


def lengths(results: Path) -> dict[str, int]:
    """Return the number of questions on each student's sheet. Raises as `read` does."""
    with record.reading(results) as given:
        return {student: len(found.questions) for (student, _), found in given(SHEETS, _Length).items()}


def keep(results: Path, oral: Oral) -> None:
    """Write the results, so that they outlive another run of `grader grade`. Raises as `read` does."""
    record.give(results, {ID: {(student, ""): answered for student, answered in oral.answered.items()}})
    (results / BEFORE).unlink(missing_ok=True)
