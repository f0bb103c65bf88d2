"""A RESULTS folder: nothing half written, no file name of a student's choosing, one batch at a time."""

from __future__ import annotations

import os

import pytest
from reports import report_of

from grader.errors import CourseError, MachineError
from grader.report import Report, Results, Row


@pytest.fixture
def results(tmp_path):
    made = Results(tmp_path / "out")
    yield made
    made.close()


def test_a_write_that_fails_keeps_the_old_report(results, monkeypatch):
    results.write("ann", report_of("ann").to_json())

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(MachineError, match=r"ann.json: cannot be written: No space left on device"):
        results.write("ann", "half a rep")
    assert Report.from_json(results.path("ann").read_text()) == report_of("ann")
    assert [p.name for p in (results.folder / "reports").iterdir()] == ["ann.json"]


def test_files_of_a_killed_run_are_swept_away(results):
    (results.folder / "reports" / ".ann.json.123.tmp").write_text("half")
    results.close()
    Results(results.folder).close()
    assert list((results.folder / "reports").iterdir()) == []


UNSAFE = [
    "../../etc/passwd",
    "a/b",
    "",
    ".",
    "..",
    ".hidden",
    "-rf",
    "a\nb",
    "a" * 200,
    "名字",
    "con:",
    "x.",
    "NUL",
    "com1.txt",
    "id-1",
    "a b",
    "\udcff",
]


@pytest.mark.parametrize("student", UNSAFE)
def test_unsafe_ids_become_hashes(results, student):
    student = student.encode("utf-8", "replace").decode()
    path = results.path(student)
    assert path.parent == results.folder / "reports"
    assert path.name.startswith("id-")
    assert len(path.name) == len("id-.json") + 24


@pytest.mark.parametrize("student", ["s001", "Ann.Lee", "a-b_c", "9"])
def test_safe_ids_stay(results, student):
    assert results.path(student).name == f"{student}.json"


def test_unsafe_ids_do_not_meet(results):
    assert len({results.path(s) for s in ("a b", "a/b", "a\nb", "名", "字")}) == 5


def test_a_report_of_another_student_is_not_taken(results):
    results.write("ann", report_of("bob").to_json())
    assert results.stored("ann", "f") is None


def test_a_lone_surrogate_does_not_stop_the_summary(results):
    results.write_summary([Row.of(report_of("ann", reason="odd \ud800"), "en")], ["scale"])
    assert "odd ?" in (results.folder / "summary.csv").read_text(encoding="utf-8")


def test_a_second_batch_into_the_same_folder_is_refused(results):
    with pytest.raises(CourseError, match=r"another batch is writing here; wait for it or choose another --out"):
        Results(results.folder)


def test_a_resumed_batch_keeps_its_seed(results):
    first = results.seed(None)
    assert results.seed(None) == first
    assert results.seed(5) == 5
    assert results.seed(None) == 5


def test_an_output_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(CourseError, match=r"file: cannot be written: .*; choose another --out"):
        Results(tmp_path / "file")
