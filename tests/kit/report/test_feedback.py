"""What each level of feedback hides, as a list: a report with a mark in every field, in everything that people get."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import pytest
from class_reports import TITLE
from outputs import outputs

from grader.atomic_write import write_data
from grader.course import Course
from grader.report import Check, Diagnosis, Environment, ExerciseReport, Picture, Printed, Report
from grader.report.feedback import LEVELS
from grader.report.results import Change, Regrade
from grader.texts import Text, plain

EVERYWHERE = {
    "STUDENT", "FINGERPRINT", "KIT", "FILE", "IGNORED", "SHEET",
    "GRADED", "SKIPPED", "OF-FILE", "LEFT-OUT", "REFUSED", "ANSWER", "MARKED",
}  # fmt: skip
BY_HINTS = {"CALL", "SIZE", "INSTEAD", "TYPE", "MISTAKE", "mistake-id", "7.125"}
AT_FULL = {
    "CAME-OUT", "MESSAGE", "CODE", "INPUT", "1234.25", "8765.75", "PICTURE", "STDOUT", "PRINTED", "SECRET", "secret-id",
    "QUOTED", "SHOWN",
}  # fmt: skip
NOT_ON_A_PAGE = {"FINGERPRINT", "SHEET", "MARKED", "7.125", "mistake-id", "secret-id", "IGNORED", "ANSWER", "PRINTED"}
HIDDEN = {"full": set(), "hints": AT_FULL, "verdict": AT_FULL | BY_HINTS}


def quoting(mark: str, value: str) -> Text:
    """A sentence for everybody that quotes a value of an input."""
    return Text("{mark}: {value}", hint="{mark}").format(mark=mark, value=value)


def checks() -> tuple[Check, ...]:
    problem = Text("off by {size}, gives {result}", hint="off by {size}").format(size="SIZE", result="CAME-OUT")
    wrong = Text("{call}: {problem}").format(call=plain("CALL"), problem=problem)
    raised = Text("{type} at {code}: {message}", hint="{type}, INSTEAD").format(
        type=plain("TYPE"), code=plain("CODE"), message="MESSAGE"
    )
    picture = Picture(plain("PICTURE"), [1, 2], [[1234.25, 1.0]], [[8765.75, 1.0]])

    def check(id: str, verdict, reason: Text, **more) -> Check:
        return Check(f"test_{id}[cpu]", plain(TITLE), verdict, 0.0, 0.5, reason, **more)

    return (
        check("wrong", "failed", wrong, seconds=7.125, values=Text("input: {i}").format(i="INPUT"), picture=picture),
        check("raised", "crashed", raised),
        check("file", "failed", quoting("OF-FILE", "QUOTED"), of_file=True),
        check("skipped", "skipped", quoting("SKIPPED", "QUOTED")),
        check("essay", "failed", quoting("GRADED", "QUOTED"), answer="ANSWER", graded=True),
    )


def marked() -> Report:
    found = checks()
    mistakes = (
        Diagnosis("scale/mistake-id", Text("MISTAKE, {value}", hint="MISTAKE").format(value="SHOWN"), (found[0].id,)),
        Diagnosis("scale/secret-id", Text("SECRET", hint=""), (found[1].id,)),
    )
    scale = ExerciseReport(
        "scale", "failed", found[0].reason, 1.0, 4.0, found, mistakes, "STDOUT", chief=found[0].id, file="FILE",
        printed=Printed("PRINTED", 1), remarks=(quoting("LEFT-OUT", "QUOTED"),),
    )  # fmt: skip
    pair = ExerciseReport("pair", "rejected", quoting("REFUSED", "QUOTED"), 0.0, 2.0)
    before = ExerciseReport(
        "quiz", "failed", found[0].reason, 1.0, 2.0,
        (Check("MARKED", plain("MARKED"), "failed", 1.0, 2.0, found[1].reason, values=plain("INPUT")),), mistakes,
        "STDOUT", chief="MARKED",
    )  # fmt: skip
    environment = Environment("KIT", "3", "2", {"cpu": plain("ran")}, ())
    return Report(
        "STUDENT", "graded", None, 1.0, 6.0, "FINGERPRINT", environment, (scale, pair), ("IGNORED",), ("SHEET",),
        (before,),
    )  # fmt: skip


def at(level: str, course: Course) -> Course:
    return dataclasses.replace(course, settings=dataclasses.replace(course.settings, feedback=level))


def written(level: str, course: Course, folder: Path, report: Report, lang: str = "en") -> dict[str, str]:
    """All that comes of a report at a level, after a regrade that changed its points."""
    folder.mkdir()
    change = Change(report.student, (2.0, 6.0), (1.0, 6.0), (("scale", 2.0, 1.0),), ("suites",))
    write_data(folder / "regrade.json", Regrade("2026-10-01T12:00", 1, (change,)))
    return outputs([report], (), at(level, course), folder, lang)


@pytest.mark.parametrize("level", LEVELS)
def test_what_a_level_hides_is_nowhere(level, toy, tmp_path):
    found = written(level, toy, tmp_path / level, marked())
    assert {name.partition(" ")[0] for name in found} >= {"report", "page", "class", "notebook,", "terminal", "export"}
    told = {name: marks for name, text in found.items() if (marks := {m for m in HIDDEN[level] if m in text})}
    assert told == {}


@pytest.mark.parametrize("level", LEVELS)
def test_what_a_level_shows_is_there(level, toy, tmp_path):
    found = written(level, toy, tmp_path / level, marked())
    shown = (EVERYWHERE | BY_HINTS | AT_FULL) - HIDDEN[level] - ({"INSTEAD"} if level == "full" else set())
    assert {m for m in shown if m not in found["report 0"]} == set()
    assert {m for m in shown if m not in found["report in words 0"]} == set()
    assert {m for m in shown - NOT_ON_A_PAGE if m not in found["page 0"]} == set()


def test_an_exam_that_was_graded_is_read_at_another_level(toy, tmp_path):
    """The level is chosen where somebody reads: nothing of a report is lost by a level that showed less of it."""
    report = marked()
    written("verdict", toy, tmp_path / "exam", report)
    kept = Report.from_json((tmp_path / "exam" / "reports" / "student0.json").read_text(encoding="utf-8"))
    assert kept == report
    released, full = (written("full", toy, tmp_path / name, one) for name, one in (("new", kept), ("full", report)))
    for found in (released, full):
        del found["terminal, progress"]  # it says how fast
        found["Classroom 0"] = re.sub(r'"datetime": "[^"]+"', "", found["Classroom 0"])
    assert released == full
