"""Lessons on the terminal: formulas as plain text, drawings as characters."""

from __future__ import annotations

import io
import re

import pytest
from rich.console import Console

from grader.errors import CourseError
from grader.rendering.lesson_text import Bars, Explorable, Matrix, Mistake, written
from grader.rendering.terminal import Screen
from grader.rendering.terminal.formulas import plain
from grader.report import Picture
from grader.texts import Text

NAME = Text("a/b")

FORMULAS = {
    r"\frac{QK^\top}{\sqrt{d_k}}": "QKᵀ / √d_k",
    r"\text{softmax}(x)_i = \frac{e^{x_i}}{\sum_j e^{x_j}}": "softmax(x)_i = (e^(x_i)) / (Σ_j e^(x_j))",
    r"x \in \mathbf{R}^{n \times d}": "x ∈ R^(n × d)",
    r"\sigma^2 \le 2^{-i/d}": "σ² ≤ 2^(-i/d)",
    r"a_{ij} b": "a_ij b",
    r"\left( x + 1 \right)": "(x + 1)",
}


@pytest.mark.parametrize("formula", FORMULAS)
def test_a_formula_in_one_line(formula):
    assert plain(formula) == FORMULAS[formula]


def test_a_formula_that_has_no_plain_form():
    with pytest.raises(CourseError, match=r"uses \\oint, which has no plain form"):
        plain(r"\oint x")


def shown(markdown: str, lang: str = "en") -> str:
    out = io.StringIO()
    Screen(lang, Console(file=out, width=80, color_system=None)).lesson(markdown)
    return out.getvalue()


def test_prose_formulas_and_drawings():
    wrong = Mistake("It **fails**.", "a/b", Picture(NAME, [1, 2], [[1.0, 2.0]], [[1.0, 3.0]]))
    text = shown(
        "## Heading\n\nThe value $a_i$ is *here*.\n\n"
        + written(Matrix("A matrix", [[0.5, 1.0]]))
        + "\n\n$$x^2$$\n\n"
        + written(wrong)
        + "\n\n"
        + written(Bars("Bars", [("one", 1.0), ("three", 3.0)]))
    )
    assert "The value a_i is here." in text
    assert "x²" in text
    assert "▒0.50 █1.00" in text
    lines = [line.strip() for line in text.splitlines()]
    assert re.sub(r" +", " ", lines[lines.index("It **fails**.") + 2]) == "▒1 █2 ▒1 █3*"
    assert any(line.startswith("three  " + "█" * 30) and line.endswith("3") for line in lines)
    assert any(line.startswith("one    " + "█" * 10 + "░" * 20) for line in lines)


def test_labels_of_bars_hold_formulas():
    text = shown(written(Bars("The largest $w_i$", [("$q \\cdot k$", 1.0), (r"$q \cdot k / \sqrt{d}$", 3.0)])))
    assert "The largest w_i" in text
    assert any(line.strip().startswith("q · k       " + "█" * 10) for line in text.splitlines())
    assert "$" not in text


def test_what_looks_like_a_tag_is_text():
    text = shown("The token <s> begins a *text*, </s> ends it.\n\n<b>\n\n| a | b |\n|---|---|\n| <pad> | 2 |")
    assert "The token <s> begins a text, </s> ends it." in text
    assert "<b>" in text
    assert re.search(r"<pad> +2", text)


def test_headings_are_in_the_language_of_the_screen():
    wrong = Mistake("错了", "a/b", Picture(NAME, [1, 1], [[1.0]], [[3.0]]))
    assert "正确" in shown(written(wrong), "zh")


def test_a_drawing_that_cannot_be_read():
    with pytest.raises(CourseError, match="holds a drawing that cannot be read"):
        shown('```drawing\n{"type": "cube"}\n```')


def test_a_drawing_to_move_is_words_and_a_still_drawing():
    moves = Explorable("turn", "A wheel", "Turn it by $a_i$.", [], {"says": "{x}"}, still=Matrix("Still", [[0.5]]))
    text = shown(written(moves), "zh")
    assert [text.index(part) for part in ("A wheel", "Turn it by a_i.", "Still", "grader book")]
    assert "可以拖动" in text
    assert "$" not in text
