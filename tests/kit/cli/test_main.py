"""All commands together: wrong usage is explained, and exit codes say whose fault it is."""

from __future__ import annotations

import importlib
import json
import pkgutil
import re
import shlex
import subprocess
import sys

import pytest
from commands import GRADER, Borrowed, in_a_process
from support import TOY

from grader import cli
from grader.batch import kit_version
from grader.cli.common import Command
from grader.cli.main import READERS, parser
from grader.errors import MachineError

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")


USAGE = {
    "an unknown exercise": (["check", "scael"], "grader: there is no exercise 'scael'; did you mean 'scale'?"),
    "no such folder": (["check", "--dir", "/nowhere"], "grader: /nowhere: no such folder; --dir names the folder"),
    "no CUDA": (["check", "--device", "cuda"], "grader: --device cuda: no CUDA device here"),
    "an empty class": (["grade", "EMPTY", "--out", "OUT"], "no submissions; it should hold a folder, .zip or .ipynb"),
    "no class": (
        ["grade", "/nowhere", "--out", "OUT"],
        "grader: /nowhere is not there; name a folder with",
    ),
    "an unwritable result": (["grade", "CLASS", "--out", "FILE"], "cannot be written: "),
    "no grading processes": (
        ["grade", "CLASS", "--out", "OUT", "--jobs", "0"],
        "grader: --jobs 0: at least one grading process is needed",
    ),
    "an unknown exercise to grade": (["grade", "CLASS", "--out", "OUT", "--exercise", "x"], "there is no exercise 'x'"),
    "an unknown command": (["chekc"], "grader: there is no command 'chekc'; did you mean `grader check`?"),
    "a command of another name": (["score"], "there is no command 'score'; did you mean `grader progress`?"),
    "help as a command": (["help", "check"], "there is no command 'help'; did you mean `grader --help`?"),
    "a course to begin": (["init", "mine"], "did you mean `grader new`?"),
    "how far one is": (["status"], "did you mean `grader progress`?"),
    "back to the stub": (["undo", "scale"], "did you mean `grader reset`?"),
    "the zip": (["submit"], "did you mean `grader pack`?"),
    "no name is wanted": (["progress", "scale"], "grader: scale is one name too many for `grader progress`; "),
    "nearly a command of another name": (["statsu"], "no command 'statsu'; did you mean `grader progress`?"),
    "an unknown option": (
        ["check", "--sed", "3"],
        "grader: there is no option --sed in `grader check`; did you mean --seed?",
    ),
    "an unknown choice": (
        ["export", "results", "--to", "canvs"],
        "grader export: --to has no 'canvs'; did you mean 'canvas'?",
    ),
    "an option of its own": (
        ["check", "--tempo=3"],
        "no option --tempo in `grader check`; `grader check --help` lists",
    ),
    "one name too many": (["watch", "scale", "--lang", "en", "pair"], "pair is one name too many for `grader watch`"),
    "a command like no other": (["xyz"], "there is no command 'xyz'; `grader --help` lists all"),
    "a folder for an exercise": (["check", "nowhere/"], "'nowhere/' names no exercise; 'scale' is one"),
    "a unit for an exercise": (["hint", "BASICS"], "BASICS holds several exercises; name one of them: scale, pair"),
    "one name is wanted": (["hint", "scale,pair"], "no exercise 'scale,pair'; name one of them"),
    "a misspelt name among several": (["check", "scale,piar"], "no exercise 'piar'; did you mean 'pair'?"),
    "a file elsewhere": (["check", "HERE/scale.py"], "exercises, where your files are looked for; use --dir "),
    "a folder elsewhere": (["check", "HERE"], "exercises, where your files are looked for; use --dir "),
    "a file elsewhere to debug": (["debug", "HERE/scale.py"], "exercises, where your files are looked for; use --dir "),
    "another kind of download": (
        ["grade", "CLASS", "--out", "OUT", "--from", "canvas"],
        "no name in it looks like a download of canvas; --from is guessed where it is left out",
    ),
    "options and no command": (["--lang", "zh"], "there is no command 'zh'; `grader --help` lists all"),
    "an unknown language": (["check", "--lang", "fr"], "invalid choice: 'fr'"),
    "no --out": (["grade", "CLASS"], "required: --out"),
}


