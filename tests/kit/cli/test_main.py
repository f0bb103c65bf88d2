"""The commands as a user meets them: what they print, and their exit codes."""

# ruff: noqa: E501 -- a table with one mistake a line

from __future__ import annotations

import contextlib
import csv
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from support import TOY, alive, descendants, solution, wait_until

from grader.batch import ForkServer, GradingPool, kit_version
from grader.cli import common, main
from grader.errors import MachineError
from grader.report.report import Report
from grader.sandbox.confinement import layers

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")

GRADER = [sys.executable, "-m", "grader.cli"]


class Borrowed:
    """The session's fork server, for commands run inside this process; closing ends only its own grading processes."""

    def __init__(self, fork_server: ForkServer) -> None:
        self._fork_server = fork_server
        self._processes = contextlib.ExitStack()

    def grading_process(self, *arguments, **options):
        opened = self._fork_server.grading_process(*arguments, **options)
        return self._processes.enter_context(contextlib.closing(opened))

    def close(self):
        self._processes.close()


@pytest.fixture
def grader(fork_server, monkeypatch, capsys):
    """`grader("check", ...)` runs a command on the toy course: exit code, output, error output."""

    def run(*arguments, course=TOY):
        monkeypatch.setattr(common, "start_fork_server", lambda confined=True: Borrowed(fork_server))
        try:
            code = main([str(a) for a in (*arguments, "--course", course)])
        except SystemExit as error:  # argparse's way out
            code = error.code
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return run


def in_a_process(*arguments, **options) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "LC_ALL": "C.UTF-8"}
    return subprocess.run([*GRADER, *map(str, arguments)], capture_output=True, text=True, env=environment, **options)


