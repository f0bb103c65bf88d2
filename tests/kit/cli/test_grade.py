"""`grader grade`: a class graded, stopped, graded again; and what a sandbox with a missing layer means."""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import signal
import subprocess
import sys

import pytest
from commands import GRADER, Borrowed, in_a_process
from support import TOY, alive, descendants, solution, wait_until

from grader.batch import GradingPool
from grader.errors import MachineError
from grader.report import Report, in_words, seeds

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only"),
]


def test_grade_as_an_instructor_runs_it(students, tmp_path):
    results = tmp_path / "results"
    done = in_a_process("grade", students, "--out", results, "--jobs", 2, cwd=TOY)
    assert done.returncode == 1, "somebody has to look at what could not be used"
    assert "2 graded, 0 not graded, 1 rejected (seed " in done.stdout
    assert "isolation: landlock, seccomp" in done.stdout or "isolation: " in done.stdout
    assert sorted(p.name for p in (results / "reports").iterdir()) == ["ann.json", "bob.json", "cem.json"]
    ann, bob, cem = (Report.from_json((results / "reports" / f"{s}.json").read_text()) for s in ("ann", "bob", "cem"))
    assert (ann.status, ann.score) == ("graded", 6.0)
    assert (bob.status, bob.score) == ("graded", 3.9)
    assert (cem.status, cem.score, cem.reason.to("en")) == (
        "rejected",
        0.0,
        "cem.zip cannot be unpacked (BadZipFile); make it again, as an ordinary zip",
    )
    with open(results / "summary.csv", newline="") as file:
        rows = {row["student"]: row for row in csv.DictReader(file)}
    assert rows["bob"]["scale"] == "1.9"
    assert rows["cem"]["status"] == "rejected"


def test_grade_again_grades_nothing_twice(grader, students, tmp_path):
    grader("grade", students, "--out", tmp_path / "out")
    report = tmp_path / "out" / "reports" / "ann.json"
    written = report.stat().st_mtime_ns
    code, out, _ = grader("grade", students, "--out", tmp_path / "out")
    assert code == 1
    assert "2 graded, 0 not graded, 1 rejected" in out
    assert report.stat().st_mtime_ns == written
    (students / "ann" / "scale.py").write_text("# nothing\n")
    grader("grade", students, "--out", tmp_path / "out")
    assert Report.from_json(report.read_text()).score == 2.0


def test_a_class_is_graded_once_for_every_language(grader, students, tmp_path):
    out = tmp_path / "out"
    grader("grade", students, "--out", out, "--lang", "en")
    reports = {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in (out / "reports").iterdir()}
    english = (out / "summary.csv").read_text(encoding="utf-8-sig")
    code, said, _ = grader("grade", students, "--out", out, "--lang", "zh")
    assert code == 1
    assert "cem.zip 无法解压（BadZipFile）；请重新打包成普通的 zip" in said
    assert {p.name: (p.read_bytes(), p.stat().st_mtime_ns) for p in (out / "reports").iterdir()} == reports
    chinese = (out / "summary.csv").read_text(encoding="utf-8-sig")
    assert "cannot be unpacked" in english
    assert "cannot be unpacked" not in chinese
    assert "无法解压" in chinese
    assert '<html lang="zh"' in (out / "index.html").read_text(encoding="utf-8")


def test_grade_one_exercise(grader, students, tmp_path):
    code, _, _ = grader("grade", students, "--out", tmp_path / "out", "--exercise", "pair")
    report = Report.from_json((tmp_path / "out" / "reports" / "bob.json").read_text())
    assert code == 1
    assert [(e.id, e.score) for e in report.exercises] == [("pair", 2.0)]


def test_points_for_other_exercises_are_not_replaced(grader, students, tmp_path):
    """Next week's exercises into this week's folder: refused, and the reports stay."""
    grader("grade", students, "--out", tmp_path / "out", "--exercise", "scale")
    report = tmp_path / "out" / "reports" / "ann.json"
    written = report.read_text()
    code, _, err = grader("grade", students, "--out", tmp_path / "out", "--exercise", "pair")
    assert code == 2
    assert "out: holds points for scale, which this run does not grade and would replace; grade them too, or" in err
    assert report.read_text() == written
    code, out, _ = grader("grade", students, "--out", tmp_path / "out")
    assert code == 1
    assert "scores changed" not in out, "nothing changed of what was graded before"


def test_points_that_change_unasked_are_told(grader, students, tmp_path):
    """A suite was changed: who handed in nothing new and has other points now is listed, without --regrade too."""
    course = tmp_path / "course"
    shutil.copytree(TOY, course)
    grader("grade", students, "--out", tmp_path / "out", "--exercise", "scale", course=course)
    suite = course / "tests" / "hidden" / "scale.py"
    text = suite.read_text(encoding="utf-8")
    suite.write_text(
        text.replace("@points(2)", "@points(1.5)", 1).replace(
            "@points(0.5)\ndef test_input", "@points(1)\ndef test_input"
        ),
        encoding="utf-8",
    )
    (students / "ann" / "scale.py").write_text("# again\n" + solution("scale"))
    _, out, _ = grader("grade", students, "--out", tmp_path / "out", "--exercise", "scale", course=course)
    assert "1 scores changed:\n  bob: 1.9 / 4 → 2 / 4 (suites)" in out
    assert json.loads((tmp_path / "out" / "regrade.json").read_text())["changes"][0]["student"] == "bob"


