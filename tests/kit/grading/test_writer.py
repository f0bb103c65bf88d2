"""What a report of an exercise shows first."""

from __future__ import annotations

from grader.grading import writer
from grader.suites import CheckResult
from grader.suites.api import Salience
from grader.texts import plain


def result(id: str, verdict: str = "failed", **facts: object) -> CheckResult:
    return CheckResult(id, plain(id), verdict, 1.0, plain(""), None, 0.0, **facts)


def test_what_was_answered_comes_before_what_was_not():
    blank, wrong = result("blank", blank=True, attempted=False), result("wrong")
    assert writer.chief([result("right", "passed"), blank, wrong]) is wrong
    assert writer.chief([blank, result("right", "passed")]) is blank
    assert writer.chief([result("right", "passed"), result("essay", "skipped")]) is None


def test_the_most_telling_comes_first_and_else_the_order_of_the_suite():
    first, second = result("first", salience=Salience(size=9)), result("second", salience=Salience(size=9))
    assert writer.chief([first, second]) is first
    clearer = result("clearer", salience=Salience(size=4))
    assert writer.chief([first, clearer]) is clearer
