"""Only so many different answers of a student are marked; what is beyond keeps the marks of the last ones."""

from __future__ import annotations

import hashlib

import msgspec
import pytest

from grader.report import Environment, ExerciseReport, Report, SheetAttempt
from grader.texts import plain

ENVIRONMENT = Environment("1", "3", "2", {"cpu": plain("ran")}, ())


def graded(questions: float, code: float, answers: str = "") -> Report:
    exercises = (
        ExerciseReport("quiz", "failed", None, questions, 9.0),
        ExerciseReport("scale", "passed", None, code, 4.0),
    )
    sheets = (answers,) if answers else ()
    return Report("ann", "graded", None, questions + code, 13.0, "f", ENVIRONMENT, exercises, sheets=sheets)


def hand_in(answers: str, points: float, before: Report | None, most: int = 2, code: float = 4) -> Report:
    return SheetAttempt("text", most, {"quiz"}).counted(graded(points, code, answers), before)


def said(report: Report, lang: str = "en") -> str | None:
    return report.reason.to(lang) if report.reason else None


USED_UP = "all 2 attempts at the questions are used up; the answers of the last attempt count"
NO_ANSWERS = "no answer of this submission can be marked; those of the last sheet that was marked count"


def test_attempts_are_counted_and_then_nothing_is_learnt():
    first = hand_in("one", 3, None)
    second = hand_in("two", 5, first)
    third = hand_in("three", 9, second)
    assert [r.score for r in (first, second, third)] == [7, 9, 9]
    assert [len(r.sheets) for r in (first, second, third)] == [1, 2, 2]
    assert [said(r) for r in (first, second, third)] == [None, None, USED_UP]
    assert hand_in("two", 5, third).score == 9  # handed in again it is no new attempt
    assert hand_in("one", 3, third).reason is None


def test_other_exercises_go_on():
    before = SheetAttempt("", 1, {"quiz"}).counted(graded(3, 0, "one"), None)
    after = SheetAttempt("", 1, {"quiz"}).counted(graded(9, 4, "two"), before)
    assert [e.score for e in after.exercises] == [3, 4]
    assert said(after, "zh") == "概念题的 1 次作答机会已用完；以最后一次的答案为准"


def test_a_submission_without_answers_uses_no_attempt_and_loses_no_marks():
    first = hand_in("", 0, None)
    assert (first.sheets, first.reason) == ((), None)
    second = hand_in("one", 3, first)
    without = hand_in("", 0, second)
    assert (without.score, without.sheets, said(without)) == (7, ("one",), NO_ANSWERS)
    third = hand_in("two", 9, without)
    assert (third.score, third.sheets, third.reason) == (13, ("one", "two"), None)


@pytest.mark.parametrize("between", ["no sheet", "refused", "other exercises"])
def test_the_history_is_never_shortened_and_the_marks_outlive_what_is_handed_in_between(between):
    report = graded(0, 4)
    if between == "refused":
        report = msgspec.structs.replace(graded(0, 0), status="rejected")
    if between == "other exercises":
        report = report.on(e for e in report.exercises if e.id != "quiz")
    attempt = SheetAttempt("text", 1, {"quiz"})
    first = hand_in("one", 3, None, most=1)
    middle = first
    for _ in range(3):
        middle = Report.from_json(attempt.counted(report, middle).to_json())
        assert middle.sheets == ("one",)
    last = hand_in("two", 9, middle, most=1)
    assert (last.score, last.sheets, last.marks) == (7, ("one",), ())
    assert hand_in("one", 3, middle, most=1).score == 7


def test_a_course_that_stops_to_count_forgets_nothing():
    first = hand_in("one", 3, None)
    meanwhile = hand_in("", 5, first, most=0)
    assert (meanwhile.sheets, meanwhile.score) == (("one",), 9)
    assert hand_in("two", 9, meanwhile, most=1).score == 9


def test_a_sheet_that_an_older_kit_counted_by_its_text_is_no_new_attempt():
    former = hashlib.sha256(b"text").hexdigest()[:16]
    before = msgspec.structs.replace(graded(3, 4), sheets=("other", former))
    after = hand_in("one", 5, before)
    assert (after.score, after.sheets, after.reason) == (9, ("other", "one"), None)


def test_the_history_is_kept_in_the_report():
    report = msgspec.structs.replace(hand_in("one", 3, None), marks=(ExerciseReport("more", "passed", None, 1, 1),))
    assert Report.from_json(report.to_json()) == report
    bare = msgspec.structs.replace(report, sheets=(), marks=()).to_json()
    assert "sheets" not in bare
    assert "marks" not in bare
