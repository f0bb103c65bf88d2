"""Every answer on the sheets of our example class, derived anew by a second runner that is not the kit."""

from __future__ import annotations

import pytest
from second_runner import rederived
from support import ROOT

from grader.course import course as courses
from grader.intake import load
from grader.report.oral_exam import OralSheet
from grader.viva import ASK

pytestmark = pytest.mark.slow
QUESTIONS = 12


def test_the_keys_of_the_example_class(course_process):
    course = courses.load(ROOT)
    asked = []
    for path in sorted((ROOT / "examples" / "class").iterdir()):
        sheet = course_process.ask(ASK, OralSheet, 300.0, load(path, course), 1, QUESTIONS)
        asked += [(sheet, question) for question in sheet.questions]
    answers, errors = rederived(asked, ROOT / "solutions")
    assert errors == []
    other = [
        (sheet.student, question.text.to("en"), question.right, answer)
        for (sheet, question), answer in zip(asked, answers, strict=True)
        if answer != list(question.right)
    ]
    assert other == []
    assert {question.kind for _, question in asked} == {"wrong", "input", "result", "predict", "trace"}
