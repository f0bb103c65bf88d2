"""What the fast lane says when the nbgrader course, its gradebook or the command is not as it should be."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
import sys

import classroom
import pytest
from classroom import UNIT, content, filled, hand_in, right, sqlite
from support import OPTIONS

from grader.batch import pool
from grader.cli import main
from grader.course import course as courses
from grader.errors import MachineError
from grader.integrations import kept_process

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")]


@pytest.fixture
def course(tmp_path_factory, tmp_path):
    """A course with one submission; `kit` beside it is the kit's."""
    folder = tmp_path / "course"
    (tmp_path / "kit").symlink_to(classroom.course(tmp_path_factory, folder))
    hand_in(folder, "ann", filled(folder, **right()))
    return folder


@pytest.fixture
def grade(course, capsys, monkeypatch):
    """`grade(...)` runs the command in this process, up to where it would grade: exit code and error output."""

    def run(*options, submissions=course / "submitted", assignment=UNIT):
        where = ["--nbgrader", course, "--assignment", assignment, "--out", course / "results", *options]
        code = main([str(a) for a in ("grade", submissions, *where, "--course", course.parent / "kit")])
        return code, capsys.readouterr().err

    for name in ("CONFIG", "DATA"):
        monkeypatch.setenv(f"JUPYTER_{name}_DIR", str(course.parent / "home"))
    monkeypatch.setattr(sys, "path", list(sys.path))
    return run


def configure(course, line):
    with open(course / "nbgrader_config.py", "a", encoding="utf-8") as file:
        file.write(line + "\n")


def test_half_of_the_options(capsys, tmp_path):
    assert main(["grade", str(tmp_path / "in"), "--out", str(tmp_path / "out"), "--nbgrader", "x"]) == 2
    assert capsys.readouterr().err == "grader: --nbgrader and --assignment belong together\n"


def test_no_gradebook(course, grade):
    (course / "gradebook.db").unlink()
    code, said = grade()
    assert code == 2
    assert said == (
        f"grader: {course}/gradebook.db: no such gradebook; run `nbgrader generate_assignment` in {course} first\n"
    )
    assert not (course / "gradebook.db").exists()


def test_a_gradebook_that_is_none(course, grade):
    (course / "gradebook.db").write_text("no database at all, but long enough to look like something")
    code, said = grade()
    assert code == 2
    assert f"the gradebook sqlite:///{course}/gradebook.db cannot be opened: " in said
    assert "file is not a database" in said


def test_an_empty_gradebook(course, grade):
    (course / "gradebook.db").write_bytes(b"")
    code, said = grade()
    assert code == 2
    assert said == (
        f"grader: the gradebook sqlite:///{course}/gradebook.db is empty; run `nbgrader generate_assignment` first\n"
    )


def test_an_unknown_assignment(grade):
    assert grade(assignment="unit9") == (
        2,
        "grader: the gradebook has no assignment 'unit9' (it has: basics); "
        "run `nbgrader generate_assignment unit9` first\n",
    )


def test_an_assignment_that_is_not_ours(course, grade):
    with classroom.gradebook(sqlite(course)) as book:
        book.add_assignment("essay")
    code, said = grade(assignment="essay")
    assert code == 2
    assert "the assignment 'essay' has no grade cell for any exercise of " in said
    assert "was it made with `grader release --format nbgrader`?" in said


def test_a_configuration_that_cannot_be_read(course, grade):
    configure(course, "c.x = 1 / 0")
    code, said = grade()
    assert code == 2
    assert said == f"grader: {course}/nbgrader_config.py: ZeroDivisionError: division by zero\n"


def test_an_address_that_is_none(course, grade):
    configure(course, "c.CourseDirectory.db_url = 'gradebook'")
    code, said = grade()
    assert code == 2
    assert said.startswith("grader: 'gradebook' in nbgrader_config.py is not a database URL: ")


