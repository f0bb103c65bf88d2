"""No text in a table is a formula, and what is taken back out of it is what was written."""

from __future__ import annotations

import csv
import io
import random
import time

import pytest

from grader.report import as_csv
from grader.report.spreadsheets import defused, guarded, unguarded

FORMULAS = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1+1", "\uff1d1+1"]
CODE = [
    "scores.masked_fill(~mask, -math.inf)", "- x = torch.where(m, -x, +y) | + x = f(a, '-math.inf')", "'quoted' words",
    "x.split(',=')", "a, '=b", "a, ''=b", "''=x", "' x", "'t Hart", "\t'=1", "-", "'-", ";=1", "a;\n=b", " '", "'", "",
    "line one\n=HYPERLINK(1)\n\n- a point\n-3\n", "~mask", "[1.0, -2.5e-3, -1]; due (0, -3)", "a , @b", ",,+c,",
]  # fmt: skip


@pytest.mark.parametrize("cell", FORMULAS)
def test_formulas_are_defused(cell):
    assert defused(cell) == "'" + cell


def test_a_line_break_cannot_make_a_cell_of_its_own():
    assert defused("ann\n=1") == "ann =1"
    assert defused("\n=1") == "' =1"
    assert defused("ann;=1+2\t@x, -1+cmd") == "ann;'=1+2\t'@x, '-1+cmd"
    assert defused("gives [1.0, -2.5e-3, -1]; due (0, -3)") == "gives [1.0, -2.5e-3, -1]; due (0, -3)"
    assert guarded("it is\n=HYPERLINK(1)") == "it is\n'=HYPERLINK(1)"
    assert defused(";=1") == ";'=1"


def test_other_cells_stay():
    assert [defused(c) for c in ("ann", "1=1", "", "-", "~mask")] == ["ann", "1=1", "", "-", "~mask"]


@pytest.mark.parametrize("cell", [*FORMULAS, *CODE])
def test_what_is_taken_back_is_what_was_written(cell):
    assert unguarded(guarded(cell)) == cell


def test_any_text_comes_back_and_begins_no_cell_with_a_formula():
    made = random.Random(0)
    for _ in range(20_000):
        cell = "".join(made.choices("=+-@'; ,\n\t1a)", k=made.randint(0, 9)))
        safe = guarded(cell)
        assert unguarded(safe) == cell
        for separator in ";,\n":
            for part in safe.split(separator)[1:]:
                assert part.strip()[:1] not in ("=", "@"), (cell, safe)


@pytest.mark.parametrize("run", ["\t", "\n", "', ", ",'", " ", "'", "-1", "e-"])
def test_a_long_text_takes_no_longer_than_it_is_long(run):
    begun = time.process_time()
    guarded(run * 100_000 + "x")
    assert time.process_time() - begun < 2


def test_a_table_is_csv():
    assert list(csv.reader(io.StringIO(as_csv([["a", 1.0], ['b, "c"', ""]])))) == [["a", "1.0"], ['b, "c"', ""]]
