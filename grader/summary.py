"""What a batch keeps of each report: a line of the class table. The report itself is on disk."""

from __future__ import annotations

import csv
import dataclasses
import io
from collections.abc import Mapping, Sequence
from typing import Any

from grader.late import Charge, hours
from grader.report import ExerciseReport, Report
from grader.words import Text

NOT_STARTED = Text("not started", "尚未开始")
NOT_ANSWERED = Text("not answered yet", "尚未作答")
ABSENT = Text("{count} exercises not handed in", "{count} 道练习未提交")
FEW = 3
ALL_PASSED = Text("all passed", "全部通过")
_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠")


@dataclasses.dataclass(frozen=True)
class Row:
    """One student: scores by exercise, and what stood out."""

    student: str
    status: str
    reason: str | None
    score: float
    max_score: float
    scores: Mapping[str, float]
    notable: str
    fingerprint: str

    @classmethod
    def of(cls, report: Report, lang: str) -> Row:
        """The line for a report."""
        scores = {e.id: e.score for e in report.exercises}
        facts = (report.student, report.status, report.reason, report.score, report.max_score)
        return cls(*facts, scores, notable(report, lang), report.fingerprint)


@dataclasses.dataclass(frozen=True)
class Fault:
    """A submission that a machine fault kept from being graded."""

    student: str
    reason: str


def notable(report: Report, lang: str) -> str:
    """What stood out: the mistakes that were recognised, else what is wrong, exercise by exercise."""
    broken = [e for e in report.exercises if e.status != "passed"]
    remarks = [report.reason] if report.reason else []
    if report.status == "graded":
        absent = [e.id for e in broken if e.status == "missing"]
        few = len(absent) <= FEW
        remarks += [_remark(e, lang) for e in broken if few or e.status != "missing"]
        remarks += [] if few else [ABSENT.format(count=len(absent)).to(lang)]
        remarks = remarks or [ALL_PASSED.to(lang)]
    return "; ".join(remarks)


def _remark(exercise: ExerciseReport, lang: str) -> str:
    if exercise.diagnoses:
        return ", ".join(d.misconception for d in exercise.diagnoses)
    if not started(exercise):
        return f"{exercise.id}: {NOT_STARTED.to(lang)}"
    return f"{exercise.id}: {exercise.reason or exercise.status}"[:300]


def started(exercise: ExerciseReport) -> bool:
    """Whether anything passed, or any check found more than a function or a question that nobody has begun."""
    failed = [c for c in exercise.checks if c.verdict not in ("passed", "skipped")]
    blank = (c.reason in NOT_ANSWERED or "NotImplementedError" in c.reason for c in failed)
    return exercise.score > 0 or not failed or not all(blank)


def untouched(exercise: ExerciseReport) -> bool:
    """Whether this may be the stub: not started, code to repair that behaves as it was given (`as_given`), or nothing
    but what a person grades.
    """
    as_given = any(d.misconception.endswith("/as_given") for d in exercise.diagnoses)
    by_hand = exercise.status == "passed" and not exercise.max_score
    return not started(exercise) or (as_given and not exercise.score) or by_hand


def reasons(before: Row, after: Row) -> list[str]:
    """What differs between two gradings of one student, by name; the inputs if nothing else does."""
    old, new = (set(row.fingerprint.split()) for row in (before, after))
    return sorted({word.partition("=")[0] for word in old ^ new}) or ["seed"]


def table(rows: Sequence[Row], exercises: Sequence[str], charge: Charge | None = None) -> str:
    """summary.csv: student, status, total, the score of each exercise, and why a hand-in was rejected.

    With `charge`, also how late each was and what lateness leaves of the total.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    late = ["hours_late", "points_that_count"] if charge else []
    writer.writerow(["student", "status", "score", "max_score", *late, *exercises, "reason"])
    for row in sorted(rows, key=lambda r: r.student):
        cells: list[Any] = [defused(row.student), row.status, row.score, row.max_score]
        if charge:
            counts, seconds = charge(row.student, row.score)
            cells += [hours(seconds), counts]
        writer.writerow([*cells, *(row.scores.get(e, "") for e in exercises), defused(row.reason or "")])
    return out.getvalue()


def defused(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula, nor for more than one cell."""
    cell = " ".join(cell.split("\n"))
    return "'" + cell if cell.strip().startswith(_FORMULA) or cell[:1].isspace() else cell
