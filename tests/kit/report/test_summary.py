"""The class as a table: no formula of a student's choosing, and why a score changed."""

from __future__ import annotations

import csv
import io

import pytest
from reports import report_of

from grader.report import Row
from grader.report.summary import defused, reasons, table

FORMULAS = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1+1", "\uff1d1+1"]


@pytest.mark.parametrize("cell", FORMULAS)
def test_formulas_are_defused(cell):
    assert defused(cell) == "'" + cell


def test_a_line_break_cannot_make_a_cell_of_its_own():
    assert defused("ann\n=1") == "ann =1"
    assert defused("\n=1") == "' =1"
    assert defused("ann;=1+2\t@x, -1+cmd") == "ann;'=1+2\t'@x, '-1+cmd"
    assert defused("gives [1.0, -2.5e-3, -1]; due (0, -3)") == "gives [1.0, -2.5e-3, -1]; due (0, -3)"


def test_other_cells_stay():
    assert [defused(c) for c in ("ann", "1=1", "")] == ["ann", "1=1", ""]


def test_the_summary():
    rejected = report_of("=cmd()", status="rejected", reason="=evil is a symbolic link, truly", score=0.0)
    written = table([Row.of(r, "en") for r in (rejected, report_of("ann"))], ["scale", "pair", "absent"])
    assert list(csv.reader(io.StringIO(written))) == [
        ["student", "status", "score", "max_score", "scale", "pair", "absent", "reason"],
        ["'=cmd()", "rejected", "0.0", "6.0", "1.0", "0.0", "", "'=evil is a symbolic link, truly"],
        ["ann", "graded", "1.0", "6.0", "1.0", "0.0", "", ""],
    ]


def test_why_a_score_changed():
    old, new = (Row.of(report_of("ann", f"source=1 suites={n} torch={n}"), "en") for n in (1, 2))
    assert reasons(old, new) == ["suites", "torch"]
    assert reasons(old, old) == ["seed"]