def test_folders_in_another_order(course, grade):
    configure(course, "c.CourseDirectory.directory_structure = '{nbgrader_step}/{assignment_id}/{student_id}'")
    code, said = grade()
    assert code == 2
    assert "directory_structure '{nbgrader_step}/{assignment_id}/{student_id}' is not known here" in said


def test_a_database_that_does_not_answer(course, grade):
    configure(course, "c.CourseDirectory.db_url = 'postgresql+psycopg://kit:secret@127.0.0.1:1/x'")
    code, said = grade()
    assert code == 2
    assert "the gradebook postgresql+psycopg://kit:***@127.0.0.1:1/x cannot be opened: " in said
    assert "secret" not in said


def test_a_database_without_its_driver(course, grade):
    configure(course, "c.CourseDirectory.db_url = 'oracle+cx_oracle://x'")
    code, said = grade()
    assert code == 2
    assert "cannot be opened: No module named 'cx_Oracle'" in said


def test_a_relative_address_is_meant_from_the_course_folder(course, grade):
    (course / "gradebook.db").rename(course / "other.db")
    configure(course, "c.CourseDirectory.db_url = 'sqlite:///other.db'")
    assert grade(assignment="unit9")[1].startswith("grader: the gradebook has no assignment 'unit9' (it has: basics)")


def test_no_hand_ins(course, grade):
    shutil.rmtree(course / "submitted" / "ann" / UNIT)
    code, said = grade()
    assert code == 2
    assert f"no submission of 'basics'; expected folders like {course}/submitted/STUDENT/basics" in said
    code, said = grade(submissions=course / "nowhere")
    assert code == 2
    assert said == f"grader: {course}/nowhere: cannot be listed: No such file or directory\n"


def test_a_database_that_fails_while_scores_are_stored(course, grader):
    with contextlib.closing(sqlite3.connect(course / "gradebook.db")) as database, database:
        database.execute("drop table grade")
        database.execute("create view grade as select 1")
    where = ("--nbgrader", course, "--assignment", UNIT, "--out", course / "results", "--add-students")
    kit = course.parent / "kit"
    done = grader("grade", course / "submitted", *where, "--course", kit, cwd=course, code=3)
    assert "grader: not in the gradebook: ann: " in done.stderr
    assert "; the report is kept" in done.stderr
    assert (course / "results" / "reports" / "ann.json").exists()
    assert "ann,graded,7.0" in (course / "results" / "summary.csv").read_text()


def test_a_cell_that_was_released_later_gets_its_row(course, grader):
    with classroom.gradebook(sqlite(course)) as book:
        book.add_student("ann")
        with book.db.no_autoflush:
            submission = book.add_submission(UNIT, "ann")
        for row in (*submission.notebooks[0].grades, *submission.notebooks[0].comments):
            book.db.delete(row)
        book.db.commit()
    where = ("--nbgrader", course, "--assignment", UNIT, "--out", course / "results")
    grader("grade", course / "submitted", *where, "--course", course.parent / "kit", cwd=course)
    assert content(sqlite(course))["ann", "total"][0] == 7


def test_without_a_wall_nbgrader_grades_nothing(toy, monkeypatch):
    monkeypatch.setattr(pool, "REQUIRED", {"landlock", "moat"})
    with pytest.raises(
        MachineError, match=r"cannot build the sandbox that strangers' code needs \(moat\); run `grader doctor`"
    ):
        kept_process.pool(toy, OPTIONS, strangers=True)


def test_the_warm_process_serves_until_the_course_changes(toy_copy):
    first = kept_process.pool(courses.load(toy_copy), OPTIONS)
    assert kept_process.pool(courses.load(toy_copy), OPTIONS) is first
    with open(toy_copy / "tests" / "hidden" / "pair.py", "a", encoding="utf-8") as file:
        file.write("\n# changed\n")
    assert kept_process.pool(courses.load(toy_copy), OPTIONS) is not first
