"""`grader new` writes a course that is sound as it stands, and destroys nothing."""

from __future__ import annotations

import sys

import pytest
from commands import in_a_process
from support import TOY

from grader.authoring import new_course
from grader.cli import main


@pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")
def test_a_new_course_is_sound(tmp_path):
    done = in_a_process("new", "linear_algebra", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert [line[:2] for line in done.stdout.splitlines()[1:]] == ["1.", "2.", "3."]
    done = in_a_process("lint", cwd=tmp_path / "linear_algebra")
    assert (done.returncode, done.stdout, done.stderr) == (0, "2 exercises, 0 problems\n", "")
    done = in_a_process("check", "--dir", "solutions", cwd=tmp_path / "linear_algebra" / "exercises" / "..")
    assert "5 of 5 points." in done.stdout


def test_its_title_is_the_name_of_the_folder(tmp_path):
    new_course.write(tmp_path / 'signals: "one"')
    assert (tmp_path / 'signals: "one"' / "course.yaml").read_text().startswith('title: "Signals: \\"one\\""\n')
    assert (tmp_path / 'signals: "one"' / "README.md").read_text().startswith('# Signals: "one"\n')


def test_what_is_not_installed_is_named_in_a_line(monkeypatch, capsys):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert main(["check", "--course", str(TOY)]) == 3
    said = capsys.readouterr().err
    assert said == "grader: this needs torch, which is not installed: pip install torch\n"


def test_what_is_there_is_left_alone(tmp_path):
    (tmp_path / "notes.txt").touch()
    for folder in (tmp_path, tmp_path / "notes.txt"):
        done = in_a_process("new", folder)
        said = f"grader: {folder}: is there already; name a folder that is empty or not there yet\n"
        assert (done.returncode, done.stdout, done.stderr) == (2, "", said)
    assert [p.name for p in tmp_path.iterdir()] == ["notes.txt"]
