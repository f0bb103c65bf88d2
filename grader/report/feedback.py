"""Removes from a report what a course does not let its students see: the one place that does so.

`full`: nothing is removed. `hints`: the property that fails, the smallest failing shape, the size of the error, the
mistake; no value of an input or a result, no output of the code. `verdict`: points and verdicts, and why a file could
not be used at all. See docs/assessment.md.
"""

from __future__ import annotations

import msgspec

from grader.report.report import Check, ExerciseReport, Report
from grader.texts import NOTHING, Text, places

LEVELS = ("full", "hints", "verdict")


def redact(report: Report, level: str) -> Report:
    """Return the report with no more in it than this level of feedback allows; removed parts are nowhere in it."""
    if level == "full":
        return report
    reason = _hinted_or_none(report.reason)
    exercises, marks = (tuple(_exercise(e, level == "verdict") for e in of) for of in (report.exercises, report.marks))
    return msgspec.structs.replace(report, reason=reason, exercises=exercises, marks=marks)


def _exercise(exercise: ExerciseReport, silent: bool) -> ExerciseReport:
    checks = tuple(_check(c, silent) for c in exercise.checks)
    all_hinted = (msgspec.structs.replace(d, message=hinted(d.message)) for d in exercise.diagnoses)
    diagnoses = () if silent else tuple(d for d in all_hinted if d.message)
    chief, reason = exercise.chief_check, exercise.reason
    decided = exercise.decided and msgspec.structs.replace(exercise.decided, graded=None)
    hidden = silent and chief is not None and not _may_be_told(chief)
    return msgspec.structs.replace(
        exercise, reason=None if hidden else _hinted_or_none(reason), checks=checks, diagnoses=diagnoses,
        stdout="", printed=None, remarks=tuple(map(hinted, exercise.remarks)), decided=decided,
    )  # fmt: skip


def _check(check: Check, silent: bool) -> Check:
    reason = NOTHING if silent and not _may_be_told(check) else hinted(check.reason)
    seconds = 0.0 if silent else check.seconds
    return msgspec.structs.replace(check, reason=reason, seconds=seconds, values=NOTHING, picture=None)


def _may_be_told(check: Check) -> bool:
    """Return True if an exam tells the reason, too: why there was nothing to check, and a person's comment."""
    return check.verdict == "skipped" or check.of_file or check.graded


def _hinted_or_none(text: Text | None) -> Text | None:
    return (hinted(text) or None) if text else None


def hinted(text: Text) -> Text:
    """Return the sentence without values of inputs or results, and without words of a student's code."""
    key = text.key if text.hint is None else text.hint
    plural = text.plural if text.hint is None else ""
    if not text.values:  # as it is, braces too
        return Text(key, plural=plural)
    kept = {*places(key), *places(plural)}
    values = {
        name: hinted(value) if isinstance(value, Text) else value for name, value in text.values.items() if name in kept
    }
    return Text(key, values, plural=plural)
