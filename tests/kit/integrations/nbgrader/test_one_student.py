"""Whatever one student's notebook or folder leads to while scores are stored, the others get theirs."""

from __future__ import annotations

import os
import shutil
import sys

import classroom
import pytest
from classroom import UNIT, content, filled, hand_in, right, sqlite

from grader.integrations.nbgrader import course as nbgrader_course

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")]


@pytest.fixture
def course(tmp_path_factory, tmp_path):
    """A course with one submission; `kit` beside it is the kit's."""
    folder = tmp_path / "course"
    (tmp_path / "kit").symlink_to(classroom.course(tmp_path_factory, folder))
    hand_in(folder, "ann", filled(folder, **right()))
    return folder


@pytest.fixture
def grade(course, run_here):
    """`grade()` grades the course in this process; exit code and error output."""

    def run():
        where = ["--nbgrader", course, "--assignment", UNIT, "--out", course / "results", "--add-students"]
        own = classroom.changed(course.parent / "home")
        done = run_here("grade", course / "submitted", *where, "--course", course.parent / "kit", env=own)
        return done.returncode, done.stderr

    return run


@pytest.mark.parametrize("step", ["gradebook.record", "graded_notebook.graded", "_replace", "_small"])
def test_an_exception_while_a_notebook_is_put_together_or_stored(course, grade, monkeypatch, step):
    hand_in(course, "bob", filled(course, **right()))
    owner: object = nbgrader_course
    *places, name = step.split(".")
    for place in places:
        owner = getattr(owner, place)
    works, calls = getattr(owner, name), iter(range(1000))

    def first_fails(*args, **kwargs):
        if next(calls) == 0:
            raise ZeroDivisionError("whatever")
        return works(*args, **kwargs)

    monkeypatch.setattr(owner, name, first_fails)
    code, err = grade()
    assert code == 3
    assert err.count("ZeroDivisionError: whatever; the report is kept") == 1
    other = "bob" if "ann: ZeroDivisionError" in err else "ann"
    assert content(sqlite(course))[other, "scale"][0] == 4


def test_a_folder_whose_name_is_no_text(course, grade):
    bad = os.fsencode(course / "submitted") + b"/b\xffb/" + os.fsencode(UNIT)
    os.makedirs(bad)
    shutil.copy(course / "submitted" / "ann" / UNIT / f"{UNIT}.ipynb", os.fsdecode(bad))
    code, err = grade()
    assert code == 3
    assert "b\\udcffb: " in err
    assert content(sqlite(course))["ann", "scale"][0] == 4


def test_files_beside_the_notebook_that_are_too_large(course, grade):
    """A sparse secret of 2 GB is not read; a timestamp of megabytes is none."""
    folder = course / "submitted" / "ann" / UNIT
    with open(folder / "submission_secret.txt", "wb") as file:
        file.truncate(2 << 30)
    (folder / "timestamp.txt").write_text("2026-03-01 " * 100_000)
    code, _ = grade()
    assert code == 0
    assert content(sqlite(course))["ann", "scale"][0] == 4
    assert not (course / "autograded" / "ann" / UNIT / "submission_secret.txt").exists()
