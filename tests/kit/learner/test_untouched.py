"""What nobody has begun is graded once: the same file, course and kit get the report that is kept."""

from __future__ import annotations

import dataclasses
import shutil

import pytest
from support import OPTIONS, TOY

from grader.course import course as courses
from grader.intake import submission as intake
from grader.learner.untouched import FILE, Untouched
from grader.report.report import Report
from grader.sandbox.processes import RunOptions

VERSIONS = {"course": "1", "suites": "2"}
CPU = RunOptions("cpu")


@pytest.fixture
def course(toy_copy):
    return courses.load(toy_copy)


@pytest.fixture
def handed_in(course):
    """The folder as it is now: `scale` is right, `pair` as it was given out."""
    shutil.copy(TOY / "solutions" / "scale.py", course.root / "exercises")
    return lambda: intake.load(course.root / "exercises", course)


@pytest.fixture
def graded(process, handed_in):
    """The reports on both, by a grading process."""
    ids = ("scale", "pair")
    return {i: Report.from_json(process.grade(handed_in(), "before", 1, [i])) for i in ids}


def looked_up(course, submission, versions=VERSIONS, run=CPU):
    untouched = Untouched(course, submission, versions, run)
    return {i for i in ("scale", "pair") if untouched.report(i)}


def test_what_nobody_has_begun_is_kept_and_nothing_else(course, handed_in, graded):
    assert OPTIONS.device == CPU.device
    Untouched(course, handed_in(), VERSIONS, CPU).keep(graded)
    again = Untouched(course, handed_in(), VERSIONS, CPU)
    assert again.report("scale") is None
    assert again.report("pair") == graded["pair"]


def test_whatever_the_report_depends_on_is_the_same(course, handed_in, graded):
    Untouched(course, handed_in(), VERSIONS, CPU).keep(graded)
    assert looked_up(course, handed_in()) == {"pair"}
    assert looked_up(course, handed_in(), {**VERSIONS, "suites": "3"}) == set()
    assert looked_up(course, handed_in(), run=RunOptions("cuda")) == set()
    assert looked_up(course, dataclasses.replace(handed_in(), student="bob")) == set()
    (course.root / "exercises" / "scale.py").unlink()  # another exercise's file says nothing about this one
    assert looked_up(course, handed_in()) == {"pair"}
    path = course.root / "exercises" / "pair.py"
    path.write_text(path.read_text() + "# begun\n")
    assert looked_up(course, handed_in()) == set()


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"pair": 1}', b'{"pair": ["", {}]}', b"[" * 100_000, b"\xff"])
def test_a_damaged_file_is_as_good_as_none(course, handed_in, graded, damage):
    Untouched(course, handed_in(), VERSIONS, CPU).keep(graded)
    path = course.root / ".grader" / FILE
    path.write_bytes(damage)
    assert looked_up(course, handed_in()) == set()
    Untouched(course, handed_in(), VERSIONS, CPU).keep(graded)
    assert looked_up(course, handed_in()) == {"pair"}


def test_a_folder_that_cannot_be_written_keeps_nobody_from_working(course, handed_in, graded):
    (course.root / ".grader").write_text("no folder")
    Untouched(course, handed_in(), VERSIONS, CPU).keep(graded)
    assert looked_up(course, handed_in()) == set()
