"""`grader pack` in a student's copy looks at the answer sheet before it packs; `grader check` says the same."""

from __future__ import annotations

import json
import shutil
import sys
import zipfile

import pytest
from quiz import paper_in
from support import TOY

from grader.authoring.visible_examples import questions_source
from grader.course import course as courses
from grader.intake import load

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")

SETTINGS = """\
title: A quiz
feedback: full
devices: [cpu]
units:
  - id: all
    title: All
    exercises:
      - {id: quiz, title: Questions, points: 12, kind: questions}
"""
SHEET = """\
variant: common
quiz:
  a_third: 0,333
  one: `b`
  some: [a, c]
  order：cab
  matrix: [[1, 0.25], [0.125, -3]]
  construct: @
  essay: because
"""


@pytest.fixture
def copy(tmp_path):
    """A student's copy with concept questions only."""
    for folder in ("tests/visible", "exercises"):
        (tmp_path / "copy" / folder).mkdir(parents=True)
    (tmp_path / "course").mkdir()
    described = paper_in(tmp_path / "course").described("common")
    text = questions_source("quiz", described)
    (tmp_path / "copy/tests/visible/quiz.py").write_text(text, encoding="utf-8")
    (tmp_path / "copy/course.yaml").write_text(SETTINGS, encoding="utf-8")
    (tmp_path / "copy/exercises/answers.yaml").write_text(SHEET, encoding="utf-8")
    return tmp_path / "copy"


def test_pack_says_which_answers_cannot_be_marked(grader, copy, tmp_path):
    code, out, _ = grader("pack", "--to", tmp_path / "in.zip", course=copy)
    assert code == 0
    lines = out.splitlines()
    assert "2 answers cannot be marked as they stand; fix them and pack again:" in lines
    told = {line.split(":")[0].strip() for line in lines if line.startswith("  ")}
    assert told == {"a_third", "construct"}
    assert any("answers.yaml, line 8: this cannot be read" in line for line in lines)
    assert "2 questions have no answer yet" in lines  # the table, the number drawn
    assert zipfile.ZipFile(tmp_path / "in.zip").read("answers.yaml").decode() == SHEET


def test_pack_is_silent_about_a_sheet_in_order(grader, copy, tmp_path):
    good = SHEET.replace("0,333", "1/3").replace("@", "1 1 -2") + "  drawn: 1\n  table: same same; same same\n"
    (copy / "exercises/answers.yaml").write_text(good, encoding="utf-8")
    code, out, _ = grader("pack", "--to", tmp_path / "in.zip", course=copy)
    assert (code, [line for line in out.splitlines() if "answers cannot" in line or "no answer" in line]) == (0, [])


def test_check_in_the_copy(grader, copy):
    code, out, _ = grader("check", "quiz", course=copy)
    assert code == 1
    assert "0,333 has a decimal comma" in out
    assert "its form is right; it is marked when you hand it in" in out
    assert "Well done" not in out


def test_a_sheet_in_order_is_not_praised_for_its_answers(grader, copy):
    good = SHEET.replace("0,333", "7").replace("@", "9 9 9") + "  drawn: 1\n  table: same same; same same\n"
    (copy / "exercises/answers.yaml").write_text(good, encoding="utf-8")
    code, out, _ = grader("check", course=copy)
    assert code == 0
    assert "Nothing is wrong. What is marked by hand, or later, has no points yet: Questions." in out
    assert "Well done" not in out


def test_a_course_with_its_suites_packs_as_before(grader, tmp_path):
    shutil.copytree(TOY / "solutions", tmp_path / "work", ignore=shutil.ignore_patterns("__pycache__"))
    code, out, _ = grader("pack", "--dir", tmp_path / "work", "--to", tmp_path / "in.zip")
    assert code == 0
    assert "cannot be marked" not in out


def test_a_zip_that_cannot_be_written(grader, tmp_path):
    code, _, err = grader("pack", "--to", tmp_path / "nowhere" / "x.zip")
    assert code == 2
    assert err.endswith("x.zip: cannot be written: No such file or directory; choose another file\n")


def test_a_notebook_is_packed_as_it_is_beside_the_files(grader, tmp_path):
    """The work is in both; the stub under the notebook's exercise stays behind, and the zip reads like the folder."""
    shutil.copytree(TOY / "exercises", tmp_path / "mine")
    shutil.copy(TOY / "solutions" / "pair.py", tmp_path / "mine")
    work = {"cell_type": "code", "metadata": {}, "source": (TOY / "solutions" / "scale.py").read_text()}
    (tmp_path / "mine" / "homework.ipynb").write_text(json.dumps({"cells": [work], "metadata": {}}))
    code, out, err = grader("pack", "--dir", tmp_path / "mine", "--to", tmp_path / "hand-in.zip")
    assert (code, err) == (0, "")
    assert "\u2190 homework.ipynb" in out
    with zipfile.ZipFile(tmp_path / "hand-in.zip") as packed:
        assert sorted(packed.namelist()) == ["homework.ipynb", "pair.py"]
    course = courses.load(TOY)
    folder, handed_in = (load(tmp_path / name, course).sources for name in ("mine", "hand-in.zip"))
    assert handed_in == folder
