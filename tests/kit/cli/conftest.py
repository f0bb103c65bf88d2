"""A command to run on the toy course, a student's folder, a class."""

from __future__ import annotations

import shutil

import pytest
from commands import Borrowed
from support import TOY, solution

from grader.cli import common, main


@pytest.fixture
def grader(fork_server, monkeypatch, capsys):
    """`grader("check", ...)` runs a command on the toy course: exit code, output, error output."""

    def run(*arguments, course=TOY):
        monkeypatch.setattr(common, "start_fork_server", lambda course=None, confined=True: Borrowed(fork_server))
        try:
            code = main([str(a) for a in (*arguments, "--course", course)])
        except SystemExit as error:  # argparse's way out
            code = error.code
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return run


@pytest.fixture(scope="session")
def begun(tmp_path_factory):
    """`begun(tmp_path, make)` has `make()` fill a test's folder; the tests after it get a copy of what it made."""
    kept = {}

    def begin(folder, make):
        name = make.__module__, make.__qualname__
        if name not in kept:
            make()
            kept[name] = shutil.copytree(folder, tmp_path_factory.mktemp("begun"), dirs_exist_ok=True)
        else:
            shutil.copytree(kept[name], folder, dirs_exist_ok=True)

    return begin


@pytest.fixture
def work(tmp_path):
    """A student's own folder: `scale` is right, `pair` not begun."""
    folder = tmp_path / "exercises"
    shutil.copytree(TOY / "exercises", folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(TOY / "solutions" / "scale.py", folder)
    return folder


@pytest.fixture
def students(tmp_path):
    """Three submissions: one right, one wrong, one that is not a zip."""
    folder = tmp_path / "class"
    for name, text in (("ann", solution("scale")), ("bob", "def scale(x, factor=2.0): return x + factor\n")):
        (folder / name).mkdir(parents=True)
        (folder / name / "scale.py").write_text(text)
        (folder / name / "pair.py").write_text(solution("pair"))
    (folder / "cem.zip").write_bytes(b"no zip")
    return folder
