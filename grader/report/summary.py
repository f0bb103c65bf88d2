"""The line of the class table that a batch keeps for each report. The report itself is on disk."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from grader.course import IN_TIME, LatePenalty, hours
from grader.errors import GraderError
from grader.report import seeds
from grader.report.report import ExerciseReport, Report
from grader.report.spreadsheets import as_csv, defused
from grader.texts import Text, one_line, plain, translated

NOT_STARTED = translated("not started")
NOT_ANSWERED = translated("not answered yet")
ABSENT = translated("{count} exercises not handed in")
MOST_SAID = 2000  # characters of a fault
FEW = 3
OFTEN = 3  # one in so many
ALL_PASSED = translated("all passed")
OF = plain("{exercise}: {said}")
WAITING = translated("waits for a person: {names}")

STATUS = {  # what a status or a verdict is called
    "passed": translated("passed"),
    "waiting": translated("waits for a person"),
    "failed": translated("not right yet"),
    "rejected": translated("rejected"),
    "missing": translated("missing"),
    "unstarted": NOT_STARTED,
    "graded": translated("graded"),
    "timeout": translated("timeout"),
    "crashed": translated("crashed"),
    "blocked": translated("blocked"),
    "skipped": translated("not checked"),
}


@dataclasses.dataclass(frozen=True)
class Row:
    """One student: scores by exercise, and the main findings."""

    student: str
    status: str
    reason: Text | None
    score: float
    max_score: float
    scores: Mapping[str, float]
    remarks: tuple[Text, ...]
    fingerprint: str
    missing: tuple[str, ...] = ()
    """Exercises that were not handed in, of a submission that was graded."""
    packages: Mapping[str, str] = dataclasses.field(default_factory=dict)
    """The versions that it was graded with."""

    @property
    def share(self) -> float:
        """Return the share of the points that was reached, 0 to 1."""
        return self.score / self.max_score if self.max_score else 0.0

    @property
    def unusable(self) -> bool:
        """True if nothing of the submission could be used."""
        return self.status == "rejected"

    def notable(self, lang: str) -> str:
        """Return the main findings, in one language."""
        return "; ".join(remark.to(lang) for remark in self.remarks)

    @classmethod
    def of(cls, report: Report) -> Row:
        """Return the line for a report."""
        return cls(
            student=report.student, status=report.status, reason=report.reason, score=report.score,
            max_score=report.max_score, scores={e.id: e.score for e in report.exercises}, remarks=remarks(report),
            fingerprint=report.fingerprint, missing=tuple(e.id for e in report.exercises if e.status == "missing"),
            packages=report.environment.packages,
        )  # fmt: skip


@dataclasses.dataclass(frozen=True)
class Fault:
    """A submission that a machine fault kept from being graded."""

    student: str
    reason: str

    @classmethod
    def of(cls, student: str, error: Exception) -> Fault:
        """Return why a submission could not be graded; for a long traceback, its end."""
        said = str(error) if isinstance(error, GraderError) else f"{type(error).__name__}: {error}"
        return cls(student, one_line(said[-MOST_SAID:], MOST_SAID))


def in_order(row: Row) -> tuple[bool, str]:
    """Return a sort key: unusable submissions first, since somebody has to look at them; then by student."""
    return not row.unusable, row.student


def often_missing(rows: Sequence[Row]) -> dict[str, int]:
    """Return how many students did not hand in an exercise, if at least a third of the class and more than one."""
    counts = Counter(id for row in rows for id in row.missing)
    return {id: count for id, count in counts.items() if count > 1 and count * OFTEN >= len(rows)}


def remarks(report: Report) -> tuple[Text, ...]:
    """Return the main findings: the recognised mistakes, or else what is wrong, exercise by exercise."""
    broken = [e for e in report.exercises if not e.done]
    waiting = [e.id for e in report.exercises if e.status == "waiting"]
    found = [report.reason] if report.reason else []
    if report.status == "graded":
        absent = [e.id for e in broken if e.status == "missing"]
        few = len(absent) <= FEW
        found += [_remark(e) for e in broken if few or e.status != "missing"]
        found += [] if few else [ABSENT.format(count=len(absent))]
        found += [WAITING.format(names=", ".join(waiting))] if waiting else []
        found = found or [ALL_PASSED]
    return tuple(found)


def _remark(exercise: ExerciseReport) -> Text:
    if exercise.diagnoses:
        return plain(", ".join(d.misconception for d in exercise.diagnoses))
    if not exercise.started:
        return OF.format(exercise=exercise.id, said=NOT_STARTED)
    return OF.format(exercise=exercise.id, said=exercise.reason or STATUS[exercise.status])


def reasons(before: Row, after: Row) -> list[str]:
    """Return what differs between two gradings of one student, by name; the inputs if nothing else does."""
    old, new = (set(row.fingerprint.split()) for row in (before, after))
    return sorted({word.partition("=")[0] for word in old ^ new} - {seeds.ATTEMPT}) or ["seed"]


def table(rows: Sequence[Row], exercises: Sequence[str], lang: str, penalty: LatePenalty = IN_TIME) -> str:
    """Return summary.csv: student, status, total, the score of each exercise, and why a submission was rejected.

    With a `penalty`, also how late each was and the points that lateness leaves.
    """
    late = ["hours_late", "points_that_count"] if penalty else []
    lines: list[list[Any]] = [["student", "status", "score", "max_score", *late, *exercises, "reason"]]
    for row in sorted(rows, key=in_order):
        cells: list[Any] = [defused(row.student), row.status, row.score, row.max_score]
        if penalty:
            counts, seconds = penalty(row.student, row.scores)
            cells += [hours(seconds), counts]
        lines.append(
            [*cells, *(row.scores.get(e, "") for e in exercises), defused(row.reason.to(lang) if row.reason else "")]
        )
    return as_csv(lines)
