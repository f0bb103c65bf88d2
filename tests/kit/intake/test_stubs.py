"""A learner's own file lies where the stub lay; it is work as soon as it is begun, whatever lies beside it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support import ROOT, TOY, solution

from grader.course import course as courses
from grader.intake import load
from grader.intake.stubs import asked, is_begun
from grader.intake.tree import single

STUB = (TOY / "exercises" / "scale.py").read_text(encoding="utf-8")
OTHER = "def scale(x, factor=2.0):\n    return x + factor\n"
NOTEBOOK = {
    "cells": [{"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": OTHER}],
    "metadata": {}, "nbformat": 4, "nbformat_minor": 5,
}  # fmt: skip
BESIDE = {
    "scale (1).py": OTHER,
    "scale.py~": OTHER,
    "my_scale.py": OTHER,
    "scale.docx": "PK",
    "scratch.ipynb": json.dumps(NOTEBOOK),
}


@pytest.fixture
def own(toy_copy):
    """The text of scale.py as a check in this course's own folder reads it."""

    def read(text: str, **beside: str) -> str | None:
        folder = toy_copy / "exercises"
        (folder / "scale.py").write_text(text, encoding="utf-8")
        return load(folder, courses.load(toy_copy)).sources["scale"].text

    return read


@pytest.mark.parametrize("name", BESIDE)
def test_what_is_begun_counts_whatever_lies_beside_it(own, toy_copy, name):
    (toy_copy / "exercises" / name).write_text(BESIDE[name], encoding="utf-8")
    assert own(solution("scale")) == solution("scale")
    assert own(OTHER + "# mine\n") == OTHER + "# mine\n"


@pytest.mark.parametrize("name", ["scale (1).py", "scratch.ipynb"])
def test_beside_an_untouched_stub_the_other_file_counts(own, toy_copy, name):
    (toy_copy / "exercises" / name).write_text(BESIDE[name], encoding="utf-8")
    assert own(STUB).strip() == OTHER.strip()


def begun(course: Path, source: str) -> bool:
    file = "answers.yaml" if source == "answers" else f"{source}.py"
    return is_begun(courses.load(course), source, single(course / "exercises" / file))


@pytest.mark.slow
def test_all_stubs_of_the_course_are_seen_as_such():
    """But for those that give code to repair: nobody can tell that it has not been repaired."""
    course = courses.load(ROOT)
    seen = {source for source in course.sources if begun(ROOT, source)}
    given = {e.source for e in course.exercises if "NotImplementedError" not in course.stub(e.id).read_text("utf-8")}
    assert seen == given - {"answers"}


def test_a_sheet_is_begun_with_the_first_answer(toy_copy):
    sheet = toy_copy / "exercises" / "answers.yaml"
    sheet.write_text("variant: common\nquiz:\n  # a: yes\n  first:\n  rows:\n    one: {a: , b: }\n", encoding="utf-8")
    assert not begun(toy_copy, "answers")
    assert asked(courses.load(toy_copy)) == {"first", "rows"}
    sheet.write_text("variant: common\nquiz:\n  first: b\n", encoding="utf-8")
    assert begun(toy_copy, "answers")


def test_a_copy_elsewhere_is_not_the_course_s_own(toy_copy, tmp_path):
    (tmp_path / "scale.py").write_text(solution("scale"), encoding="utf-8")
    assert not is_begun(courses.load(toy_copy), "scale", single(tmp_path / "scale.py"))
