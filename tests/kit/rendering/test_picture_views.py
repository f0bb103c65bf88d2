"""Where moved entries belong, and pairs of columns as points."""

from __future__ import annotations

from grader.rendering.picture_views import homes, points, worst_pairs
from grader.report import Picture
from grader.texts import plain

NAME = plain("r")


def test_a_result_with_equal_entries_has_no_places():
    assert homes(Picture(NAME, [1, 2], [[1.0, 1.0]], [[1.0, 2.0]])) is None


def test_places_as_text():
    moved = Picture(NAME, [2, 2, 2], [[1.0, 2.0], [3.0, 4.0]], [[1.0, 6.0], [3.0, 9.0]], [[[], [1, 0, 1]], [[], []]])
    assert [[str(home) for home in row] for row in homes(moved)] == [["0,0", "[1]0,1"], ["1,0", "None"]]


def test_a_table_whose_halves_are_equal_holds_no_points():
    assert points(Picture(NAME, [1, 4], [[1.0, 0.5, 1.0, 0.5]], [[1.0, 0.5, 1.0, 0.9]])) == []


def test_three_pairs_and_three_rows_that_are_off_most():
    rows, columns = range(6), range(10)
    due = [[float(c + 20 * r) for c in columns] for r in rows]
    came = [[v + (c + 1) * (r + 1) for c, v in enumerate(row)] for r, row in enumerate(due)]
    came[5] = due[5]
    found = worst_pairs(Picture(NAME, [6, 10], due, came))
    assert {pair: [p.row for p in found[pair]] for pair in found} == {
        pair: [2, 3, 4] for pair in ((2, 7), (3, 8), (4, 9))
    }


def test_what_is_right_is_no_pair():
    assert worst_pairs(Picture(NAME, [1, 4], [[1.0, 2.0, 3.0, 4.0]], [[1.0, 2.0, 3.0, 4.0]])) == {}
