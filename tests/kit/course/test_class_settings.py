"""class.yaml: what a class does of a course, what it is worth there, and every mistake in the file at once."""

from __future__ import annotations

import pytest
from quiz import PAPER
from support import OPTIONS, exercise

from grader.authoring import student_copy
from grader.batch.cluster import course_files
from grader.course import course as courses
from grader.errors import CourseError
from grader.intake import load
from grader.questions import Paper
from grader.report import Report

SYLLABUS = """\
title: A course
units: [first]
syllabus:
  - id: first
    title: First
    exercises:
      - {id: one, title: One, points: 2, functions: [f]}
      - {id: two, title: Two, points: 3, functions: [g], after: [one]}
  - id: second
    title: Second
    exercises:
      - {id: three, title: Three, points: 4, functions: [h], after: [two]}
"""


def taken(root, said: str):
    (root / "course.yaml").write_text(SYLLABUS, encoding="utf-8")
    (root / "class.yaml").write_text(said, encoding="utf-8")
    return courses.load(root)


CHOSEN = {
    "": ["one", "two"],
    "# nothing yet": ["one", "two"],
    "hide: [one]": ["two"],
    "units: [second]": ["three"],
    "units: [second]\nexercises: [one]": ["one", "three"],
    "units: [first, second]\nhide: [first]": ["three"],
    "exercises: [three, two]": ["two", "three"],
}


@pytest.mark.parametrize("said", CHOSEN)
def test_what_the_class_does(tmp_path, said):
    course = taken(tmp_path, said)
    assert [e.id for e in course.exercises] == CHOSEN[said]
    assert [e.id for e in course.described] == ["one", "two", "three"]
    for e in course.exercises:
        assert set(e.after) <= set(CHOSEN[said]), "what is left out cannot be asked for first"


def test_points_of_the_class(tmp_path):
    course = taken(tmp_path, "units: [first, second]\npoints: {two: 30, three: 0.5}")
    assert [e.points for e in course.exercises] == [2, 30, 0.5]
    plain = taken(tmp_path, "units: [first, second]")
    for file in (f(e.id) for e in course.exercises for f in (course.suite, course.solution)):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    assert plain.digests()["course"] != course.digests()["course"], "or reports would keep the old points"


WRONG = {
    "unit: [first]": "class.yaml:1: there is no 'unit' here; did you mean 'units'?",
    "units: [frist]": "class.yaml:1: there is no unit 'frist'; did you mean 'first'?",
    "hide: one": "class.yaml:1: hide must be a list, such as hide: [one]",
    "hide: [one, two]": "class.yaml:1: no exercise is left; name some under `units` or `exercises`",
    "points: [one]": "class.yaml:1: points must be a mapping, such as points: {one: 10}",
    "points: {one: 0}": "class.yaml:1: points of one must be a number above 0, not '0'",
    "points: {one: ten}": "class.yaml:1: points of one must be a number above 0, not 'ten'",
    "hide: [one]\nhide: [two]": "class.yaml:2: 'hide' is given twice",
    "- one": "class.yaml:1: expected lines such as `hide: [an exercise]`; it takes units, exercises, hide, points",
    "exercises: [tow]\npoints: {thre: 1}": (
        "class.yaml:1: there is no exercise 'tow'; did you mean 'two'?\n"
        "class.yaml:2: there is no exercise 'thre'; did you mean 'three'?"
    ),
}


@pytest.mark.parametrize("said", WRONG)
def test_every_mistake_is_told_at_once(tmp_path, said):
    with pytest.raises(CourseError) as told:
        taken(tmp_path, said)
    assert str(told.value) == WRONG[said]


@pytest.mark.parametrize(("content", "problem"), [(b"units: [", "not YAML"), (b"units: \xff", "cannot be read")])
def test_a_file_that_cannot_be_read(tmp_path, content, problem):
    taken(tmp_path, "")
    (tmp_path / "class.yaml").write_bytes(content)
    with pytest.raises(CourseError, match=problem):
        courses.load(tmp_path)


def test_what_is_given_away_is_the_course_of_the_class(toy_copy, tmp_path):
    (toy_copy / "class.yaml").write_text("hide: [pair]\npoints: {scale: 8}", encoding="utf-8")
    course = courses.load(toy_copy)
    files = dict(student_copy.student_copy(course, course.settings.units, "en", {}, {}, {}))
    for name in (name for name in files if not name.startswith("grader/")):
        (tmp_path / "copy" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "copy" / name).write_bytes(files[name])
    assert "exercises/pair.py" not in files
    assert [(e.id, e.points) for e in courses.load(tmp_path / "copy").exercises] == [("scale", 8)]
    assert "class.yaml" in course_files(course), "or the workers of a cluster would grade another course"


def test_a_class_is_graded_as_it_says(toy_copy, fork_server):
    (toy_copy / "class.yaml").write_text("hide: [pair]\npoints: {scale: 8}", encoding="utf-8")
    course = courses.load(toy_copy)
    process = fork_server.grading_process(course, OPTIONS)
    try:
        report = Report.from_json(process.grade(load(toy_copy / "solutions", course), "fingerprint", seed=1))
    finally:
        process.close()
    assert [(e.id, e.score, e.max_score) for e in report.exercises] == [("scale", 8, 8)]
    assert exercise(report, "scale").status == "passed"


def test_the_points_of_questions_are_shared_out(tmp_path):
    (tmp_path / "q.py").write_text(PAPER, encoding="utf-8")
    usual, dear = (Paper(tmp_path / "q.py", tmp_path, points=points) for points in (12, 5))
    assert sum(q.points for q in dear.questions) == pytest.approx(5, abs=1e-9)
    for q, before in zip(dear.questions, usual.questions, strict=True):
        assert q.points == pytest.approx(before.points * 5 / 12, abs=1e-3)
    assert [q.points for q in usual.questions] == [q.points for q in Paper(tmp_path / "q.py", tmp_path).questions]
