"""An oral exam as data: questions about one student's code, each with its options and what proves the answer."""

from __future__ import annotations

import math
import re
import unicodedata
from pathlib import Path
from typing import Literal

import msgspec

from grader import whole_files
from grader.report.report import Check, ExerciseReport, Report, total
from grader.texts import Text, plain, translated

FILE, ID = "viva.json", "viva"
TITLE = translated("Oral exam")

Kind = Literal["wrong", "input", "result", "predict", "trace"]
Sign = Literal["-", "+"]
LETTERS = "abcdefghij"
_AROUND = re.compile(r"\band\b|\boption\b|\banswer\b|[和与及、选项答案]|[\W_]", re.IGNORECASE)


def letters(typed: str, known: str = LETTERS) -> tuple[str, ...] | None:
    """The letters that were typed, each once, in order: `b`, `a, c`, `A and C`, `选b`; None where it says more."""
    words = _AROUND.sub(" ", unicodedata.normalize("NFKC", typed)).lower().split()
    found = "".join(words)
    if not set(found) <= set(known) or any(len(set(word)) < len(word) for word in words):
        return None
    return tuple(sorted(set(found)))


class Option(msgspec.Struct, frozen=True):
    """One thing to choose; `proof` says what a run gave for it."""

    text: Text
    right: bool
    proof: Text


class Line(msgspec.Struct, frozen=True):
    """A line of a student's file, or of a change to it: `-` goes, `+` comes. `number` counts in the file."""

    sign: Sign
    number: int
    text: str


class Question(msgspec.Struct, frozen=True):
    """What is asked of one student about one of his files. Of one whose answer is `single`, one option is right; else
    some are, never all and never none.
    """

    kind: Kind
    exercise: str
    text: Text
    change: tuple[Line, ...]
    options: tuple[Option, ...]
    single: bool

    @property
    def chance(self) -> float:
        """How often a blind guess is right."""
        return 1 / (len(self.options) if self.single else 2 ** len(self.options) - 2)

    @property
    def right(self) -> tuple[str, ...]:
        """The letters of the right options."""
        return tuple(letter for letter, option in zip(LETTERS, self.options, strict=False) if option.right)


class Unasked(msgspec.Struct, frozen=True):
    """An exercise about which nothing is asked, and why."""

    exercise: str
    reason: Text


class Sheet(msgspec.Struct, frozen=True):
    """All that one student is asked. `code` are the lines of the files that it is about, by exercise."""

    student: str
    seed: int
    questions: tuple[Question, ...]
    code: dict[str, tuple[str, ...]]
    unasked: tuple[Unasked, ...]

    @property
    def chance(self) -> float:
        """How many of the questions a blind guesser gets right on average."""
        return math.fsum(q.chance for q in self.questions)


class Answered(msgspec.Struct, frozen=True):
    """What one student got for one question; `text` is what was asked."""

    question: int
    exercise: str
    text: str
    points: float
    most: float
    comment: str


class Oral(msgspec.Struct, frozen=True):
    """What a class got in the oral exam, by student. Who was not examined has no points and loses none."""

    answered: dict[str, tuple[Answered, ...]] = {}

    def put_into(self, report: Report) -> Report:
        """The report with the oral exam as its last exercise."""
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
    """What was taken into this folder.

    Raises:
        MachineError: the file is damaged.
    """
    return whole_files.read_data(results / FILE, Oral, Oral(), "delete it, and take the points in again")


def keep(results: Path, oral: Oral) -> None:
    """Write it down, so that it outlives another run of `grader grade`."""
    whole_files.write_data(results / FILE, oral)
