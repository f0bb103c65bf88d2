"""`grader docs` shows the pages: listed, one of them on a terminal or in a pipe, the nearest to a misspelt name."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest
from commands import in_a_process
from support import ROOT

from grader.cli import main

PAGES = sorted((ROOT / "docs").glob("*.md"))


def test_it_lists_the_pages(tmp_path):
    done = in_a_process("docs", cwd=tmp_path)
    rows = dict(line.split(maxsplit=1) for line in done.stdout.splitlines())
    assert rows == {p.stem: p.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ") for p in PAGES}
    assert rows["authors"] == "For authors"


@pytest.mark.parametrize("named", ["tolerances", "tolerances.md", "docs/tolerances.md", "tolerances.md#in-a-line"])
def test_a_page_is_named_as_pages_link_to_it(named, capsys):
    assert main(["docs", named]) == 0
    shown = capsys.readouterr().out
    assert "Tolerances" in shown.splitlines()[0]
    assert "](" not in shown
    assert max(map(len, shown.splitlines())) <= 120


def test_every_page_can_be_shown(capsys):
    for path in PAGES:
        assert main(["docs", path.stem]) == 0
        assert capsys.readouterr().out.strip()


def test_names_that_suites_import_are_described(capsys):
    assert main(["docs", "suite-kit"]) == 0
    shown = capsys.readouterr().out
    assert "::: " not in shown
    assert "points(value: float)" in shown
    assert "normal(self, *shape: int, scale: float=1.0)" in shown


def test_a_misspelt_page_gets_the_nearest(capsys):
    assert main(["docs", "writing-an-exersise"]) == 2
    said = "grader: there is no page 'writing-an-exersise'; did you mean 'writing-an-exercise'?\n"
    assert capsys.readouterr() == ("", said)


@pytest.mark.skipif(sys.platform == "win32", reason="a pseudo-terminal")
@pytest.mark.slow
def test_on_a_terminal_it_goes_through_the_pager(tmp_path):
    from terminal import Terminal

    pager = tmp_path / "pager"
    pager.write_text("#!/bin/sh\ncat > paged\n")
    pager.chmod(0o755)
    shown = Terminal(tmp_path, "docs", "viva", PAGER=str(pager))
    try:
        assert shown.process.wait(60) == 0
    finally:
        shown.process.kill()
    paged = (tmp_path / "paged").read_text(encoding="utf-8")
    assert "Questions about a student's own code" in paged
    assert "\x1b" not in paged


def test_a_students_copy_says_where_the_pages_are(tmp_path):
    shutil.copytree(ROOT / "grader", tmp_path / "grader", ignore=shutil.ignore_patterns("__pycache__"))
    done = subprocess.run(
        [sys.executable, "-m", "grader", "docs"], cwd=tmp_path, capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
    )  # fmt: skip
    said = "grader: the pages are not in this copy of the grader; `pip install numeric-grader` brings them\n"
    assert (done.returncode, done.stdout, done.stderr) == (3, "", said)
