"""A student's sheet: what is asked, that the answers are true, that it is his own, and what cannot be asked."""

from __future__ import annotations

import pytest
from second_runner import rederived
from spread import RIGHT
from support import solution

from grader.intake import Source, Submission
from grader.report.oral_exam import OralSheet
from grader.sandbox.processes import Edit
from grader.texts import plain
from grader.viva import ASK
from grader.viva.material import change

pytestmark = pytest.mark.slow

WRONG = """import torch


def spread(x, dim=-1):
    squares = x * x
    total = squares.sum(dim=-1, keepdim=True)
    return x / total.sqrt()
"""


TWO_LINES = """def scale(x, factor=2.0):
    if factor == 0:
        raise ValueError(factor)
    y = x + 0
    return y * factor
"""


@pytest.fixture(scope="module")
def sheet(ask):
    return ask(spread=RIGHT, scale=solution("scale"), pair=solution("pair"), count=12)


def of_kind(sheet, *kinds):
    found = [q for q in sheet.questions if q.kind in kinds]
    assert found
    return found


def test_answers_are_found_again_without_the_kit(sheet, viva_course):
    assert {q.kind for q in sheet.questions} >= {"input", "result", "predict"}
    answers, errors = rederived([(sheet, q) for q in sheet.questions], viva_course.root / "solutions")
    assert errors == []
    assert answers == [list(q.right) for q in sheet.questions]


def test_one_input_shows_a_change_or_none_does(ask):
    asked = [q for n in range(2) for q in ask(spread=RIGHT, student=f"s{n}", count=20).questions if q.kind == "input"]
    assert asked
    for question in asked:
        assert question.single
        assert question.options[-1].text.to("en") == "none of these"
        assert question.text.to("en").startswith(("Without ", "With "))


def test_no_answer_is_an_error(ask):
    """Without keepdim most shapes raise: such inputs are not shown."""
    for n in range(3):
        for question in ask(spread=RIGHT, student=f"s{n}", count=20).questions:
            told = [text.to("en") for o in question.options for text in (o.text, o.proof)]
            assert not any("error" in text for text in told), told


def test_one_thing_that_moves(ask):
    asked = [q for n in range(2) for q in ask(pair=TRACED, student=f"s{n}", count=20).questions if q.kind == "trace"]
    assert asked
    for question in asked:
        assert {o.text.to("en"): o.right for o in question.options}.items() <= {
            "`table`": False, "`other`": False, "`more`": True, "`twice`": True,
        }.items()  # fmt: skip


TRACED = """import torch


def pair(x):
    table = torch.arange(3.0)
    other = table * 2
    more = x + 1
    twice = x * 2
    return more, twice
"""


def test_a_wrong_file_is_asked_where_it_is_wrong(ask, viva_course):
    sheet = ask(spread=WRONG, count=8)
    (question,) = of_kind(sheet, "wrong")
    assert rederived([(sheet, question)], viva_course.root / "solutions") == ([list(question.right)], [])


def test_every_question_can_be_answered_and_guessed_as_often_as_it_says(sheet):
    for question in sheet.questions:
        assert len({o.text for o in question.options}) == len(question.options)
        assert 0 < len(question.right) < len(question.options)
        assert not question.single or len(question.right) == 1
        assert question.chance == (1 / 4 if question.single else 1 / (2 ** len(question.options) - 2))
    assert sheet.chance == pytest.approx(sum(q.chance for q in sheet.questions))


def test_the_same_seed_and_student_give_the_same_sheet_and_others_another(ask):
    first = ask(scale=TWO_LINES, student="ann", seed=3)
    assert ask(scale=TWO_LINES, student="ann", seed=3) == first
    assert ask(scale=TWO_LINES, student="bob", seed=3).questions != first.questions
    assert ask(scale=TWO_LINES, student="ann", seed=4).questions != first.questions


def test_a_sheet_is_about_two_files_at_least(ask):
    sheet = ask(spread=RIGHT, scale=solution("scale"))
    assert {q.exercise for q in sheet.questions} == {"spread", "scale"}
    assert set(sheet.code) == {"spread", "scale"}


