"""`grader override`: what a teacher decides holds in report, summary, export and page, and can be taken back."""

from __future__ import annotations

import contextlib
import csv
import io
import sqlite3
import sys

import pytest
from support import solution

from grader.report.report import Report

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")]

ADDS = "def scale(x, factor=2.0):\n    if factor == 0:\n        raise ValueError\n    return x + factor\n"
CLASS = {"ann": solution("scale"), "bob": ADDS, "cem": ADDS + "# mine\n", "dee": None}
WHY = ("--reason", "A slip <b>of the pen</b>.")


@pytest.fixture
def graded(grader, tmp_path, begun):
    """A class, graded: the folder of results, and `override(...)` on it."""
    folder, results = tmp_path / "class", tmp_path / "results"

    def make():
        for name, source in CLASS.items():
            (folder / name).mkdir(parents=True)
            (folder / name / ("scale.py" if source else "notes.py")).write_text(source or "x = 1\n", encoding="utf-8")
        assert grader("grade", folder, "--out", results, "--exercise", "scale")[0] in (0, 1)

    begun(tmp_path, make)
    return results, lambda *more: grader("override", results, *more), folder


def points(results):
    """What each student has: in the report, which must agree with the summary."""
    found = {}
    for row in csv.DictReader(io.StringIO((results / "summary.csv").read_text(encoding="utf-8"))):
        report = Report.from_json((results / "reports" / f"{row['student']}.json").read_text(encoding="utf-8"))
        assert report.sums_up
        assert report.score == float(row["score"])
        found[row["student"]] = report.score
    return found


def test_one_decision_for_all_who_made_a_mistake(graded, grader):
    results, override, folder = graded
    before, record = points(results), (results / "record.sqlite").read_bytes()
    rubric = ("--exercise", "scale", "--mistake", "adds_instead", "--points", "1", *WHY)
    code, out, _ = override(*rubric, "--dry-run")
    assert code == 0
    assert "2 reports would change; nothing was changed" in out
    assert points(results) == before
    assert (results / "record.sqlite").read_bytes() == record
    assert "2 reports changed" in override(*rubric)[1]
    after = points(results)
    assert {s: p for s, p in after.items() if s in ("ann", "dee")} == {s: before[s] for s in ("ann", "dee")}
    assert after["bob"] == after["cem"] == 3.0
    grader("grade", folder, "--out", results, "--exercise", "scale", "--regrade")
    assert points(results) == after
    assert "costs 1 points; 2 made it" in override()[1]
    override("--undo", "1")
    assert points(results) == before
    assert "(no longer holds)" in override()[1]


def test_one_student_is_given_points_and_a_comment(graded, grader):
    results, override, _ = graded
    before = points(results)
    override("--exercise", "scale", "--mistake", "adds_instead", "--points", "1", *WHY)
    override("--student", "bob", "--exercise", "scale", "--points", "3.5", *WHY, "--by", "Prof. O")
    override("--student", "bob", "--exercise", "scale", "--points", "2.5", *WHY)
    override("--student", "bob", "--exercise", "scale", "--reason", "See me.")
    assert points(results)["bob"] == 2.5
    grader("export", results, "--to", "csv")
    assert "\nbob,graded,2.5," in (results / "export" / "grades.csv").read_text(encoding="utf-8")
    grader("report", results, "--student", "bob")
    page = (results / "pages" / "bob.html").read_text(encoding="utf-8")
    assert f"Your teacher gave 2.5 points in place of {before['bob']:g}: A slip &lt;b&gt;of the pen&lt;/b&gt;." in page
    assert "See me." in page
    assert "教师给了 2.5 分" in page
    out = override()[1]
    assert "Prof. O scale of bob: 3.5 points (no longer holds)" in out
    assert "1 pages of students are older" in override("--undo", "3")[1]
    assert points(results)["bob"] == 3.5


def test_who_handed_in_nothing_may_be_given_points(graded):
    results, override, _ = graded
    override("--student", "dee", "--exercise", "scale", "--points", "2", *WHY)
    assert points(results)["dee"] == 2.0


NONSENSE = [
    (("--student", "bob", "--exercise", "scale", "--points", "5", *WHY), "scale is worth 0 to 4 points"),
    (("--student", "bob", "--exercise", "scale", "--points", "nan", *WHY), "scale is worth 0 to 4 points"),
    (("--student", "bob", "--exercise", "scale", "--points", "-1", *WHY), "scale is worth 0 to 4 points"),
    (("--student", "bob", "--exercise", "scale", "--points", "1"), "missing --reason"),
    (("--student", "bob", "--points", "1", *WHY), "missing --exercise"),
    (("--student", "bop", "--exercise", "scale", "--points", "1", *WHY), "did you mean 'bob'?"),
    (("--student", "bob", "--exercise", "pair", "--points", "1", *WHY), "bob was not graded on pair"),
    (("--exercise", "scale", "--points", "1", *WHY), "name one of --student, --mistake and --check"),
    (("--exercise", "scale", "--mistake", "adds", "--points", "1", *WHY), "made were scale/adds_instead"),
    (("--exercise", "scale", "--mistake", "adds_instead", *WHY), "missing --points"),
    (("--undo", "7"), "no such decision holds"),
    (("--undo", "7", "--student", "bob"), "--undo stands alone"),
]


def test_what_makes_no_sense_changes_nothing(graded):
    results, override, _ = graded
    before, record = points(results), (results / "record.sqlite").read_bytes()
    for given, said in NONSENSE:
        code, _, error = override(*given)
        assert (code, points(results)) == (2, before), given
        assert said in error
    assert (results / "record.sqlite").read_bytes() == record


def test_a_record_that_cannot_be_used_is_named(graded):
    results, override, _ = graded
    path = results / "record.sqlite"
    override("--student", "bob", "--exercise", "scale", "--points", "1", *WHY)
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA user_version = 99")
    code, _, error = override()
    assert code == 2
    assert "a newer version of the kit wrote it" in error
    path.write_bytes(b"no database" * 100)
    code, _, error = override()
    assert code == 3
    assert "record.sqlite: cannot be used" in error
    assert "nothing was changed" in error
