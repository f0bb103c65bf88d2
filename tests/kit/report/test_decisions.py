"""What becomes of a report by a teacher's decisions, and that nothing is left of them once they are taken back."""

from __future__ import annotations

import msgspec
import pytest
from class_reports import check, report, text

from grader.report import Check, Decision, Diagnosis, ExerciseReport, Record, Report, decisions, redact
from grader.report.essays import Mark, Marks, digest

CHECKS = (
    Check("test_a[cpu-float32]", text("A."), "passed", 1.0, 1.0),
    Check("test_a[cpu-float64]", text("A."), "failed", 0.0, 1.0, text("line 3 is wrong")),
    Check("test_b", text("B."), "failed", 0.5, 2.0, text("off by 2")),
)
SCALE = ExerciseReport("scale", "failed", text("line 3 is wrong"), 1.5, 4.0, CHECKS, chief="test_a[cpu-float64]")
OUT = Decision("scale", "nobody was told", without="test_a")
NAME = Decision("scale", "A slip.", mistake="class/slip", alike=decisions.likeness(SCALE))


def with_(*decided: Decision, of: Report | None = None) -> ExerciseReport:
    found = Record().and_also(*decided).put_into(of or report("ann", SCALE))
    assert found.sums_up
    assert found == Report.from_json(found.to_json())
    assert Record().and_also(*decided).put_into(found) == found  # once more changes nothing
    assert Record().put_into(found) == (of or report("ann", SCALE))  # and nothing is left of it
    return found.exercises[0]


def test_a_check_that_is_taken_out_counts_neither_here_nor_there():
    shown = with_(OUT)
    assert (shown.score, shown.max_score, shown.status) == (0.5, 2.0, "failed")
    assert [c.verdict for c in shown.checks] == ["skipped", "skipped", "failed"]
    assert (shown.chief, shown.reason) == ("test_b", text("off by 2"))
    assert with_(OUT, Decision("scale", "x", without="test_b")).status == "passed"
    assert with_(OUT, Decision("scale", "x", "ann", points=4.0)).score == 2.0  # not above what is left


def test_what_is_alike():
    elsewhere = msgspec.structs.replace(CHECKS[1], reason=text("line 5 is wrong"))
    other = msgspec.structs.replace(CHECKS[2], reason=text("off by 3"))
    assert decisions.likeness(msgspec.structs.replace(SCALE, checks=(CHECKS[0], elsewhere, CHECKS[2]))) == NAME.alike
    assert decisions.likeness(msgspec.structs.replace(SCALE, checks=(*CHECKS[:2], other))) != NAME.alike
    known = Diagnosis("scale/known", text("Known."), ("test_a[cpu-float64]", "test_b"))
    assert decisions.likeness(msgspec.structs.replace(SCALE, diagnoses=(known,))) == ""
    assert decisions.likeness(msgspec.structs.replace(SCALE, status="passed", checks=CHECKS[:1])) == ""


def test_a_name_is_a_mistake_like_others_and_has_a_price():
    shown = with_(NAME)
    assert shown.diagnoses == (Diagnosis("class/slip", text("A slip."), ("test_a[cpu-float64]", "test_b")),)
    assert shown.score == 1.5
    priced = with_(NAME, Decision("scale", "A slip.", mistake="class/slip", points=1.0))
    assert priced.score == 3.0
    assert priced.decided
    assert [s.to("en") for s in priced.decided.said] == ["A slip. It costs 1 points here, not 2.5."]
    assert with_(OUT, NAME).diagnoses[0].checks == ("test_b",)
    assert with_(NAME, msgspec.structs.replace(NAME, mistake="class/other")).diagnoses[0].misconception == "class/other"


@pytest.mark.parametrize("level", ["hints", "verdict"])
def test_students_do_not_read_what_was_before(level):
    found = Record().and_also(OUT).put_into(report("ann", SCALE))
    decided = redact(found, level).exercises[0].decided
    assert decided
    assert decided.graded is None


def test_an_answer_that_is_taken_out_waits_no_longer():
    essay = Check("essay", text("Why?"), "skipped", 0.0, 3.0, answer="So.")
    quiz = ExerciseReport("quiz", "waiting", None, 1.0, 1.0, (check("one"), essay))
    asked = report("ann", msgspec.structs.replace(quiz, score=sum(c.points for c in quiz.checks)))
    shown = with_(Decision("quiz", "too hard", without="essay"), of=asked)
    assert shown.checks[1].graded
    assert shown.max_score == 1.0
    marked = Marks({"ann": {"quiz/essay": Mark(3.0, "", digest("So."))}}, {"quiz": 4.0}).put_into(asked)
    assert with_(Decision("quiz", "too hard", without="essay"), of=marked).max_score == marked.max_score - 3.0
