"""Drawings of small results, and the short numbers in them."""

from __future__ import annotations

import re

import pytest

from grader.rendering.pages import svg
from grader.report.report import Picture
from grader.texts import plain


def test_a_pattern_has_no_difference():
    masks = Picture(plain("the result"), [2, 2], [[1, 0], [1, 1]], [[1, 1], [1, 1]])
    assert [name for name, _ in svg.matrices(masks)] == ["expected", "actual"]
    assert str(dict(svg.matrices(masks))["expected"]).count('class="on"') == 3


def test_the_same_infinity_is_no_difference():
    picture = Picture(plain("r"), [1, 2], [["-inf", "nan"]], [["-inf", "nan"]])
    assert svg.differences(picture) == [[0.0, 0.0]]


def test_places_say_where_moved_entries_belong():
    moved = Picture(plain("r"), [2, 2], [[1.0, 2.0], [3.0, 4.0]], [[1.0, 3.0], [9.0, 4.0]])
    drawing = str(svg.places(moved))
    assert re.findall(r">([\d,·]+)<", drawing) == ["0,0", "1,0", "·", "1,1"]
    assert svg.places(Picture(plain("r"), [1, 2], [[1.0, 1.0]], [[1.0, 2.0]])) is None


def test_places_name_another_matrix_above_row_and_column():
    homes = [[[], [1, 0, 1]], [[], []]]
    moved = Picture(plain("r"), [2, 2, 2], [[1.0, 2.0], [3.0, 4.0]], [[1.0, 6.0], [9.0, 4.0]], homes)
    drawing = str(svg.places(moved))
    assert re.findall(r">([\[\]\d,·]+)<", drawing) == ["0,0", "0,1", "[1]", "·", "1,1"]


def test_pairs_that_are_off_are_points_with_arcs_and_labels():
    turned = Picture(plain("r"), [1, 4], [[1.0, 0.5, 0.0, 0.5]], [[1.0, 0.5, 0.0, -0.5]])
    drawing = str(svg.pairs(turned))
    assert drawing.count('<circle class="due"') == drawing.count('<circle class="bad"') == 1
    assert drawing.count('class="turn"') == 1
    assert re.findall(r">([\d, ]+)</text>", drawing) == ["0", "0", "1, 3"]  # the row at both points, then the columns
    assert svg.pairs(Picture(plain("r"), [1, 3], [[1, 2, 3]], [[1, 2, 4]])) is None
    assert svg.pairs(Picture(plain("r"), [1, 2], [["nan", 1.0]], [[1.0, 1.0]])) is None


def test_an_arc_goes_the_short_way():
    up, down = (Picture(plain("r"), [1, 2], [[1.0, 0.0]], [[0.0, y]]) for y in (1.0, -1.0))
    sweeps = [re.findall(r'class="turn" d="M\S+ \S+A\S+ \S+ 0 0 (\d)', str(svg.pairs(p))) for p in (up, down)]
    assert sweeps == [["0"], ["1"]]


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0, "0"), (-0.0, "0"), (1.0, "1"), (-3.0, "-3"), (0.5, ".50"), (-0.25, "-.25"), (0.999, "1.00"),
     (12.345, "12.3"), (123.4, "123"),
     (1e9, "1e9"), (1e-5, "1e-5"), ("nan", "nan"), ("inf", "∞"), ("-inf", "-∞"), (True, "1")],
)  # fmt: skip
def test_numbers_are_short(value, text):
    assert svg.number(value) == text
