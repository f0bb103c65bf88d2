"""The fragment with the steps of a call: what is marked, what is folded, and nothing of a stranger's becomes markup."""

from __future__ import annotations

import re

import pytest
from class_reports import HOSTILE, text_of

from grader.rendering.pages import pages
from grader.report import Picture
from grader.sandbox.processes import ShownStep, ShownSteps, ShownValue
from grader.texts import plain

WRONG = Picture(plain("matmul"), [1, 2], [[1.0, 2.0]], [[1.0, "nan"]])
RIGHT = Picture(plain("matmul"), [1, 2], [[1.0, 2.0]], [[1.0, 2.0]])


def step(number, line, state, picture=RIGHT, first=False, code="y = a @ b", caller=None):
    value = ShownValue(plain("matmul"), state, (1, 2), "float32", (picture,))
    return ShownStep(number, line, caller or line, code, value, first)


def shown(*steps, results=(), **more):
    told = {"check": "test_f", "title": plain("It multiplies."), "function": "f", "call": plain("f(a [1, 2] float32)")}
    return ShownSteps(**told, steps=steps, results=results, compared=True, **more)


def test_the_first_difference_is_marked_and_both_values_are_drawn():
    page = pages.steps_fragment(
        shown(step(1, 3, "right"), step(2, 4, "wrong", WRONG, True), step(3, 5, "wrong", WRONG)), "matrix", ["en"]
    )
    said = text_of(page)
    assert "line 3 y = a @ b" in said
    assert said.count("the first difference") == page.count('class="cause"') == 1
    assert re.search(r"expected.*yours.*difference", said)
    assert page.count("<svg") == 1 + 3 + 3
    assert 'class="wrong">nan' in page


def test_steps_of_one_line_stand_together_and_the_inner_right_ones_are_folded():
    page = pages.steps_fragment(
        shown(step(1, 3, "right"), step(2, 3, "other"), step(3, 8, "right", caller=2)), "matrix", ["en"]
    )
    assert page.count("<li>") == 2
    assert (
        page.count("<details><summary>\n<code>matmul") == page.count("<summary><code>matmul") + 1 or "summary" in page
    )
    assert "line 8, called from line 2" in text_of(page)
    assert "no such step in the solution" in text_of(page)


@pytest.mark.parametrize(
    ("told", "said"),
    [
        (shown(results=(ShownValue(plain("the result"), "right", (), "3"),)), "steps of this call cannot be shown."),
        (shown(step(1, 3, "right"), results=(ShownValue(plain("r"), "wrong", (), "3"),)), "No single step explains"),
        (shown(step(1, 3, "right"), refused=True), "refuses these arguments"),
        (shown(step(1, 3, "right"), more=1), "At least 1 more step is not shown."),
        (shown(step(1, 3, "right"), more=7), "At least 7 more steps are not shown."),
        (shown(error=plain("f(a): raises KeyError")), "f(a): raises KeyError"),
    ],
)
def test_what_is_said_beside_the_steps(told, said):
    assert said in text_of(pages.steps_fragment(told, "matrix", ["en"]))


def test_a_result_of_another_form_stands_beside_the_expected_one():
    due = ShownValue(plain("the result"), "unknown", (1, 2), "float32", (RIGHT,))
    told = shown(step(1, 3, "right"), results=(ShownValue(plain("the result"), "wrong", (), "None", (), due),))
    said = text_of(pages.steps_fragment(told, "matrix", ["en"]))
    assert re.search(r"the result None not as in the solution the result \[1, 2\] float32 expected", said)


def test_both_languages_are_in_it():
    page = pages.steps_fragment(shown(step(1, 3, "wrong", WRONG, True)), "matrix", ["en", "zh"])
    assert '<span class="zh" lang="zh">第一处不同</span>' in page


def test_nothing_of_a_strangers_is_markup():
    value = ShownValue(plain(HOSTILE), "wrong", (), HOSTILE)
    told = shown(step(1, 3, "right", code=HOSTILE), results=(value,), error=plain(HOSTILE))
    assert HOSTILE not in pages.steps_fragment(told, "matrix", ["en", "zh"])
