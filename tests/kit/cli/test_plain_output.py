"""Terminals and pipes that cannot show every sign: replaced signs, never a UnicodeEncodeError."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys

import pytest
from support import TOY, solution

from grader.cli.main import main

ENCODINGS = ("ascii", "cp1252", "latin-1", "gb18030")
QUICK = {
    "progress": ["progress", "--all"],
    "hint": ["hint", "pair"],
    "help": ["--help"],
    "help of a command": ["grade", "--help"],
    "an unknown exercise": ["hint", "缩放✔"],
    "no such folder": ["progress", "--dir", "练习✔"],
}


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("command", QUICK)
def test_quick_commands(command, encoding, lang, toy_copy, monkeypatch):
    outs = [io.TextIOWrapper(io.BytesIO(), encoding=encoding) for _ in range(2)]
    monkeypatch.setattr(sys, "stdout", outs[0])
    monkeypatch.setattr(sys, "stderr", outs[1])
    monkeypatch.chdir(toy_copy)
    arguments = QUICK[command] + ([] if "help" in command else ["--lang", lang])
    try:
        code = main(arguments)
    except SystemExit as ended:
        code = ended.code
    for out in outs:
        out.flush()
    out, err = (o.buffer.getvalue().decode(encoding) for o in outs)
    assert code == (2 if command in ("an unknown exercise", "no such folder") else 0)
    assert (out or err).strip()
    if command == "progress" and encoding == "ascii":
        assert "--------------------  0 of 6 points" in out
        assert ("cannot show Chinese" in err) == (lang == "zh")
    if command == "progress" and encoding == "gb18030" and lang == "zh":
        assert "玩具课程" in out


SLOW = {
    "check": (["check"], 1),
    "check as JSON": (["check", "--json", "--lang", "zh"], 1),
    "grade": (["grade", "班级", "--out", "results"], 0),
    "report": (["report", "results"], 0),
    "export": (["export", "results", "--to", "csv", "--out", "scores.csv"], 0),
    "reset": (["reset", "scale"], 0),
    "pack": (["pack"], 0),
}


@pytest.mark.slow
def test_every_command_in_ascii(toy_copy):
    """One after the other in one course: each ends as it does elsewhere, with output that ASCII can show."""
    scale = toy_copy / "exercises" / "scale.py"
    stub = scale.read_bytes()
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "LC_ALL": "C", "PYTHONUTF8": "0", "COLUMNS": "80"}

    def run(*arguments: str) -> tuple[int, bytes, bytes]:
        command = [sys.executable, "-m", "grader.cli", *arguments]
        done = subprocess.run(command, cwd=toy_copy, capture_output=True, env=environment)
        return done.returncode, done.stdout, done.stderr

    run("check")  # keeps the stubs
    scale.write_text(solution("scale").replace("x * factor", "print('→ 中文') or x + factor"), encoding="utf-8")
    shutil.copytree(TOY / "solutions", toy_copy / "班级" / "学生✔")
    for name, (arguments, code) in SLOW.items():
        found, out, err = run(*arguments)
        assert b"Traceback" not in err, f"{name}: {err.decode()}"
        assert found == code, f"{name}: {err.decode()}"
        (out + err).decode("ascii")
        if name == "check as JSON":
            assert json.loads(out)["exercises"][0]["printed"]["text"] == "→ 中文\n"
    assert scale.read_bytes() == stub
