"""The results of grading as frozen data without a language: to JSON (format 2) and back, with the sums of points."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from grader.course import total as total
from grader.report import format_1
from grader.texts import NOTHING, Text, translated

LEVELS = 4  # report, exercises, exercise, checks
_SAFE_NAME = re.compile(r"(?!id-)[A-Za-z0-9][A-Za-z0-9_.-]{0,79}")
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)  # device names on Windows
Cell = float | str  # a number; what JSON has no number for is "nan", "inf" or "-inf"
Points = Annotated[float, Meta(ge=0)]
Verdict = Literal["passed", "failed", "timeout", "crashed", "blocked", "skipped"]
COST_NOTHING: tuple[Verdict, ...] = ("passed", "skipped")
Status = Literal["passed", "failed", "rejected", "missing", "waiting"]


class Picture(msgspec.Struct, frozen=True, omit_defaults=True):
    """Two small matrices to look at side by side: the expected and the actual one.

    `name` says which result and which of its matrices, `shape` the shape of that whole result. An entry of `actual`
    that is right within its tolerance equals the one of `expected`, so that only wrong entries differ.
    If the code moves entries, `homes` gives for each wrong one its right place: matrix of the result, row, column,
    without the matrix if it is this one; nothing if the entry has no right place.
    """

    name: Text
    shape: list[int]
    expected: list[list[Cell]]
    actual: list[list[Cell]]
    homes: list[list[list[int]]] | None = None


class Check(msgspec.Struct, frozen=True, omit_defaults=True):
    """One check's verdict, and its points out of max_points.

    `values` are the inputs and results of a wrong call, if they are few enough to read; `picture` shows it, if the
    result is small. `of_file`: the reason is about the file as a whole, not about what this check saw. `answer` is a
    student's text for a person to read; once that person has given points, `graded` is set and the reason is the
    comment. A question without an answer is `blank`; one whose points are for its right parts is `in_part`. `cuda` is
    the verdict on CUDA of a check that passed on the CPU and then ran there, too; `verdict` is passed only if both are.
    """

    id: str
    title: Text
    verdict: Verdict
    points: Points
    max_points: Points
    reason: Text = NOTHING
    seconds: float = 0.0
    values: Text = NOTHING
    picture: Picture | None = None
    of_file: bool = False
    answer: str | None = None
    blank: bool = False
    graded: bool = False
    cuda: Verdict | None = None
    in_part: bool = False

    @property
    def failed(self) -> bool:
        """True if it costs points."""
        return self.verdict not in COST_NOTHING


class Printed(msgspec.Struct, frozen=True):
    """The output of one call: its beginning, and the number of lines in all."""

    text: str
    lines: int


class Diagnosis(msgspec.Struct, frozen=True):
    """The misconception that explains these failed checks. `message` says what it is and how to fix it."""

    misconception: str
    message: Text
    checks: tuple[str, ...]


class Decided(msgspec.Struct, frozen=True, omit_defaults=True):
    """A teacher's decision about an exercise: the points that its checks gave, and the sentences of the decision.

    graded: the exercise as it was graded, where a decision changed more than its points.
    """

    judged: Points
    said: tuple[Text, ...]
    graded: ExerciseReport | None = None


class ExerciseReport(msgspec.Struct, frozen=True):
    """One exercise's status, with its checks. A `waiting` exercise has no mistake; a person has the last word.

    started: False if nobody has begun the work. stub: whether this may be the file as it was given out.
    chief: the failed check to show first, from which `reason` comes. file: where the work was found, unless it is a
    file of its own name. printed: the output of the call that `reason` quotes; `stdout` is of all calls. remarks: the
    lines of the file that were left out since nothing graded needs them and they fail here, or that run otherwise than
    they are written; the other form in which results were accepted.
    decided: by a teacher, if the score is not that of the checks alone.
    """

    id: str
    status: Status
    reason: Text | None
    score: Points
    max_score: Points
    checks: tuple[Check, ...] = ()
    diagnoses: tuple[Diagnosis, ...] = ()
    stdout: str = ""
    started: bool = True
    stub: bool = False
    chief: str | None = None
    file: str = ""
    printed: Printed | None = None
    remarks: tuple[Text, ...] = ()
    decided: Decided | None = None

    @property
    def state(self) -> str:
        """Return the status, with `unstarted` for a stub."""
        return self.status if self.status != "failed" or self.started else "unstarted"

    @property
    def failed(self) -> tuple[Check, ...]:
        """Return the checks that cost points."""
        return tuple(c for c in self.checks if c.failed)

    @property
    def done(self) -> bool:
        """True if nothing is left to fix: it passed, or waits for a person."""
        return self.status in ("passed", "waiting")

    @property
    def broken_file(self) -> bool:
        """True if all checks failed for one reason, as when the file cannot be imported."""
        return len(self.failed) == len(self.checks) > 1 and len({c.reason for c in self.failed}) == 1

    @property
    def chief_check(self) -> Check | None:
        """Return the failed check to show first."""
        return next((c for c in self.checks if c.id == self.chief), None)

    def told(self, diagnosis: Diagnosis) -> Text:
        """Return the mistake's message, with its cost if that is less than the points of the checks that it fails."""
        failed = [c for c in self.failed if c.id in diagnosis.checks]
        if not any(c.points and not c.in_part for c in failed):
            return diagnosis.message
        points = total(c.max_points - c.points for c in failed)
        return CHARGED.format(mistake=diagnosis.message, points=points)


