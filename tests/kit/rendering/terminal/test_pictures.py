"""Small matrices in colours and in plain signs: what is wrong is seen at a glance, in any width."""

from __future__ import annotations

import random

import pytest
from screens import WEIGHTS

from grader.rendering.terminal import pictures
from grader.rendering.terminal.pictures import side_by_side
from grader.report.report import Picture
from grader.texts import Text

NAME = Text("r")
HEADINGS = ("expected", "got")


def plain(picture: Picture, width: int = 100) -> list[str]:
    return [line.plain for line in side_by_side(picture, HEADINGS, width, coloured=False)]


def test_a_plain_heat_map_shades_and_marks():
    assert plain(WEIGHTS) == [
        "expected             got",
        "█1.00 ·0.00 ·0.00    █1.00 ·0.00 ·0.00 ",
        "▒0.50 ▒0.50 ·0.00    ▒0.30*▓0.70*·0.00 ",
        "░0.20 ▒0.30 ▒0.50    ░0.20 ▒0.30 ▒0.50 ",
    ]


def test_a_narrow_terminal_has_one_below_the_other():
    lines = plain(WEIGHTS, width=30)
    assert lines[0].strip() == "expected"
    assert lines[4].strip() == "got"
    assert lines[6] == "▒0.30*▓0.70*·0.00 "


def test_a_wide_matrix_has_shades_only():
    rows = [[random.Random(i).random() for i in range(12)] for _ in range(12)]
    lines = plain(Picture(NAME, [12, 12], rows, rows), width=60)
    assert len(lines) == 13
    assert all(set(line) <= set(pictures.SHADES + " ") for line in lines[1:])
    assert max(map(len, lines)) <= 60


@pytest.mark.parametrize("width", [20, 40, 60, 80, 120])
def test_no_line_is_wider_than_the_on_screen(width):
    for rows, columns in ((1, 1), (1, 12), (12, 12), (5, 7), (12, 1)):
        matrix = [[random.Random(r * c).gauss(0, 100) for c in range(columns)] for r in range(rows)]
        other = [[-v for v in row] for row in matrix]
        for coloured in (False, True):
            lines = side_by_side(Picture(NAME, [rows, columns], matrix, other), HEADINGS, width, coloured)
            needed = columns * (2 + (not coloured) * 0)
            assert max(line.cell_len for line in lines) <= max(width, needed)


def test_whole_numbers_have_no_decimals():
    assert plain(Picture(NAME, [2, 2], [[1, 0], [1, 1]], [[1, 1], [1, 1]]))[1:] == [
        "█1 ·0      █1 █1*",
        "█1 █1      █1 █1 ",
    ]


def test_enough_digits_to_see_the_mistake():
    lines = plain(Picture(NAME, [2], [[0.33333, 1.0]], [[0.33346, 1.0]]))
    assert "0.3333 " in lines[1]
    assert "0.3335*" in lines[1]


def test_what_is_no_number():
    (line,) = plain(Picture(NAME, [3], [[1.5, -2.0, "-inf"]], [["nan", "inf", "-inf"]]))[1:]
    assert line.split() == ["▓", "1.50", "█-2.00", "█", "-inf", "?", "nan*█", "inf*█", "-inf"]


def test_above_and_below_zero_have_their_colours():
    lines = side_by_side(Picture(NAME, [2], [[-1.0, 1.0]], [[-1.0, 1.0]]), HEADINGS, 80, coloured=True)
    styles = {str(span.style) for span in lines[1].spans}
    assert styles == {f"bright_white on color({pictures.AROUND[0]})", f"bright_white on color({pictures.AROUND[-1]})"}


def test_a_bar_is_full_only_at_the_end():
    assert pictures.bar(0, 10) == "░" * 10
    assert pictures.bar(0.001, 10) == "█" + "░" * 9
    assert pictures.bar(0.999, 10) == "█" * 9 + "░"
    assert pictures.bar(1, 10) == "█" * 10


def test_chinese_is_padded_by_its_width():
    assert pictures.padded("核心", 6) == "核心  "


def test_places_of_moved_entries():
    homes = [[[], [1, 0, 1]], [[], []]]
    moved = Picture(NAME, [2, 2, 2], [[1.0, 2.0], [3.0, 4.0]], [[1.0, 6.0], [9.0, 4.0]], homes)
    wide = [line.plain for line in pictures.places(moved, "where", 40)]
    assert wide == [
        "where",
        "   0,0  [1]0,1*",
        "     ·*    1,1",
    ]
    assert [line.plain for line in pictures.places(moved, "where", 12)] == ["where", "  =  [1]*", "  ·*   ="]
    assert pictures.places(moved, "where", 6) == []


def test_a_turned_pair_is_told_by_angle_and_distance():
    turned = Picture(NAME, [2, 2], [[1.0, 0.5], [0.0, 2.0]], [[1.0, 0.5], [-2.0, 0.0]])
    assert [*pictures.turned(turned)] == [{"row": 1, "one": 0, "other": 1, "due": "90° 2", "came": "180° 2"}]
