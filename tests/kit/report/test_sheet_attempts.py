"""Only so many different answer sheets of a student are marked; what is beyond keeps the marks of the last one."""

from __future__ import annotations

import msgspec

from grader.report import Environment, ExerciseReport, Report, SheetAttempt

ENVIRONMENT = Environment("1", "3", "2", {"cpu": "ran"}, ())


def graded(questions: float, code: float) -> Report:
    exercises = (
        ExerciseReport("quiz", "failed", None, questions, 9.0),
        ExerciseReport("scale", "passed", None, code, 4.0),
    )
    return Report("ann", "graded", None, questions + code, 13.0, "f", ENVIRONMENT, exercises)


def test_attempts_are_counted_and_then_nothing_is_learnt():
    def hand_in(sheet: str, points: float, before: Report | None) -> Report:
        return SheetAttempt(sheet, 2, {"quiz"}).counted(graded(points, 4), before, "en")

    first = hand_in("one", 3, None)
    second = hand_in("two", 5, first)
    third = hand_in("three", 9, second)
    assert [r.score for r in (first, second, third)] == [7, 9, 9]
    assert [len(r.sheets) for r in (first, second, third)] == [1, 2, 2]
    assert (first.reason, second.reason) == (None, None)
    assert third.reason == "all 2 attempts at the questions are used up; the answers of the last of them count"
    assert hand_in("two", 5, third).score == 9  # handed in again it is no new attempt
    assert hand_in("one", 3, third).reason is None


def test_other_exercises_go_on():
    before = SheetAttempt("one", 1, {"quiz"}).counted(graded(3, 0), None, "zh")
    after = SheetAttempt("two", 1, {"quiz"}).counted(graded(9, 4), before, "zh")
    assert [e.score for e in after.exercises] == [3, 4]
    assert after.reason == "概念题的 1 次作答机会已用完；以最后一次的答案为准"


def test_the_sheets_are_kept_in_the_report():
    report = SheetAttempt("one", 3, {"quiz"}).counted(graded(3, 0), None, "en")
    assert Report.from_json(report.to_json()) == report
    assert "sheets" not in msgspec.structs.replace(report, sheets=()).to_json()
