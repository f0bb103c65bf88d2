"""`grader lesson` and `grader book`: the toy course with a lesson of its own."""

from __future__ import annotations

import sys

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")

SCRIPT = """
import torch
from grader.authoring.lessons import numbers

def blocks(course):
    return {"scaled": numbers(course.solution("scale").scale(torch.tensor([1.0, 2.0]), 0.25), 2)}
"""


@pytest.fixture
def course(toy_copy):
    (toy_copy / "lessons").mkdir()
    for name, text in (
        ("basics.py", SCRIPT),
        ("basics.en.md", "## Scaling\n\nIt gives {{scaled}}, by $x_i$.\n"),
        ("basics.zh.md", "## 缩放\n\n得到 {{scaled}}，即 $x_i$。\n"),
    ):
        (toy_copy / "lessons" / name).write_text(text, encoding="utf-8")
    return toy_copy


@pytest.mark.parametrize("named", ["basics", "BASICS", "lessons/basics.en.md", "pair", "1", "basic"])
def test_a_lesson_and_what_comes_after_it(grader, course, named):
    """Named by its unit, its file, one of its exercises, its number on the path or a part of its title."""
    code, out, err = grader("lesson", named, "--lang", "en", course=course)
    assert (code, err) == (0, "")
    assert "It gives [0.25, 0.50], by x_i." in out
    assert out.index("in order:") < out.index("scale ") < out.index("pair ")


def test_the_lesson_of_the_next_exercise_in_chinese(grader, course, work):
    code, out, _ = grader("lesson", "--dir", work, "--lang", "zh", course=course)
    assert code == 0
    assert "得到 [0.25, 0.50]，即 x_i。" in out


def test_an_unknown_unit(grader, course):
    code, _, err = grader("lesson", "basixs", course=course)
    assert code == 2
    assert "there is no unit 'basixs'; did you mean 'basics'?" in err


def test_a_course_without_lessons(grader):
    code, _, err = grader("lesson", "basics")
    assert code == 2
    assert "basics.en.md: there is no such lesson" in err


def test_a_lesson_that_cannot_be_built(grader, course):
    (course / "lessons" / "basics.en.md").write_text("About 0.5.", encoding="utf-8")
    code, _, err = grader("lesson", "basics", course=course)
    assert code == 2
    assert "basics.en.md:1: the number at '0.5' is written by hand" in err


def test_the_book(grader, course, tmp_path):
    pytest.importorskip("latex2mathml", reason="latex2mathml is not installed")
    out = tmp_path / "book"
    code, said, err = grader("book", "--to", out, course=course)
    assert (code, err) == (0, "")
    assert said == f"wrote 2 pages; open {out / 'index.html'}\n"
    assert "It gives [0.25, 0.50], by <math" in (out / "basics.html").read_text(encoding="utf-8")
    (out / "basics.html").write_text("something else", encoding="utf-8")
    code, _, err = grader("book", "--to", out, course=course)
    assert code == 2
    assert "is there already and is not a page of a book" in err
    assert grader("book", "--to", out, "--force", course=course)[0] == 0
