"""Reports for tests that need one and grade nothing."""

from __future__ import annotations

from typing import Any

from grader.report import Environment, ExerciseReport, Report
from grader.texts import plain


def report_of(student: str, fingerprint: str = "f", **changes: Any) -> Report:
    environment = Environment("kit", "3", "2", {"cpu": plain("ran")}, ())
    fields = {"status": "graded", "reason": None, "score": 1.0, "max_score": 6.0, **changes}
    exercises = (
        ExerciseReport("scale", "failed", plain("why"), 1.0, 4.0),
        ExerciseReport("pair", "missing", plain("-"), 0.0, 2.0),
    )
    return Report(student=student, fingerprint=fingerprint, environment=environment, exercises=exercises, **fields)