@pytest.mark.parametrize("case", USAGE)
def test_a_wrong_command_is_explained(grader, tmp_path, students, case):
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").touch()
    places = {"EMPTY": tmp_path / "empty", "OUT": tmp_path / "out", "FILE": tmp_path / "file", "CLASS": students}
    places |= {"HERE": tmp_path / "mine", "HERE/scale.py": tmp_path / "mine" / "scale.py"}
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "scale.py").touch()
    arguments, message = USAGE[case]
    code, out, err = grader(*(places.get(a, a) for a in arguments))
    assert (code, out) == (2, "")
    assert message in err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    "typed", [("scale", "--seed", "1", "pair"), ("--seed", "1", "scale", "pair"), ("scale", "pair", "--seed", "1")]
)
def test_names_may_stand_around_options(grader, toy_copy, typed):
    code, out, err = grader("check", "--json", *typed, course=toy_copy)
    assert (code, err) == (1, "")
    assert [e["id"] for e in json.loads(out)["exercises"]] == ["scale", "pair"]


@pytest.mark.parametrize(
    "typed",
    [["check", "scale", "--dir", "DIR"], ["--dir", "DIR", "check", "scale"], ["check", "DIR/scale.py", "--dir=DIR"],
     ["--lang", "en", "--dir", "DIR", "check", "DIR/scale.py"], ["check", "--dir", "DIR", "scale,scale"]],
)  # fmt: skip
def test_the_same_command_in_many_orders(grader, typed):
    code, out, err = grader(*(a.replace("DIR", str(TOY / "solutions")) for a in typed))
    assert (code, err) == (0, "")
    assert "scale" in out


def test_every_command_has_a_reader_and_an_example_that_can_be_typed(run_here):
    top = parser()
    modules = [importlib.import_module(f"grader.cli.{m.name}") for m in pkgutil.iter_modules(cli.__path__)]
    made = {v.name for module in modules for v in vars(module).values() if isinstance(v, Command)}
    assert sorted(top.commands) == sorted(made) == sorted(c.name for theirs in READERS.values() for c in theirs)
    for command in top.commands:
        examples = re.findall(r"^  grader (.*)$", run_here(command, "--help", cwd=TOY).stdout, re.MULTILINE)
        assert examples, command
        assert all(top.parse_args(shlex.split(line)) for line in examples)


def test_an_example_names_an_exercise_of_the_course(tmp_path):
    assert "\n  grader reset scale\n" in in_a_process("reset", "--help", cwd=TOY).stdout
    assert "\n  grader reset EXERCISE\n" in in_a_process("reset", "--help", cwd=tmp_path).stdout


def test_no_command():
    done = in_a_process()
    assert done.returncode == 2
    assert done.stderr == "grader: which command? `grader check` checks your work; see `grader --help`\n"


def test_an_exercise_where_a_command_is_due():
    done = in_a_process("exercises/scale.py", cwd=TOY)
    assert (done.returncode, done.stderr) == (
        2,
        "grader: there is no command 'exercises/scale.py'; did you mean `grader check exercises/scale.py`?\n",
    )


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


SHELL = {
    "no input": ("{grader} check scale <&-", 1, "scale"),
    "nowhere to write to": ("{grader} check scale >&- 2>&-", 1, ""),
    "a disk that is full": ("{grader} progress >/dev/full", 3, "grader: [Errno 28] No space left on device\n"),
    "a disk that is full on the way": (
        "{grader} check scale >/dev/full",
        3,
        "grader: [Errno 28] No space left on device\n",
    ),
    "a folder that is gone": (
        "mkdir gone && cd gone && rmdir ../gone && {grader} check",
        2,
        "grader: the folder in which this was started is gone; go to the course's folder\n",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", SHELL)
def test_what_a_shell_may_start_it_with(toy_copy, case):
    line, code, said = SHELL[case]
    line = line.format(grader=shlex.join(GRADER))
    done = subprocess.run(["bash", "-c", line], cwd=toy_copy, capture_output=True, text=True, timeout=60)
    assert done.returncode == code
    assert said in done.stdout or said == done.stderr
    assert "Traceback" not in done.stderr


def test_version(grader):
    done = in_a_process("--version")
    assert done.stdout.strip() == f"numeric-grader {kit_version()}"


def test_no_command_waits_for_what_it_may_not_need():
    heavy = "{'torch', 'numpy', 'scipy', 'pandas', 'jinja2', 'nicegui', 'nbformat'}"
    code = f"import sys, grader.cli.main; print(*{heavy} & sys.modules.keys())"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "\n"
