"""Terminals and pipes that cannot show every sign: replaced signs, never a UnicodeEncodeError."""

from __future__ import annotations

import argparse
import io
import json
import sys

import pytest
from commands import Borrowed
from quiz import HALF, PAPER
from spread import ENTRY, RIGHT, SPREAD
from support import solution

from grader.cli import common
from grader.cli.main import main, parser

ENCODINGS = ("ascii", "cp1252", "latin-1", "gb18030")
QUICK = {
    "progress": ["progress", "--all"],
    "hint": ["hint", "pair"],
    "help": ["--help"],
    "help of a command": ["grade", "--help"],
    "an unknown exercise": ["hint", "缩放✔"],
    "no such folder": ["progress", "--dir", "练习✔"],
}


def ran(arguments, encoding, monkeypatch) -> tuple[int, str, str]:
    """Exit code, output and error output of a command whose terminal has this encoding."""
    outs = [io.TextIOWrapper(io.BytesIO(), encoding=encoding) for _ in range(2)]
    monkeypatch.setattr(sys, "stdout", outs[0])
    monkeypatch.setattr(sys, "stderr", outs[1])
    try:
        code = main(arguments)
    except SystemExit as ended:
        code = int(ended.code or 0)
    for out in outs:
        out.flush()
    shown, said = (out.buffer.getvalue().decode(encoding) for out in outs)
    return code, shown, said


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("command", QUICK)
def test_quick_commands(command, encoding, lang, toy_copy, monkeypatch):
    monkeypatch.chdir(toy_copy)
    arguments = QUICK[command] + ([] if "help" in command else ["--lang", lang])
    code, out, err = ran(arguments, encoding, monkeypatch)
    assert code == (2 if command in ("an unknown exercise", "no such folder") else 0)
    assert (out or err).strip()
    if command == "progress" and encoding == "ascii":
        assert "--------------------  0 of 6 points" in out
        assert ("cannot show Chinese" in err) == (lang == "zh")
    if command == "progress" and encoding == "gb18030" and lang == "zh":
        assert "玩具课程" in out


QUIZ = "      - {id: quiz, title: Questions, points: 12, kind: questions}\n"
LESSON = "## Scaling ×\n\nIt → is “so” · $x_i$.\n"
ASKED = {
    "check": (["check", "scale", "--html"], 1),
    "check as JSON": (["check", "--json", "--lang", "zh"], 1),
    "progress": (["progress"], 0),
    "list": (["list"], 0),
    "next": (["next"], 0),
    "hint": (["hint", "scale"], 0),
    "debug": (["debug", "scale"], 0),
    "lesson": (["lesson", "basics"], 0),
    "book": (["book", "--to", "书"], 0),
    "answers": (["answers", "quiz", "--reveal"], 0),
    "translate": (["translate", "--lang", "zh"], 0),
    "translate back": (["translate", "--lang", "en"], 0),
    "pack": (["pack"], 0),
    "release": (["release", "--format", "kit", "--to", "发布✔"], 0),
    "release for a quiz": (["release", "--format", "qti", "--to", "测验✔"], 0),
    "grade": (["grade", "班级", "--out", "results"], 0),
    "essays": (["essays", "results"], 0),
    "viva of a class": (["viva", "results", "--to", "口试"], 0),
    "viva of a learner": (["viva", "spread"], 1),
    "override": (["override", "results", "--student", "学生✔", "--exercise", "scale", "--reason", "因为 ✔"], 0),
    "what was decided": (["override", "results"], 0),
    "report": (["report", "results"], 0),
    "export": (["export", "results", "--to", "csv", "--out", "scores.csv"], 1),
    "forget": (["forget", "results", "--student", "学生✔", "--dry-run"], 0),
    "new": (["new", "新课✔"], 0),
    "docs": (["docs", "reports"], 0),
    "lint": (["lint"], 1),
    "doctor": (["doctor"], 0),
    "reset": (["reset", "scale"], 0),
}
HEAVY = {
    "check as JSON",
    "debug",
    "answers",
    "translate",
    "translate back",
    "release for a quiz",
    "viva of a class",
    "viva of a learner",
    "lint",
}  # in ASCII only
ELSEWHERE = {"watch", "study", "start", "desk", "generate"}  # see tests/kit/learner, study, desk, test_wheel.py


def test_every_command_is_there():
    (listed,) = (action.choices for action in parser()._actions if isinstance(action, argparse._SubParsersAction))
    assert {arguments[0] for arguments, _ in ASKED.values()} == {*listed} - ELSEWHERE


PRINTS = solution("scale").replace("x * factor", "print('→ 中文') or x + factor")


@pytest.fixture
def course(toy_copy):
    """The toy course with questions, an exercise that a viva can ask about, a lesson, and work that prints signs."""
    settings = toy_copy / "course.yaml"
    settings.write_text(settings.read_text(encoding="utf-8") + ENTRY + QUIZ, encoding="utf-8")
    for name, text in {
        "solutions/half.py": HALF, "tests/hidden/quiz.py": PAPER,
        "solutions/answers.yaml": "", "exercises/answers.yaml": "",
        "solutions/spread.py": RIGHT, "tests/hidden/spread.py": SPREAD, "exercises/spread.py": RIGHT,
        "lessons/basics.py": "def blocks(course):\n    return {}\n", "lessons/basics.en.md": LESSON,
        "lessons/basics.zh.md": LESSON.replace("Scaling", "缩放"),
        "班级/学生✔/scale.py": PRINTS, "班级/学生✔/spread.py": RIGHT,
        "班级/学生✔/answers.yaml": "quiz:\n  essay: 因为 ✔\n",
    }.items():  # fmt: skip
        (toy_copy / name).parent.mkdir(parents=True, exist_ok=True)
        (toy_copy / name).write_text(text, encoding="utf-8")
    return toy_copy


@pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")
@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "latin-1"])
def test_every_command(encoding, course, fork_server, monkeypatch, capfd):
    """One after the other in one course: each ends as it does elsewhere, with output that the encoding can show."""
    monkeypatch.setattr(common, "start_fork_server", lambda course=None, confined=True: Borrowed(fork_server))
    monkeypatch.setenv("PYTHONIOENCODING", encoding)  # for what `debug` starts
    monkeypatch.chdir(course)
    stub = (course / "exercises/scale.py").read_bytes()
    ran(["check", "scale"], encoding, monkeypatch)  # keeps the stub
    (course / "exercises/scale.py").write_text(PRINTS, encoding="utf-8")
    for name, (arguments, expected) in ASKED.items():
        if encoding != "ascii" and name in HEAVY:
            continue
        monkeypatch.setattr(sys, "stdin", io.StringIO())
        code, out, err = ran(arguments, encoding, monkeypatch)
        started = capfd.readouterr()
        assert code == expected, f"{name}: {out} {err}"
        assert "Traceback" not in out + err + started.out + started.err, name
        assert (out + err).strip(), name
        if name == "check as JSON":
            assert json.loads(out)["exercises"][0]["printed"]["text"] == "→ 中文\n"
    assert (course / "exercises/scale.py").read_bytes() == stub
