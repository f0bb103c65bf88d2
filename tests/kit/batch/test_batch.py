"""A batch: nothing graded twice, nothing half written, no file name or formula of a student's choosing."""

from __future__ import annotations

import csv
import json
import os

import pytest
from support import solution

from grader.batch.batch import Context, Results, grade_all
from grader.errors import CourseError, MachineError
from grader.report.report import Environment, ExerciseReport, Report
from grader.report.summary import Fault, Row, defused, reasons


def report(student: str, fingerprint: str = "f", **changes) -> Report:
    environment = Environment("kit", "3", "2", {"cpu": "ran"}, ())
    fields = {"status": "graded", "reason": None, "score": 1.0, "max_score": 6.0, **changes}
    exercises = (ExerciseReport("scale", "failed", "why", 1.0, 4.0), ExerciseReport("pair", "missing", "-", 0.0, 2.0))
    return Report(student=student, fingerprint=fingerprint, environment=environment, exercises=exercises, **fields)


class FakeLanes:
    """Grades without a process: counts, and fails for the students it is told to."""

    def __init__(self, broken: tuple[str, ...] = ()) -> None:
        self.graded: list[str] = []
        self.broken = broken

    def grade(self, submission, fingerprint, seed):
        self.graded.append(submission.student)
        if submission.student in self.broken:
            raise MachineError("no memory left")
        return report(submission.student, fingerprint).to_json()


@pytest.fixture
def students(tmp_path):
    folder = tmp_path / "class"
    for name in ("ann", "bob", "cem"):
        (folder / name).mkdir(parents=True)
        (folder / name / "scale.py").write_text(solution("scale"))
    return sorted(folder.iterdir())


@pytest.fixture
def results(tmp_path):
    made = Results(tmp_path / "out")
    yield made
    made.close()


def run(students, toy, pool, results, course="c", jobs=2, regrade=False):
    context = Context("en", 1, {"course": course}, regrade)
    return list(grade_all(students, toy, pool, jobs, results, context))


def test_each_comes_out_once(students, toy, results):
    pool = FakeLanes()
    outcomes = run(students, toy, pool, results)
    assert sorted(o.student for o in outcomes) == sorted(pool.graded) == ["ann", "bob", "cem"]
    assert sorted(p.name for p in (results.folder / "reports").iterdir()) == ["ann.json", "bob.json", "cem.json"]


def test_nothing_is_graded_twice(students, toy, results):
    first = run(students, toy, FakeLanes(), results)
    pool = FakeLanes()
    again = run(students, toy, pool, results)
    assert pool.graded == []
    assert sorted(again, key=str) == sorted(first, key=str)


def test_what_changed_is_graded_again(students, toy, results):
    run(students, toy, FakeLanes(), results)
    (students[1] / "scale.py").write_text("# changed\n")
    pool = FakeLanes()
    run(students, toy, pool, results)
    assert pool.graded == ["bob"]
    run(students, toy, pool, results, course="another course")
    assert len(pool.graded) == 4


@pytest.mark.parametrize("damage", ["", "{", '{"format": 2}', "\udcff"])
def test_a_damaged_report_is_graded_again(students, toy, results, damage):
    run(students, toy, FakeLanes(), results)
    results.path("ann").write_bytes(damage.encode("utf-8", "surrogateescape"))
    pool = FakeLanes()
    run(students, toy, pool, results)
    assert pool.graded == ["ann"]


def test_a_fault_is_listed_and_leaves_no_report(students, toy, results):
    outcomes = run(students, toy, FakeLanes(broken=("bob",)), results)
    assert [o for o in outcomes if isinstance(o, Fault)] == [Fault("bob", "no memory left")]
    assert not results.path("bob").exists()
    pool = FakeLanes()
    run(students, toy, pool, results)
    assert pool.graded == ["bob"], "a fault is tried again in the next run"