@pytest.fixture
def work(tmp_path):
    """A student's own folder: `scale` is right, `pair` not begun."""
    folder = tmp_path / "exercises"
    shutil.copytree(TOY / "exercises", folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(TOY / "solutions" / "scale.py", folder)
    return folder


@pytest.fixture
def students(tmp_path):
    """Three submissions: one right, one wrong, one that is no zip."""
    folder = tmp_path / "class"
    for name, text in (("ann", solution("scale")), ("bob", "def scale(x, factor=2.0): return x + factor\n")):
        (folder / name).mkdir(parents=True)
        (folder / name / "scale.py").write_text(text)
        (folder / name / "pair.py").write_text(solution("pair"))
    (folder / "cem.zip").write_bytes(b"no zip")
    return folder


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


def test_check_repeats_a_seed(grader, work):
    (work / "scale.py").write_text("def scale(x, factor=2.0): return x + factor\n")
    first, again, other = (grader("check", "scale", "--dir", work, "--seed", s)[1] for s in (1, 1, 2))
    assert first == again != other


def test_check_in_chinese(grader, work):
    code, out, _ = grader("check", "--dir", work, "--lang", "zh")
    assert code == 1
    assert out.startswith("玩具课程 · cpu: ran\n")
    assert "乘以一个因子" in out
    assert "尚未开始" in out
    assert "exercises/pair.py，开始做「一次返回两个结果」" in out


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


USAGE = {
    "an unknown exercise": (["check", "scael"], "grader: there is no exercise 'scael'; did you mean 'scale'?"),
    "no such folder": (["check", "--dir", "/nowhere"], "grader: /nowhere: no such folder; --dir names the folder"),
    "no CUDA": (["check", "--device", "cuda"], "grader: --device cuda: no CUDA device here"),
    "an empty class": (["grade", "EMPTY", "--out", "OUT"], "no submissions; it should hold a folder, .zip or .ipynb"),
    "no class": (["grade", "/nowhere", "--out", "OUT"], "grader: /nowhere: cannot be listed: No such file"),
    "an unwritable result": (["grade", "CLASS", "--out", "FILE"], "cannot be written: "),
    "no grading processes": (
        ["grade", "CLASS", "--out", "OUT", "--jobs", "0"],
        "grader: --jobs 0: at least one grading process is needed",
    ),
    "an unknown exercise to grade": (["grade", "CLASS", "--out", "OUT", "--exercise", "x"], "there is no exercise 'x'"),
    "an unknown command": (["chekc"], "invalid choice: 'chekc'"),
    "an unknown language": (["check", "--lang", "fr"], "invalid choice: 'fr'"),
    "no --out": (["grade", "CLASS"], "required: --out"),
}


@pytest.mark.parametrize("case", USAGE)
def test_a_wrong_command_is_explained(grader, tmp_path, students, case):
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").touch()
    places = {"EMPTY": tmp_path / "empty", "OUT": tmp_path / "out", "FILE": tmp_path / "file", "CLASS": students}
    arguments, message = USAGE[case]
    code, out, err = grader(*(places.get(a, a) for a in arguments))
    assert (code, out) == (2, "")
    assert message in err
    assert "Traceback" not in err


def test_no_command():
    done = in_a_process()
    assert done.returncode == 2
    assert "required: COMMAND" in done.stderr


def test_no_course(grader, tmp_path):
    code, _, err = grader("check", course=tmp_path)
    assert code == 2
    assert err.startswith("grader: no course.yaml in ")


def test_a_broken_course(grader, toy_copy):
    (toy_copy / "course.yaml").write_text("titel: x\n")
    code, _, err = grader("check", course=toy_copy)
    assert (code, err) == (2, "grader: course.yaml:1: unknown key 'titel' in the course; did you mean 'title'?\n")


def test_a_machine_fault_has_its_own_code(grader, monkeypatch):
    def fail(*_, **__):
        raise MachineError("the disk is full")

    monkeypatch.setattr(Borrowed, "grading_process", fail)
    code, _, err = grader("check")
    assert (code, err) == (3, "grader: the disk is full\n")


def test_grade_as_an_instructor_runs_it(students, tmp_path):
    results = tmp_path / "results"
    done = in_a_process("grade", students, "--out", results, "--jobs", 2, cwd=TOY)
    assert done.returncode == 0, done.stderr
    assert "3 graded, 0 not; seed " in done.stdout
    assert "isolation: landlock, seccomp" in done.stdout or "isolation: " in done.stdout
    assert sorted(p.name for p in (results / "reports").iterdir()) == ["ann.json", "bob.json", "cem.json"]
    ann, bob, cem = (Report.from_json((results / "reports" / f"{s}.json").read_text()) for s in ("ann", "bob", "cem"))
    assert (ann.status, ann.score) == ("graded", 6.0)
    assert (bob.status, bob.score) == ("graded", 3.0)
    assert (cem.status, cem.score, cem.reason) == ("rejected", 0.0, "cem.zip is no readable zip file (BadZipFile)")
    with open(results / "summary.csv", newline="") as file:
        rows = {row["student"]: row for row in csv.DictReader(file)}
    assert rows["bob"]["scale"] == "1.0"
    assert rows["cem"]["status"] == "rejected"


def test_grade_again_grades_nothing_twice(grader, students, tmp_path):
    grader("grade", students, "--out", tmp_path / "out")
    report = tmp_path / "out" / "reports" / "ann.json"
    written = report.stat().st_mtime_ns
    code, out, _ = grader("grade", students, "--out", tmp_path / "out")
    assert code == 0
    assert "3 graded, 0 not" in out
    assert report.stat().st_mtime_ns == written
    (students / "ann" / "scale.py").write_text("# nothing\n")
    grader("grade", students, "--out", tmp_path / "out")
    assert Report.from_json(report.read_text()).score == 2.0


def test_grade_one_exercise(grader, students, tmp_path):
    code, _, _ = grader("grade", students, "--out", tmp_path / "out", "--exercise", "pair")
    report = Report.from_json((tmp_path / "out" / "reports" / "bob.json").read_text())
    assert code == 0
    assert [(e.id, e.score) for e in report.exercises] == [("pair", 2.0)]


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
    assert "2 graded, 1 not" in out
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
    assert code == 0
    assert "isolation: rlimits" in out


def test_stopping_keeps_what_was_graded(tmp_path):
    """Ctrl-C in the middle of a class: 130, the reports so far are whole, no process stays."""
    for n in range(40):
        folder = tmp_path / "class" / f"s{n:02}"
        folder.mkdir(parents=True)
        (folder / "scale.py").write_text("import time; time.sleep(0.3)\n" + solution("scale"))
    reports = tmp_path / "out" / "reports"
    process = subprocess.Popen(
        [*GRADER, "grade", str(tmp_path / "class"), "--out", str(tmp_path / "out"), "--jobs", "2", "--course", str(TOY)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    assert wait_until(lambda: len(list(reports.glob("s*.json"))) >= 2, 30)
    below = descendants(process.pid)
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "grader: stopped; what was graded is kept" in err
    assert "Traceback" not in err
    done = sorted(reports.iterdir())
    assert 2 <= len(done) < 40
    assert all(Report.from_json(path.read_text()).score == 4.0 for path in done)
    assert (tmp_path / "out" / "summary.csv").exists()
    assert wait_until(lambda: not any(map(alive, below)))


def test_stopping_before_anything_started():
    process = subprocess.Popen(
        [*GRADER, "check", "--course", str(TOY)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )
    assert wait_until(lambda: len(descendants(process.pid)) > 0, 20)
    time.sleep(0.3)
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert b"Traceback" not in err


def test_a_closed_pipe_is_no_traceback(work):
    done = subprocess.run(
        f"{sys.executable} -m grader.cli check scale pair --course {TOY} --dir {work} | true",
        shell=True, capture_output=True, text=True,
    )  # fmt: skip
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr


def test_lint_of_a_sound_course(grader):
    assert grader("lint") == (0, "2 exercises, 0 problems\n", "")


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


BROKEN = {
    "a stub with another signature": (
        "exercises/scale.py", "factor: float = 2.0", "factor: float = 3.0",
        "exercises/scale.py:9: scale has another signature than the solution",
    ),
    "a stub without Chinese": (
        "exercises/scale.py", "把张量乘以一个因子。", "",
        "exercises/scale.py:1: the docstring needs an English and a Chinese paragraph",
    ),
    "a function without English": (
        "exercises/scale.py", "Every entry of x times factor; ValueError if factor is 0.", "",
        "exercises/scale.py:9: scale's docstring needs an English and a Chinese paragraph",
    ),
    "a stub that is no Python": ("exercises/pair.py", "import torch", "import", "exercises/pair.py: "),
    "a stub without the function": (
        "exercises/pair.py", "def pair", "def other", "exercises/pair.py: does not define pair, which course.yaml lists",
    ),
    "a solution without the function": (
        "solutions/pair.py", "def pair", "def other", "solutions/pair.py: does not define pair, which course.yaml lists",
    ),
    "a solution that is wrong": ("solutions/scale.py", "x * factor", "x * factor.real()", "hidden/scale.py::test_values"),
    "a solution that borrows": (
        "solutions/scale.py", "return x * factor", "return torch.lerp(x * 0, x, factor)",
        "solutions/scale.py: 0 of 4 at seed ",
    ),
    "a stub that scores": ("exercises/pair.py", "raise NotImplementedError", "return x + 1, x * 2", "exercises/pair.py: the stub scores 2"),
    "points that do not add up": (
        "course.yaml", "points: 4", "points: 5", "tests/hidden/scale.py: its checks sum to 4 points, not 5",
    ),
    "a check without a title": (
        "tests/hidden/pair.py", "两个结果是 x + 1 与 x * 2。", "", "tests/hidden/pair.py: test_values[cpu] needs a docstring in English and Chinese",
    ),
    "a misconception without a text": (
        "tests/hidden/pair.py", "The two results are in the wrong order.", "", "tests/hidden/pair.py: swapped needs a docstring in English and Chinese",
    ),
    "a suite that cannot be imported": ("tests/hidden/pair.py", "from grader", "from graader", "a hidden suite cannot be imported: "),
}  # fmt: skip


@pytest.mark.parametrize("case", BROKEN)
def test_lint_finds(grader, toy_copy, case):
    file, old, new, message = BROKEN[case]
    edit(toy_copy / file, old, new)
    code, out, err = grader("lint", course=toy_copy)
    assert (code, err) == (1, "")
    assert [line for line in out.splitlines() if message in line]
    assert "2 exercises, 0 problems" not in out


@pytest.mark.parametrize("folder", ["exercises", "solutions", "tests/hidden"])
def test_lint_finds_a_missing_file(grader, toy_copy, folder):
    (toy_copy / folder / "pair.py").unlink()
    code, out, _ = grader("lint", course=toy_copy)
    assert code == 1
    assert f"{folder}/pair.py: missing; course.yaml has an exercise 'pair'" in out


@pytest.mark.parametrize("folder", ["exercises", "solutions", "tests/hidden"])
def test_lint_finds_a_stray_file(grader, toy_copy, folder):
    (toy_copy / folder / "pear.py").touch()
    code, out, _ = grader("lint", course=toy_copy)
    assert code == 1
    assert f"{folder}/pear.py: belongs to no exercise of course.yaml" in out


def test_a_third_exercise_needs_no_change_of_the_engine(grader, toy_copy):
    """Three files of one name and one entry in course.yaml."""
    with open(toy_copy / "course.yaml", "a", encoding="utf-8") as file:
        file.write(
            "      - id: negate\n        title: {en: Negate, zh: 取负}\n        points: 1\n"
            "        functions: [negate]\n        after: [pair]\n"
        )
    stub = '"""Negate.\n\n取负。\n"""\n\n\ndef negate(x):\n    """-x.\n\n    负 x。\n    """\n    raise NotImplementedError\n'
    (toy_copy / "exercises" / "negate.py").write_text(stub, encoding="utf-8")
    (toy_copy / "solutions" / "negate.py").write_text("def negate(x):\n    return -x\n")
    (toy_copy / "tests" / "hidden" / "negate.py").write_text(
        "from grader.suites import points\n\n\n@points(1)\ndef test_sign(matches_reference, make):\n"
        '    """Signs change.\n\n    符号改变。\n    """\n    matches_reference.negate(make.normal(3))\n',
        encoding="utf-8",
    )
    assert grader("lint", course=toy_copy) == (0, "3 exercises, 0 problems\n", "")
    (toy_copy / "exercises" / "negate.py").write_text("negate = abs\n")
    code, out, _ = grader("check", "negate", course=toy_copy)
    assert code == 1
    assert "Signs change." in out
    code, out, _ = grader("check", "--dir", toy_copy / "solutions", course=toy_copy)
    assert code == 0
    assert "7 of 7 points." in out


def test_doctor():
    done = in_a_process("doctor")
    names = [line.split()[1] for line in done.stdout.splitlines() if line.startswith(("✔", "✘"))]
    assert names == ["landlock", "seccomp", "rlimits", "namespaces"]
    safe = "can run strangers' code here" in done.stdout
    assert done.returncode == (0 if safe else 3)
    assert safe or "will refuse to run here" in done.stdout


def test_doctor_says_what_to_do(grader, monkeypatch):
    layer = layers.Layer("landlock", False, "not in this kernel", "use Linux 5.13")
    monkeypatch.setattr(layers, "survey", lambda: (layer,))
    code, out, _ = grader("doctor")
    assert code == 3
    assert "✘ landlock     not in this kernel" in out
    assert "use Linux 5.13" in out
    assert "`grader grade` will refuse to run here." in out


def test_version(grader):
    done = in_a_process("--version")
    assert done.stdout.strip() == f"attention-kit {kit_version()}"


@pytest.mark.parametrize(
    ("locale", "language"),
    [({"LANG": "zh_CN.UTF-8"}, "zh"), ({"LANG": "de_DE.UTF-8"}, "en"), ({"LANG": "zh_CN", "LC_ALL": "C"}, "en")],
)
def test_the_language_follows_the_locale(monkeypatch, locale, language):
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in locale.items():
        monkeypatch.setenv(name, value)
    assert common.default_language() == language


def test_what_a_student_is_called_reaches_no_terminal(grader, tmp_path):
    folder = tmp_path / "class" / "a\x1b[31mb"
    folder.mkdir(parents=True)
    (folder / "scale.py").write_text(solution("scale"))
    code, out, _ = grader("grade", tmp_path / "class", "--out", tmp_path / "out")
    assert code == 0
    assert "\x1b" not in out
    (report,) = (tmp_path / "out" / "reports").iterdir()
    assert report.name.startswith("id-")
