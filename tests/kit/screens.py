"""A screen that writes into a text, and small reports to show on it."""

from __future__ import annotations

import io

from rich.console import Console

from grader.rendering.terminal.screen import Screen
from grader.report.report import Check, Diagnosis, Environment, ExerciseReport, Picture, Report
from grader.texts import Text, plain

FIRST, LAST = [1, 0, 0], [0.2, 0.3, 0.5]
WEIGHTS = Picture(Text("result 2"), [3, 3], [FIRST, [0.5, 0.5, 0], LAST], [FIRST, [0.3, 0.7, 0], LAST])


def on_screen(lang: str = "en", width: int = 100, **options: object) -> tuple[Screen, io.StringIO]:
    """A terminal without colours, and all that is written to it."""
    out = io.StringIO()
    as_terminal = {"force_terminal": True, "color_system": None, **options}
    return Screen(lang, Console(file=out, width=width, highlight=False, **as_terminal)), out


def check(verdict="failed", reason="", id="test_a[cpu]", title="A is b.", picture=None) -> Check:
    return Check(id, plain(title), verdict, float(verdict == "passed"), 1.0, plain(reason), 0.01, picture=picture)


def report(*exercises: ExerciseReport) -> Report:
    environment = Environment("1", "3.11", "2.13", {"cpu": plain("ran")}, ())
    score, most = (sum(getattr(e, name) for e in exercises) for name in ("score", "max_score"))
    return Report("s", "graded", None, score, most, "", environment, exercises)


FAILED = ExerciseReport(
    "scale", "failed", plain("scale(x [2]): wrong"), 1.0, 3.0,
    (
        check("passed", id="test_a[cpu-float32]"),
        check("failed", "scale(x [2]): wrong\ninput:\n1", "test_a[cpu-float64]"),
        check("failed", "a law is broken", "test_b[cpu]", "B is c.", WEIGHTS),
    ),
    (Diagnosis("scale/adds", plain("You add."), ("test_b[cpu]",)),), "printed\x07\n", chief="test_a[cpu-float64]",
)  # fmt: skip


def not_begun(id: str, reason: str) -> ExerciseReport:
    """Nobody has written anything yet."""
    failed = check(reason=reason)
    return ExerciseReport(id, "failed", failed.reason, 0.0, 1.0, (failed,), started=False, stub=True, chief=failed.id)


def as_given(id: str) -> ExerciseReport:
    """Code to repair that nobody has touched."""
    failed = check(reason=f"{id}(x): the result is off")
    given = Diagnosis(f"{id}/as_given", plain("This is the code as it was given."), (failed.id,))
    return ExerciseReport(id, "failed", failed.reason, 0.0, 1.0, (failed,), (given,), stub=True, chief=failed.id)


UNTOUCHED = {
    "a stub": not_begun("scale", "scale(x): not started: the function still raises NotImplementedError"),
    "questions without answers": not_begun("scale", "not answered yet"),
    "the same in Chinese": not_begun("scale", "尚未作答"),
    "code to repair": as_given("scale"),
}
