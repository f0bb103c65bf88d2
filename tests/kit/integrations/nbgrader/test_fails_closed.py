"""nbgrader whose configuration lacks the kit's lines: no point for anybody, and the graded notebook says why."""

from __future__ import annotations

import sys

import classroom
import pytest
from classroom import UNIT, content, filled, hand_in, right, sqlite

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")]


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A right submission, autograded by a configuration that names the course and nothing else."""
    made = tmp_path_factory.mktemp("closed") / "course"
    classroom.course(tmp_path_factory, made)
    (made / "nbgrader_config.py").write_text('c = get_config()\nc.CourseDirectory.course_id = "toy"\n')
    hand_in(made, "ann", filled(made, **right()))
    hand_in(made, "bob", filled(made))
    classroom.nbgrader("autograde", UNIT, "--create", cwd=made)
    return made


@pytest.mark.parametrize("student", ["ann", "bob"])
@pytest.mark.parametrize("cell", ["scale", "pair", "quiz"])
def test_a_grade_cell_fails_unless_the_kit_graded_it(course, student, cell):
    assert content(sqlite(course))[student, cell][0] == 0


def test_the_graded_notebook_says_what_to_do(course):
    text = (course / "autograded" / "ann" / UNIT / f"{UNIT}.ipynb").read_text(encoding="utf-8")
    assert "graded without the course's kit: add its lines to nbgrader_config.py and autograde again" in text


def test_students_never_get_the_line_that_fails(course):
    assert "HIDDEN TESTS" not in (course / "release" / UNIT / f"{UNIT}.ipynb").read_text(encoding="utf-8")
