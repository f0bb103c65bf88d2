"""The class as a table: no formula of a student's choosing, and why a score changed."""

from __future__ import annotations

import csv
import dataclasses
import io

from reports import report_of

from grader.report import Row
from grader.report.summary import often_missing, reasons, table
from grader.texts import plain


def test_the_summary():
    rejected = report_of("=cmd()", status="rejected", reason=plain("=evil is a symbolic link, truly"), score=0.0)
    written = table([Row.of(r) for r in (rejected, report_of("ann"))], ["scale", "pair", "absent"], "en")
    assert list(csv.reader(io.StringIO(written))) == [
        ["student", "status", "score", "max_score", "scale", "pair", "absent", "reason"],
        ["'=cmd()", "rejected", "0.0", "6.0", "1.0", "0.0", "", "'=evil is a symbolic link, truly"],
        ["ann", "graded", "1.0", "6.0", "1.0", "0.0", "", ""],
    ]


def test_why_a_score_changed():
    old, new = (Row.of(report_of("ann", f"source=1 suites={n} torch={n}")) for n in (1, 2))
    assert reasons(old, new) == ["suites", "torch"]
    assert reasons(old, old) == ["seed"]


def test_what_could_not_be_used_stands_first():
    rows = [Row.of(r) for r in (report_of("ann"), report_of("zoe", status="rejected", reason=plain("no zip")))]
    assert [line.split(",")[0] for line in table(rows, ["scale"], "en").splitlines()[1:]] == ["zoe", "ann"]


def test_an_exercise_that_many_did_not_hand_in_is_noticed():
    """A third of the class, and more than one: the instructor may have forgotten `--exercise`, or renamed a file."""
    rows = [Row.of(report_of(f"s{n}")) for n in range(6)]  # none of them handed in `pair`
    there = [dataclasses.replace(row, missing=()) for row in rows]
    assert often_missing(rows) == {"pair": 6}
    assert often_missing([*rows[:2], *there[2:]]) == {"pair": 2}
    assert often_missing([*rows[:1], *there[1:3]]) == {}
    assert often_missing([*rows[:2], *there[2:], *there[:1]]) == {}
