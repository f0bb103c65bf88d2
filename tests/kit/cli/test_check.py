"""`grader check`: what a learner reads, and its exit codes."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time

import pytest
from commands import GRADER, in_a_process
from support import TOY, descendants, wait_until

from grader.batch import kit_version
from grader.batch.grading_processes import GradingProcess
from grader.report.report import Report

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only"),
]


def test_check_as_a_user_runs_it(work):
    """From the course folder, in a process of its own: progress, and what to do next."""
    done = in_a_process("check", "--dir", work, cwd=TOY)
    assert done.returncode == 1
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    assert lines[0] == "A toy course · cpu: ran"
    assert lines[1].split() == ["✔", "scale", "4", "/", "4", "Multiply", "by", "a", "factor"]
    assert lines[2].split() == ["·", "pair", "0", "/", "2", "Two", "results", "at", "once", "(not", "started)"]
    assert "4 of 6 points." in lines
    assert "Next: open exercises/pair.py and start with Two results at once." in lines


def test_check_from_inside_the_course(work, tmp_path):
    for name in ("course.yaml", "solutions", "tests"):
        source = TOY / name
        (shutil.copytree if source.is_dir() else shutil.copy)(source, tmp_path / name)
    done = in_a_process("check", "scale", cwd=work)
    assert done.returncode == 0
    assert "Everything passes. Well done!" in done.stdout


def test_check_passes(grader):
    code, out, _ = grader("check", "--dir", TOY / "solutions")
    assert code == 0
    assert "6 of 6 points." in out
    assert "seed" not in out


def test_check_one_exercise_in_detail(grader, work):
    (work / "scale.py").write_text("def scale(x, factor=2.0):\n    print('here')\n    return x + factor\n")
    code, out, _ = grader("check", "scale", "--dir", work, "--seed", 1)
    assert code == 1
    assert "pair" not in out.replace("repair", "")
    assert "Every entry is multiplied by the factor.  [cpu-float32, cpu-float64]" in out
    assert "the result is off by up to" in out
    assert "input:" in out
    assert "expected" in out
    assert "your code printed:" in out
    assert "Next: edit exercises/scale.py and run `grader check scale` again." in out
    assert "seed 1" in out
    assert "种子 1" in grader("check", "scale", "--dir", work, "--seed", 1, "--lang", "zh")[1]


def test_check_repeats_a_seed(grader, work):
    (work / "scale.py").write_text("def scale(x, factor=2.0): return x + factor\n")
    first, again, other = (grader("check", "scale", "--dir", work, "--seed", s)[1] for s in (1, 1, 2))
    assert first == again != other


@pytest.fixture
def own(toy_copy, grader):
    """`own(...)` checks a learner's own copy of the course, its stubs untouched, without the seed that is printed."""

    def check(*arguments):
        code, out, err = grader("check", *arguments, course=toy_copy)
        return code, [line for line in out.splitlines() if not line.startswith("seed ")], err

    check.exercises = toy_copy / "exercises"
    return check


def test_what_nobody_has_begun_is_not_graded_again(own, monkeypatch):
    asked, grade = [], GradingProcess.grade
    monkeypatch.setattr(
        GradingProcess,
        "grade",
        lambda self, s, f, seed, only=(): (asked.append(list(only)), grade(self, s, f, seed, only))[1],
    )

    def graded(*arguments):
        asked.clear()
        said = own(*arguments)
        return said, sorted(asked)

    first, which = graded()
    assert which == [["pair"], ["scale"]]
    assert graded() == (first, [])
    assert graded("pair")[1] == []
    assert graded("--seed", 1) == (first, [["pair"], ["scale"]])
    shutil.copy(TOY / "solutions" / "scale.py", own.exercises)
    (code, lines, _), which = graded()
    assert (code, which) == (1, [["scale"]])
    assert "4 of 6 points." in lines
    assert graded() == ((code, lines, ""), [["scale"]])  # what was begun is, each time
    (code, chinese, _), which = graded("--lang", "zh")  # which has nothing to do with what is kept
    assert (code, which) == (1, [["scale"]])
    assert "共 6 分，已得 4 分。" in chinese


def test_the_report_is_the_same_from_what_is_kept(own, tmp_path):
    def report(seed):
        return Report.from_json("\n".join(own("--json", *seed)[1]))

    first, again, anew = report(()), report(()), report(("--seed", 1))
    assert again == first
    assert again.fingerprint == anew.fingerprint
    page = own.exercises.parent / "report.html"
    own("--html", page)
    written = page.read_text()
    own("--html", page)
    assert page.read_text() == written


def test_check_in_chinese(grader, work):
    code, out, _ = grader("check", "--dir", work, "--lang", "zh")
    assert code == 1
    assert out.startswith("玩具课程 · cpu: 已运行\n")
    assert "乘以一个因子" in out
    assert "尚未开始" in out
    assert "exercises/pair.py，开始做“一次返回两个结果”" in out


def test_check_as_json(grader, work):
    code, out, _ = grader("check", "--dir", work, "--json")
    report = Report.from_json(out)
    assert code == 1
    assert json.loads(out)["format"] == 1
    assert (report.score, report.max_score) == (4.0, 6.0)
    words = [word.partition("=")[0] for word in report.fingerprint.split()]
    assert words == ["source", "course", "suites", "solutions", "kit", "torch", "options"]
    assert report.environment.kit == kit_version()


def test_check_says_what_is_broken(grader, work):
    (work / "scale.py").write_text("def scale(x factor):\n")
    (work / "pair.py").unlink()
    _, out, _ = grader("check", "--dir", work)
    assert "SyntaxError in scale.py, line 1, column " in out
    assert "pair.py is missing" in out


def test_markup_in_a_reason_is_shown_as_it_is(grader, work):
    (work / "scale.py").write_text("def scale(x, factor=2.0): raise RuntimeError('[bold red]x[/] [/oops]')\n")
    _, out, _ = grader("check", "--dir", work)
    assert "[bold red]x[/] [/oops]" in out


def test_stopping_before_anything_started():
    process = subprocess.Popen(
        [*GRADER, "check", "--course", str(TOY)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )
    assert wait_until(lambda: len(descendants(process.pid)) > 0)
    time.sleep(0.3)
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert b"Traceback" not in err


def test_a_closed_pipe_is_no_traceback(work):
    done = subprocess.run(
        f"{sys.executable} -m grader check scale pair --course {TOY} --dir {work} | true",
        shell=True, capture_output=True, text=True,
    )  # fmt: skip
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr


def test_exercises_spread_over_the_cores_make_one_report(grader, work, monkeypatch):
    """In teaching order, with the points of all."""
    monkeypatch.setattr("grader.cli.check.A_PROCESS", 1)
    found = []
    for cores in (2, 1):
        monkeypatch.setattr("os.cpu_count", lambda: cores)  # noqa: B023 -- called in this turn
        found.append(json.loads(grader("check", "--dir", work, "--json", "--seed", "3")[1]))
        for check in (c for e in found[-1]["exercises"] for c in e["checks"]):
            del check["seconds"]
    assert found[0] == found[1]
    assert [e["id"] for e in found[0]["exercises"]] == ["scale", "pair"]
    assert (found[0]["score"], found[0]["max_score"]) == (4.0, 6.0)
