"""What grading found, as frozen data without a language: to JSON (format 2) and back, with the score arithmetic."""

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
    """Two small matrices to look at side by side: what was due and what came.

    `name` says which result and which of its matrices, `shape` the shape of that whole result. An entry of `actual`
    that is right within its tolerance equals the one of `expected`, so that those that differ are those that are wrong.
    Where the code moves entries, `homes` says of each wrong one where it is due: matrix of the result, row, column,
    without the matrix where it is this one; nothing where it is due nowhere.
    """

    name: Text
    shape: list[int]
    expected: list[list[Cell]]
    actual: list[list[Cell]]
    homes: list[list[list[int]]] | None = None


class Check(msgspec.Struct, frozen=True, omit_defaults=True):
    """One check's verdict, and its points out of max_points.

    `values` are the inputs and results of a wrong one, where they are few enough to read; `picture` shows it, if the
    result is small. `of_file`: whether the reason is about the file as a whole, not about what this check saw. `answer`
    is what a student wrote for a person to read; once that person gave points, `graded` is set and the reason is the
    comment. A question is `blank` that has no answer, and `in_part` where its points are for parts that are right.
    `cuda` is the verdict on CUDA of a check that passed on the CPU and was then run there too; `verdict` is passed only
    if both are.
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
        """Whether it costs points."""
        return self.verdict not in COST_NOTHING


class Printed(msgspec.Struct, frozen=True):
    """What one call printed: the first of it, and how many lines that were in all."""

    text: str
    lines: int


class Diagnosis(msgspec.Struct, frozen=True):
    """The misconception that explains these failed checks. `message` says what it is and how to mend it."""

    misconception: str
    message: Text
    checks: tuple[str, ...]


class Decided(msgspec.Struct, frozen=True):
    """What a teacher decided about an exercise: the points that its checks gave, and what is said of the decision."""

    judged: Points
    said: tuple[Text, ...]


class ExerciseReport(msgspec.Struct, frozen=True):
    """One exercise's status, with its checks. Nothing is wrong in one that is `waiting`; a person has the last word.

    started: False where nobody has begun the work. stub: whether this may be the file as it was given out.
    chief: the failed check to show first, which `reason` comes from. file: where the work was found, unless that is
    plain: a file of its own name. printed: by the call that `reason` quotes; `stdout` is of all calls. remarks: what of
    the file was left out since nothing graded needs it and it does not run here, or runs otherwise than it is written;
    in which other form results were accepted.
    decided: by a teacher, where the score is not that of the checks alone.
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
        """The status, with `unstarted` for a stub."""
        return self.status if self.status != "failed" or self.started else "unstarted"

    @property
    def failed(self) -> tuple[Check, ...]:
        """The checks that cost points."""
        return tuple(c for c in self.checks if c.failed)

    @property
    def done(self) -> bool:
        """Whether nothing is left to mend: it passed, or waits for a person."""
        return self.status in ("passed", "waiting")

    @property
    def broken_file(self) -> bool:
        """Whether all checks failed for one reason, as where the file cannot be imported: no single one is to blame."""
        return len(self.failed) == len(self.checks) > 1 and len({c.reason for c in self.failed}) == 1

    @property
    def chief_check(self) -> Check | None:
        """The failed check to show first."""
        return next((c for c in self.checks if c.id == self.chief), None)

    def told(self, diagnosis: Diagnosis) -> Text:
        """What a mistake is, and what it costs where that is less than the checks that it fails are worth."""
        failed = [c for c in self.failed if c.id in diagnosis.checks]
        if not any(c.points and not c.in_part for c in failed):
            return diagnosis.message
        points = total(c.max_points - c.points for c in failed)
        return CHARGED.format(mistake=diagnosis.message, points=points)


CHARGED = translated("{mistake} It is charged once: {points:g} points.")
RAN = translated("ran")  # of a device


class Environment(msgspec.Struct, frozen=True, omit_defaults=True):
    """What graded: versions, each device with "ran" or why it did not, the layers of isolation that were active.

    packages: the versions of those that the course names.
    """

    kit: str
    python: str
    torch: str
    devices: dict[str, Text]
    isolation: tuple[str, ...]
    packages: Mapping[str, str] = {}


class Report(msgspec.Struct, frozen=True, tag=2, tag_field="format"):
    """One student's result, in format 2; if `rejected`, then `reason` says why. `ignored`: files that nothing read.
    `sheets`: the answers that were marked, where only so many are. `marks`: what the last of these got in exercises of
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
        """The report in format 2, a check a line."""
        return _lines(_without_defaults(msgspec.to_builtins(self)), LEVELS)

    def on(self, exercises: Iterable[ExerciseReport]) -> Report:
        """The same of these exercises, their points summed anew."""
        found = tuple(exercises)
        score, most = total(e.score for e in found), total(e.max_score for e in found)
        return msgspec.structs.replace(self, score=score, max_score=most, exercises=found)

    @classmethod
    def joined(cls, reports: Sequence[Report]) -> Report:
        """One report of several on the same submission, each on other exercises."""
        return reports[0].on(e for report in reports for e in report.exercises)

    @property
    def sums_up(self) -> bool:
        """Whether its points are those of its exercises, and these those of their checks; else a person changed it."""
        sums = ((e.decided.judged if e.decided else e.score, e.checks) for e in self.exercises if e.checks)
        parts = all(score == total(c.points for c in checks) for score, checks in sums)
        return parts and self.score == total(e.score for e in self.exercises)

    @classmethod
    def from_json(cls, text: str) -> Report:
        """The report that `to_json` wrote, or one of format 1, whose sentences are what they were written as.

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
    """The value as JSON, its outer levels spread over lines."""
    inside = before + " "
    if not levels or not value or not isinstance(value, dict | list | tuple):
        return _ENCODE(value)
    if isinstance(value, dict):
        parts = [f"{_ENCODE(key)}: {_lines(item, levels - 1, inside)}" for key, item in value.items()]
        return f"{{{inside}{(',' + inside).join(parts)}{before}}}"
    return f"[{inside}{(',' + inside).join(_lines(item, levels - 1, inside) for item in value)}{before}]"


_ENCODE = json.JSONEncoder(ensure_ascii=False).encode


def in_parts(check: str) -> tuple[str, str]:
    """The id of a check as the suite's function and its variant: `test_values[cpu-float32]`; one may have none."""
    function, _, variant = check.partition("[")
    return function, variant.rstrip("]")


def same(one: Cell, other: Cell) -> bool:
    """Whether two entries are equal; NaN is NaN."""
    return str(one) == str(other) or float(one) == float(other)


def report_name(student: str) -> str:
    """What the report on a student is called: by the id where that is a safe file name, else by its hash."""
    safe = _SAFE_NAME.fullmatch(student) and not student.endswith(".") and not _RESERVED.fullmatch(student)
    return f"{student if safe else 'id-' + hashlib.sha256(student.encode()).hexdigest()[:24]}.json"