CHARGED = translated("{mistake} It is charged once: {points:g} points.")
RAN = translated("ran")  # of a device


class Environment(msgspec.Struct, frozen=True, omit_defaults=True):
    """The environment of grading: versions, each device with "ran" or why it did not run, active layers of isolation.

    packages: the versions of those that the course names.
    """

    kit: str
    python: str
    torch: str
    devices: dict[str, Text]
    isolation: tuple[str, ...]
    packages: Mapping[str, str] = {}


class Report(msgspec.Struct, frozen=True, tag=2, tag_field="format"):
    """One student's result, in format 2; if `rejected`, then `reason` says why. `ignored`: files that no exercise uses.
    `sheets`: the answers that were marked, if only so many are. `marks`: what the last of these got in exercises of
    which this report says nothing, or nothing that counts.
    """

    student: str
    status: Literal["graded", "rejected"]
    reason: Text | None
    score: Points
    max_score: Points
    fingerprint: str
    environment: Environment
    exercises: tuple[ExerciseReport, ...]
    ignored: tuple[str, ...] = ()
    sheets: tuple[str, ...] = ()
    marks: tuple[ExerciseReport, ...] = ()

    def to_json(self) -> str:
        """Return the report in format 2, one check per line."""
        return _lines(_without_defaults(msgspec.to_builtins(self)), LEVELS)

    def on(self, exercises: Iterable[ExerciseReport]) -> Report:
        """Return the report with these exercises, their points summed again."""
        found = tuple(exercises)
        score, most = total(e.score for e in found), total(e.max_score for e in found)
        return msgspec.structs.replace(self, score=score, max_score=most, exercises=found)

    @classmethod
    def joined(cls, reports: Sequence[Report]) -> Report:
        """Return one report made of several on the same submission, each on other exercises."""
        return reports[0].on(e for report in reports for e in report.exercises)

    @property
    def sums_up(self) -> bool:
        """True if its points are the sums of its exercises' and checks' points; else a person changed it."""
        sums = ((e.decided.judged if e.decided else e.score, e.checks) for e in self.exercises if e.checks)
        parts = all(score == total(c.points for c in checks) for score, checks in sums)
        return parts and self.score == total(e.score for e in self.exercises)

    @classmethod
    def from_json(cls, text: str) -> Report:
        """Return the report that `to_json` wrote, or one of format 1, whose sentences stay in their language.

        Raises:
            ValueError: another format, or not a report; the message says where.
        """
        try:
            kind = HEAD.decode(text).format
            if kind == 1:
                return msgspec.convert(format_1.upgraded(msgspec.json.decode(text)), Report)
            if kind > 2:
                raise ValueError(f"a report of format {kind}, which a newer version of the kit wrote; update this one")
            return DECODER.decode(text)
        except (msgspec.MsgspecError, TypeError, KeyError, AttributeError) as error:
            raise ValueError(f"not a report: {error}") from error


# Made here: msgspec learns a type when it first decodes one, and two threads that do so at once crash.
DECODER = msgspec.json.Decoder(Report)


class _Head(msgspec.Struct):
    format: int


HEAD = msgspec.json.Decoder(_Head)

# Fields that say nothing in most reports are left out there.
LATER: dict[str, Any] = {
    "started": True, "stub": False, "chief": None, "file": "", "printed": None, "ignored": (),
    "sheets": (), "marks": (), "remarks": (), "decided": None,
}  # fmt: skip


def _without_defaults(report: dict[str, Any]) -> dict[str, Any]:
    def kept(part: dict[str, Any]) -> dict[str, Any]:
        return {k: v for k, v in part.items() if k not in LATER or v != LATER[k]}

    return kept({**report, "exercises": [kept(e) for e in report["exercises"]]})


def _lines(value: Any, levels: int, before: str = "\n") -> str:
    """Return the value as JSON, its outer levels spread over lines."""
    inside = before + " "
    if not levels or not value or not isinstance(value, dict | list | tuple):
        return _ENCODE(value)
    if isinstance(value, dict):
        parts = [f"{_ENCODE(key)}: {_lines(item, levels - 1, inside)}" for key, item in value.items()]
        return f"{{{inside}{(',' + inside).join(parts)}{before}}}"
    return f"[{inside}{(',' + inside).join(_lines(item, levels - 1, inside) for item in value)}{before}]"


_ENCODE = json.JSONEncoder(ensure_ascii=False).encode


def in_parts(check: str) -> tuple[str, str]:
    """Split the id of a check into the suite's function and its variant, if any: `test_values[cpu-float32]`."""
    function, _, variant = check.partition("[")
    return function, variant.rstrip("]")


def same(one: Cell, other: Cell) -> bool:
    """Return True if two entries are equal; NaN equals NaN."""
    return str(one) == str(other) or float(one) == float(other)


def report_name(student: str) -> str:
    """Return the name of a student's report: the id if that is a safe file name, else its hash."""
    safe = _SAFE_NAME.fullmatch(student) and not student.endswith(".") and not _RESERVED.fullmatch(student)
    return f"{student if safe else 'id-' + hashlib.sha256(student.encode()).hexdigest()[:24]}.json"
