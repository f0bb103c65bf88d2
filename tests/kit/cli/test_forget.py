"""`grader forget`: nothing about a student is left in a results folder, and everybody else stays as before."""

from __future__ import annotations

import sys

import pytest
from support import solution

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")]

LIST = "student,name,email\nann,Ann Zweig,ann@uni.example\nbob,Bob Ast,bob@uni.example\ncem,Cem Blatt,cem@uni.example\n"


@pytest.fixture
def graded(grader, tmp_path):
    """A class of three with a class list, pages, an override each and a table for the gradebook."""
    folder, results = tmp_path / "class", tmp_path / "results"
    for name in ("ann", "bob"):
        (folder / name).mkdir(parents=True)
        (folder / name / "scale.py").write_text(solution("scale"), encoding="utf-8")
    (tmp_path / "list.csv").write_text(LIST, encoding="utf-8")
    grade = ("grade", folder, "--out", results, "--exercise", "scale", "--roster", tmp_path / "list.csv")
    assert grader(*grade)[0] in (0, 1)
    for name in ("ann", "bob"):
        grader(
            "override", results, "--student", name, "--exercise", "scale", "--points", "1", "--reason", f"why {name}"
        )
    grader("report", results, "--pages")
    (results / "marks.csv").write_text("student,points\nann,1\n", encoding="utf-8")
    return results


def holding(results, *words):
    """The files in which one of these words stands."""
    files = (path for path in results.rglob("*") if path.is_file())
    return {path.name for path in files if any(word.encode() in path.read_bytes() for word in words)}


def test_nothing_is_left_and_others_stay(graded, grader):
    before = holding(graded, "bob", "Bob Ast")
    assert {"ann.json", "ann.html", "record.sqlite", "summary.csv", "index.html"} <= holding(graded, "ann", "Zweig")
    everything = {path: path.read_bytes() for path in graded.rglob("*") if path.is_file()}
    code, out, _ = grader("forget", graded, "--student", "Ann Zweig", "--dry-run")
    assert (code, "would delete" in out, "marks.csv may still name ann" in out) == (0, True, True)
    assert {path: path.read_bytes() for path in graded.rglob("*") if path.is_file()} == everything
    code, out, _ = grader("forget", graded, "--student", "Ann Zweig")
    assert code == 0
    assert holding(graded, "why ann", "Ann Zweig", "ann@uni.example") == set()
    assert holding(graded, "ann,") == {"marks.csv"}
    assert "marks.csv may still name ann" in out
    assert holding(graded, "bob", "Bob Ast") == before
    assert "why bob" in grader("override", graded)[1]
    assert grader("forget", graded, "--student", "cem")[0] == 0  # who handed in nothing
    assert holding(graded, "cem@uni.example") == set()


def test_who_is_not_there(graded, grader):
    everything = {path: path.read_bytes() for path in graded.rglob("*") if path.is_file()}
    for given, said in ((("--student", "dora"), "no report of 'dora'"), ((), "--student names the one to forget")):
        code, _, error = grader("forget", graded, *given)
        assert (code, said in error) == (2, True), error
    assert {path: path.read_bytes() for path in graded.rglob("*") if path.is_file()} == everything