def test_more_students_than_the_window(tmp_path, toy, results):
    for n in range(25):
        (tmp_path / "many" / f"s{n:02}").mkdir(parents=True)
    outcomes = run(sorted((tmp_path / "many").iterdir()), toy, FakeLanes(), results, jobs=1)
    assert sorted(o.student for o in outcomes) == [f"s{n:02}" for n in range(25)]


def test_stopping_in_the_middle_keeps_what_is_done(tmp_path, toy, results):
    for n in range(25):
        (tmp_path / "many" / f"s{n:02}").mkdir(parents=True)
    pool = FakeLanes()
    stream = grade_all(sorted((tmp_path / "many").iterdir()), toy, pool, 1, results, Context("en", 1, {"course": "c"}))
    first = next(stream)
    stream.close()
    assert Row.of(results.stored(first.student, first.fingerprint), "en") == first
    assert len(pool.graded) < 25


def test_a_write_that_fails_keeps_the_old_report(results, monkeypatch):
    results.write("ann", report("ann").to_json())

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(MachineError, match=r"ann.json: cannot be written: No space left on device"):
        results.write("ann", "half a rep")
    assert Report.from_json(results.path("ann").read_text()) == report("ann")
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
    results.write("ann", report("bob").to_json())
    assert results.stored("ann", "f") is None


FORMULAS = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1+1", "\uff1d1+1"]


@pytest.mark.parametrize("cell", FORMULAS)
def test_formulas_are_defused(cell):
    assert defused(cell) == "'" + cell


def test_a_line_break_cannot_make_a_cell_of_its_own():
    assert defused("ann\n=1") == "ann =1"
    assert defused("\n=1") == "' =1"


def test_other_cells_stay():
    assert [defused(c) for c in ("ann", "1=1", "")] == ["ann", "1=1", ""]


def test_the_summary(results):
    rejected = report("=cmd()", status="rejected", reason="=evil is a symbolic link, truly", score=0.0)
    results.write_summary([Row.of(r, "en") for r in (rejected, report("ann"))], ["scale", "pair", "absent"])
    with open(results.folder / "summary.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    assert rows == [
        ["student", "status", "score", "max_score", "scale", "pair", "absent", "reason"],
        ["'=cmd()", "rejected", "0.0", "6.0", "1.0", "0.0", "", "'=evil is a symbolic link, truly"],
        ["ann", "graded", "1.0", "6.0", "1.0", "0.0", "", ""],
    ]


def test_a_lone_surrogate_does_not_stop_the_summary(results):
    results.write_summary([Row.of(report("ann", reason="odd \ud800"), "en")], ["scale"])
    assert "odd ?" in (results.folder / "summary.csv").read_text(encoding="utf-8")


def test_a_second_batch_into_the_same_folder_is_refused(results):
    with pytest.raises(CourseError, match=r"another batch is writing here; wait for it or choose another --out"):
        Results(results.folder)


def test_a_resumed_batch_keeps_its_seed(results):
    first = results.seed(None)
    assert results.seed(None) == first
    assert results.seed(5) == 5
    assert results.seed(None) == 5


def test_a_regrade_grades_what_is_there(students, toy, results):
    run(students, toy, FakeLanes(), results)
    pool = FakeLanes()
    run(students, toy, pool, results, regrade=True)
    assert sorted(pool.graded) == ["ann", "bob", "cem"]


def test_why_a_score_changed():
    old, new = (Row.of(report("ann", f"source=1 suites={n} torch={n}"), "en") for n in (1, 2))
    assert reasons(old, new) == ["suites", "torch"]
    assert reasons(old, old) == ["seed"]


def test_an_output_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(CourseError, match=r"file: cannot be written: .*; choose another --out"):
        Results(tmp_path / "file")


def test_reports_are_readable_json(students, toy, results):
    run(students, toy, FakeLanes(), results)
    assert json.loads(results.path("ann").read_text(encoding="utf-8"))["student"] == "ann"
