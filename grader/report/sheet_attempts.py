"""Limits how often a student's answers are marked: after that, an earlier sheet's marks stay."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Collection

import msgspec

from grader.report.report import ExerciseReport, Report
from grader.texts import plain, translated

AND_ALSO = plain("{one}; {other}")
USED_UP = translated("all {count} attempts at the questions are used up; the answers of the last attempt count")
NO_ANSWERS = translated("no answer of this submission can be marked; those of the last sheet that was marked count")


@dataclasses.dataclass(frozen=True)
class SheetAttempt:
    """A submission's answers, and how many different ones are marked; `ids` are the exercises of questions.

    Sheets are different if their answers as read, `sheets` of the report, differ. `text` is the sheet as it stands,
    whose hash an older kit kept instead.
    """

    text: str
    most: int
    ids: Collection[str]

    def counted(self, report: Report, before: Report | None) -> Report:
        """Return the report with the history of the marked sheets; with earlier marks if this one is not marked.

        Answers that were marked before are no new attempt, and a submission without answers is none.
        """
        if before is None or not before.sheets:
            return report
        now = report.sheets[0] if report.sheets else ""
        former = hashlib.sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
        sheets = tuple(now if now and sheet == former else sheet for sheet in before.sheets)
        marks = {e.id: e for e in (*before.exercises, *before.marks) if e.id in self.ids}
        if not self.most or (now and (now in sheets or len(sheets) < self.most)):
            return _remembering(report, tuple(dict.fromkeys(filter(None, (*sheets, now)))), marks)
        if report.status == "graded" and any(e.id in marks for e in report.exercises):
            said = USED_UP.format(count=self.most) if now else NO_ANSWERS
            report = report.on(marks.get(e.id, e) for e in report.exercises)
            reason = AND_ALSO.format(one=report.reason, other=said) if report.reason else said
            report = msgspec.structs.replace(report, reason=reason)
            return _remembering(report, sheets, marks)
        return msgspec.structs.replace(report, sheets=sheets, marks=tuple(marks.values()))


def _remembering(report: Report, sheets: tuple[str, ...], marks: dict[str, ExerciseReport]) -> Report:
    """Return the report with this history; marks of exercises that it does not cover are kept beside it."""
    here = {e.id for e in report.exercises}
    beside = tuple(mark for id, mark in marks.items() if id not in here)
    return msgspec.structs.replace(report, sheets=sheets, marks=beside)
