"""A batch: every submission comes out once, nothing is graded twice, a fault is listed."""

from __future__ import annotations

import json
import pkgutil
import threading
import time
from pathlib import Path

import pytest
from reports import report_of
from support import solution

from grader.batch.batch import Context, grade_all
from grader.errors import MachineError
from grader.intake import Entry
from grader.report import Fault, Results, Row


class CountingPool:
    """Grades without a process: counts, and fails for the students it is told to."""

    def __init__(self, broken: tuple[str, ...] = ()) -> None:
        self.graded: list[str] = []
        self.broken = broken

    def grade(self, submission, fingerprint, seed):
        self.graded.append(submission.student)
        if submission.student in self.broken:
            raise MachineError("no memory left")
        return report_of(submission.student, fingerprint).to_json()

    def abandon(self):
        pass


def entries(folder: Path) -> list[Entry]:
    return [Entry(path.name, (path,)) for path in sorted(folder.iterdir())]


@pytest.fixture
def folder(tmp_path):
    """What ann, bob and cem handed in."""
    made = tmp_path / "class"
    for name in ("ann", "bob", "cem"):
        (made / name).mkdir(parents=True)
        (made / name / "scale.py").write_text(solution("scale"))
    return made


@pytest.fixture
def students(folder):
    return entries(folder)


@pytest.fixture
def results(tmp_path):
    made = Results(tmp_path / "out")
    yield made
    made.close()


def run(students, toy, pool, results, course="c", jobs=2, regrade=False):
    context = Context(1, {"course": course}, regrade)
    return list(grade_all(students, toy, pool, jobs, results, context))


def test_each_comes_out_once(students, toy, results):
    pool = CountingPool()
    outcomes = run(students, toy, pool, results)
    assert sorted(o.student for o in outcomes) == sorted(pool.graded) == ["ann", "bob", "cem"]
    assert sorted(p.name for p in (results.folder / "reports").iterdir()) == ["ann.json", "bob.json", "cem.json"]


def test_nothing_is_graded_twice(students, toy, results):
    first = run(students, toy, CountingPool(), results)
    pool = CountingPool()
    again = run(students, toy, pool, results)
    assert pool.graded == []
    assert sorted(again, key=str) == sorted(first, key=str)


def test_what_changed_is_graded_again(folder, students, toy, results):
    run(students, toy, CountingPool(), results)
    (folder / "bob" / "scale.py").write_text("# changed\n")
    pool = CountingPool()
    run(students, toy, pool, results)
    assert pool.graded == ["bob"]
    run(students, toy, pool, results, course="another course")
    assert len(pool.graded) == 4


@pytest.mark.parametrize("damage", ["", "{", '{"format": 2}', '{"format": 3}', "\udcff"])
def test_a_damaged_report_is_graded_again(students, toy, results, damage):
    run(students, toy, CountingPool(), results)
    results.path("ann").write_bytes(damage.encode("utf-8", "surrogateescape"))
    pool = CountingPool()
    run(students, toy, pool, results)
    assert pool.graded == ["ann"]


def test_a_fault_is_listed_and_leaves_no_report(students, toy, results):
    outcomes = run(students, toy, CountingPool(broken=("bob",)), results)
    assert [o for o in outcomes if isinstance(o, Fault)] == [Fault("bob", "no memory left")]
    assert not results.path("bob").exists()
    pool = CountingPool()
    run(students, toy, pool, results)
    assert pool.graded == ["bob"], "a fault is tried again in the next run"


def test_more_students_than_the_window(tmp_path, toy, results):
    for n in range(25):
        (tmp_path / "many" / f"s{n:02}").mkdir(parents=True)
    outcomes = run(entries(tmp_path / "many"), toy, CountingPool(), results, jobs=1)
    assert sorted(o.student for o in outcomes) == [f"s{n:02}" for n in range(25)]


def test_stopping_in_the_middle_keeps_what_is_done(tmp_path, toy, results):
    for n in range(25):
        (tmp_path / "many" / f"s{n:02}").mkdir(parents=True)
    pool = CountingPool()
    stream = grade_all(entries(tmp_path / "many"), toy, pool, 1, results, Context(1, {"course": "c"}))
    first = next(stream)
    stream.close()
    assert Row.of(results.stored(first.student, first.fingerprint)) == first
    assert len(pool.graded) < 25


def test_stopping_does_not_wait_for_what_is_under_way(students, toy, results):
    class Slow(CountingPool):
        abandoned = threading.Event()

        def grade(self, submission, fingerprint, seed):
            if submission.student != "ann" and not self.abandoned.wait(30):
                raise AssertionError("it was waited for")
            return super().grade(submission, fingerprint, seed)

        def abandon(self):
            self.abandoned.set()

    stream = grade_all(students, toy, Slow(), 2, results, Context(1, {"course": "c"}))
    assert next(stream).student == "ann"
    began = time.monotonic()
    stream.close()
    assert Slow.abandoned.is_set()
    assert time.monotonic() - began < 10


def test_a_regrade_grades_what_is_there(students, toy, results):
    run(students, toy, CountingPool(), results)
    pool = CountingPool()
    run(students, toy, pool, results, regrade=True)
    assert sorted(pool.graded) == ["ann", "bob", "cem"]


def test_reports_are_readable_json(students, toy, results):
    run(students, toy, CountingPool(), results)
    assert json.loads(results.path("ann").read_text(encoding="utf-8"))["student"] == "ann"


def raises(*_args, **_kwargs):
    raise ZeroDivisionError("whatever\n::stop-commands::x")


@pytest.mark.parametrize(
    "step",
    ["grader.intake.entries.Entry.load", "grader.intake.submission.Submission.fingerprint",
     "grader.report.Results.stored", "grader.report.Results.write", "grader.report.report.Report.from_json"],
)  # fmt: skip
def test_what_happens_to_one_student_stops_nobody(students, toy, results, monkeypatch, step):
    """An exception of any kind, wherever one submission is read, graded or stored, is that submission's fault line."""
    place, _, name = step.rpartition(".")
    owner = pkgutil.resolve_name(place.replace(".Entry", ":Entry").replace(".Submission", ":Submission")
                                 .replace(".Results", ":Results").replace(".Report", ":Report"))  # fmt: skip
    works, calls = getattr(owner, name), iter(range(100))

    def second_fails(*args, **kwargs):
        return raises() if next(calls) == 1 else works(*args, **kwargs)

    monkeypatch.setattr(owner, name, staticmethod(second_fails) if name == "from_json" else second_fails)
    found = run(students, toy, CountingPool(), results, jobs=1)
    assert sorted(outcome.student for outcome in found) == ["ann", "bob", "cem"]
    faults = [outcome for outcome in found if isinstance(outcome, Fault)]
    assert [fault.reason for fault in faults] == ["ZeroDivisionError: whatever ::stop-commands::x"]