def test_questions_follow_the_order_of_the_files_that_they_are_about(ask):
    """A page goes file by file: so printed, the questions are numbered 1, 2, 3, ..."""
    for seed in range(6):
        sheet = ask(spread=RIGHT, scale=solution("scale"), seed=seed)
        printed = [n for file in sheet.code for n, q in enumerate(sheet.questions) if q.exercise == file]
        assert printed == list(range(len(sheet.questions)))


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("def scale(x, factor=2.0):\n    raise NotImplementedError\n", "it has not been started"),
        ("raise NotImplementedError\n", "it has not been started"),
        ("def scale(:\n", "SyntaxError"),
        ("while True: pass\n", "importing the file took longer than 1 s"),
        ("import os\nos._exit(3)\n", "exit code 3"),
        ("import torch\ndef scale(x, factor=2.0):\n    while True: pass\n", "no result that can be relied on"),
        ("import os\ndef scale(x, factor=2.0):\n    os._exit(0)\n", "no result that can be relied on"),
        (
            "import torch\ndef scale(x, factor=2.0):\n    return torch.lerp(x, x * factor, 1.0)\n",
            "line 3 uses torch.lerp",
        ),
        (
            "import time\ndef scale(x, factor=2.0):\n    return x * (time.time_ns() % 1000003)\n",
            "no result that can be relied on",
        ),
        (Source(refused=plain("larger than 64 KB")), "larger than 64 KB"),
    ],
)
def test_what_cannot_be_asked_is_said(ask, source, said):
    sheet = ask(scale=source)
    assert sheet.questions == ()
    ((exercise, reason),) = [(u.exercise, u.reason) for u in sheet.unasked]
    assert exercise == "scale"
    assert said in reason.to("en")
    assert isinstance(source, Source) or reason.to("zh") != reason.to("en")


def test_the_other_files_are_asked_about_all_the_same(ask):
    sheet = ask(scale="def scale(:\n", spread=RIGHT)
    assert len(sheet.questions) == 5
    assert {q.exercise for q in sheet.questions} == {"spread"}


def test_a_notebooks_cell_with_what_it_needs_of_others(ask):
    cell = "%matplotlib inline\ndef scale(x, factor=2.0):\n    y = moved(x) * factor\n    return y\n"
    sheet = ask(scale=Source(cell, number=2), books=(((1, "def moved(x):\n    return x + 1\n"),),))
    assert {"predict", "input"} <= {q.kind for q in sheet.questions}
    assert sheet.code["scale"] == tuple(cell.rstrip().split("\n"))
    assert {line.number for q in sheet.questions for line in q.change} <= {2, 3, 4}


def test_a_suite_with_few_inputs_is_asked_with_others_like_them(ask):
    sheet = ask(pair="def pair(x):\n    one = x + 1\n    return one, x * 2\n", count=3)
    assert len(sheet.questions) == 3


def test_nothing_handed_in(ask):
    (silent,) = ask().unasked
    assert silent.reason.to("en") == "not handed in"


def test_what_a_file_returns_may_be_anything(ask):
    """A value that cannot be compared, a tensor without data: no question, and no fault."""
    values = ("torch.empty(3, device='meta')", "object()", "x * 1j", "{1: x}", "float('nan')", "x.to_sparse()")
    lines = "\n".join(f"    if n == {n}:\n        return {value}" for n, value in enumerate(values))
    start = "import torch\nfrom torch import empty\ndef scale(x, factor=2.0):\n    n = x.numel() % 5 + int(factor)\n"
    sheet = ask(scale=f"{start}{lines}\n    return x\n")
    assert all(0 < len(q.right) < len(q.options) for q in sheet.questions)


def test_copies_of_a_file_obey_the_limits_too(ask):
    """Without its only way out the loop runs on: that copy is given up, and the sheet comes all the same."""
    source = (
        "import torch\n\n\ndef scale(x, factor=2.0):\n    if factor == 0:\n        raise ValueError\n    n = 0\n"
        "    while n < 1:\n        n = n + 1\n    y = x * factor\n    return y\n"
    )
    sheet = ask(scale=source)
    assert len(sheet.questions) >= 2


def test_a_students_lines_are_shown_as_they_are(ask):
    source = "def scale(x, factor=2.0):\n    y = x * factor  # <script>\x1b[31m\u202e evil\n    return y\n"
    sheet = ask(scale=source)
    assert sheet.code["scale"][1] == "    y = x * factor  # <script>[31m evil"


def test_a_change_in_several_lines():
    source = "def f(x):\r\n    if x:\r\n        x = 1\r\n    return x\r\n"
    start, end = source.index("if"), source.index("1") + 1
    shown = [(line.sign, line.number, line.text) for line in change(source, Edit("line", start, end, "pass"))]
    assert shown == [("-", 2, "    if x:"), ("-", 3, "        x = 1"), ("+", 2, "    pass")]


def test_a_submission_that_was_refused(examiner):
    sheet = examiner.ask(ASK, OralSheet, 60.0, Submission("ann", {}, plain("a symbolic link")), 1, 5)
    assert [u.reason.to("en") for u in sheet.unasked] == ["a symbolic link"]
