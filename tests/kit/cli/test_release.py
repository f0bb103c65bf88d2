"""`grader release`: what needs no grading starts none, and a course with a file missing is said to be so."""

from __future__ import annotations

import zipfile

import pytest
from support import TOY

from grader.cli import common, main

FORMATS = ("kit", "nbgrader", "github", "classroom50", "gradescope", "qti", "moodle-xml")


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("name", ["exercises/pair.py", "tests/hidden/pair.py", "solutions/pair.py"])
def test_a_file_that_is_missing_is_named(grader, toy_copy, tmp_path, form, name):
    (toy_copy / name).unlink()
    code, _, err = grader("release", "--format", form, "--to", tmp_path / "out", course=toy_copy)
    assert (code, err) == (2, f"grader: {toy_copy / name}: no such file; every exercise needs it\n")
    assert not (tmp_path / "out").exists()


def test_gradescope_s_zip_needs_no_torch(tmp_path, monkeypatch):
    def refuse(*_):
        raise AssertionError("torch was started")

    monkeypatch.setattr(common, "start_fork_server", refuse)
    assert main(["release", "--format", "gradescope", "--to", str(tmp_path), "--course", str(TOY)]) == 0
    names = zipfile.ZipFile(tmp_path / "autograder.zip").namelist()
    assert {f"solutions/{p.name}" for p in (TOY / "solutions").glob("*.py")} <= {*names}