def test_a_report_is_made_again_with_its_inputs(grader, students, tmp_path):
    """An appeal after a second hand-in, whose inputs nobody can name: its report stands for the seed."""
    out = tmp_path / "out"
    grader("grade", students, "--out", out, "--exercise", "scale")
    (students / "bob" / "scale.py").write_text("def scale(x, factor=2.0): return x - factor\n")
    grader("grade", students, "--out", out, "--exercise", "scale")
    path = out / "reports" / "bob.json"
    reported = in_words(Report.from_json(path.read_text()), "en")["exercises"][0]
    for seed, same in ((path, True), ((out / "seed.txt").read_text().strip(), False)):
        _, said, _ = grader("check", "scale", "--dir", students / "bob", "--json", "--seed", seed)
        again = json.loads(said)["exercises"][0]
        assert ([c["reason"] for c in again["checks"]] == [c["reason"] for c in reported["checks"]]) is same
    code, _, err = grader("check", "scale", "--seed", students / "bob" / "scale.py")
    assert code == 2
    assert "scale.py: is not a report of `grader grade`; name RESULTS/reports/STUDENT.json" in err


def test_a_report_is_named_by_its_student_whatever_its_file_is_called(grader, students, tmp_path):
    out = tmp_path / "out"
    (students / "bob").rename(students / "Bob B. Lee")
    grader("grade", students, "--out", out, "--exercise", "scale", "--seed", "7")
    assert seeds.of_report(out / "reports" / "Bob B. Lee.json") == 7
    assert seeds.of_report(out / "reports" / "Bob B. Lee") == 7
    code, _, err = grader("check", "scale", "--seed", out / "reports" / "bob.json")
    assert code == 2
    assert re.search(r"bob\.json: there is no .*bob\.json; name RESULTS/reports/STUDENT\.json", err)


def test_grade_shows_what_stood_out(grader, students, tmp_path):
    _, out, _ = grader("grade", students, "--out", tmp_path / "out")
    assert "scale/adds_instead" in out
    assert "all passed" in out
    assert "bob" in out


def test_grade_lists_what_it_could_not_grade(grader, students, tmp_path, monkeypatch):
    grade = GradingPool.grade

    def fail(self, submission, *rest):
        if submission.student == "bob":
            raise MachineError("no memory left")
        return grade(self, submission, *rest)

    monkeypatch.setattr(GradingPool, "grade", fail)
    code, out, _ = grader("grade", students, "--out", tmp_path / "out")
    assert code == 3
    assert "1 graded, 1 not graded, 1 rejected" in out
    assert "bob: not graded: no memory left" in out
    assert not (tmp_path / "out" / "reports" / "bob.json").exists()
    with open(tmp_path / "out" / "summary.csv", newline="") as file:
        assert {row["student"] for row in csv.DictReader(file)} == {"ann", "cem"}


def test_no_wall_no_strangers(fork_server, grader, students, tmp_path, monkeypatch):
    """Where a layer is missing nothing is graded, and the message says what to do."""
    grading_process = Borrowed.grading_process

    def bare(self, *arguments):
        opened = grading_process(self, *arguments)
        opened.isolation = ("rlimits",)
        return opened

    monkeypatch.setattr(Borrowed, "grading_process", bare)
    code, out, err = grader("grade", students, "--out", tmp_path / "out")
    assert (code, out) == (3, "")
    assert "this machine cannot build the sandbox that strangers' code needs" in err
    assert "grader doctor" in err
    assert not (tmp_path / "out").exists()
    code, out, _ = grader("grade", students, "--out", tmp_path / "out", "--unsafe-no-sandbox")
    assert code == 1
    assert "2 graded, 0 not graded, 1 rejected" in out
    assert "isolation: rlimits" in out


def test_stopping_keeps_what_was_graded(tmp_path):
    """Ctrl-C in the middle of a class: 130, the reports so far are whole, no process stays."""
    for n in range(400):  # a minute's work: a busy machine may hear of the keys late
        folder = tmp_path / "class" / f"s{n:03}"
        folder.mkdir(parents=True)
        (folder / "scale.py").write_text("import time; time.sleep(0.3)\n" + solution("scale"))
    reports = tmp_path / "out" / "reports"
    command = ["grade", tmp_path / "class", "--out", tmp_path / "out", "--jobs", 2, "--course", TOY]
    process = subprocess.Popen(
        [*GRADER, *map(str, command)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    assert wait_until(lambda: len(list(reports.glob("s*.json"))) >= 2)
    below = descendants(process.pid)
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "grader: stopped; what was graded is kept" in err
    assert "Traceback" not in err
    done = sorted(reports.iterdir())
    assert 2 <= len(done) < 400
    assert all(Report.from_json(path.read_text()).score == 4.0 for path in done)
    assert (tmp_path / "out" / "summary.csv").exists()
    assert wait_until(lambda: not any(map(alive, below)))


def test_what_a_student_is_called_reaches_no_terminal(grader, tmp_path):
    folder = tmp_path / "class" / "a\x1b[31mb"
    folder.mkdir(parents=True)
    (folder / "scale.py").write_text(solution("scale"))
    code, out, _ = grader("grade", tmp_path / "class", "--out", tmp_path / "out")
    assert code == 0
    assert "\x1b" not in out
    (report,) = (tmp_path / "out" / "reports").iterdir()
    assert report.name.startswith("id-")
