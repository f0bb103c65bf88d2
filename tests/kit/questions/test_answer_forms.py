"""Answers are right in whatever form people write them; what is wrong or unreadable is told why."""

from __future__ import annotations

from typing import Any

import pytest
from quiz import marked, paper_in

from grader.questions import answer_forms, choices, questions, tables
from grader.questions.numbers import Unreadable

KB_64 = 64 << 10


@pytest.fixture
def paper(tmp_path) -> questions.Paper:
    return paper_in(tmp_path)


RIGHT: dict[str, list[Any]] = {
    "a_third": ["0.333", "0.3333", ".3333", "1/3", "1 / 3", "33.33%", "0.33333333", "3.333e-1", " 0.333 "],
    "one": ["b", "B", "b.", "(b)", ["b"]],
    "some": ["a, c", ["c", "a"], "ca", "A C", "a，c", "[a, c]".strip("[]")],
    "order": ["c a b", ["c", "a", "b"], "cab", "c > a > b", "c→a→b"],
    "matrix": [
        [["1", "0.25"], ["0.12", "-3"]],
        ["1", "1/4", "1/8", "-3.0"],
        "[1, 0.25], [0.13, -3]",
        "1 0.25 0.125 −3",
    ],
    "table": [
        {"first": {"x": "same", "y": "changes"}, "second": {"x": "changes", "y": "Changes"}},
        {"First": ["same", "changes"], "second": "changes changes"},
        [["same", "changes"], ["changes", "changes"]],
    ],
    "construct": [["1", "1", "-2"], "0 0 0"],
}


@pytest.mark.parametrize(("name", "given"), [(n, g) for n, gs in RIGHT.items() for g in gs])
def test_right_in_any_form(paper, name, given):
    assert marked(paper, {name: given})[name] == ("passed", "", "")


WRONG: dict[str, list[Any]] = {
    "a_third": {
        "0.5": "that is a half", "0.500": "that is a half", "0.33": "give at least 3 decimals",
        "0.3": "give at least 3",
        "0.335": "not what the experiment gives", "a third": "'a third' is not a number", "1/0": "is not a number",
        "inf": "not what", "nan": "is not a number", "9" * 100: "is not a number", "1e999": "not what",
        "-1/3": "not what",
    },
    "one": {"a": "not what", "d": "not one of the choices a, b, c", "a b": "choose exactly one"},
    "some": {"a": "not what", "none": "not what"},
    "order": {"a b c": "not what", "c a": "put each of a, b, c"},
    "matrix": {
        "1 2 3": "expected 4 numbers, got 3", "1 0.25 0.125 4": "not what",
        "0.25 1 -3 0.13": "these are the right numbers, in another order", "1 1 0.125 -3": "not what",
    },
}  # fmt: skip


@pytest.mark.parametrize(("name", "given"), [(n, g) for n, gs in WRONG.items() for g in gs])
def test_wrong_answers_are_told_why(paper, name, given):
    verdict, reason, wrong_answer = marked(paper, {name: given})[name]
    assert verdict == "failed"
    assert WRONG[name][given].replace("'", "") in reason.replace("'", "")
    assert bool(wrong_answer) == ("half" in reason)


def test_a_table_names_the_first_wrong_cell(paper):
    answer = {"first": ["same", "same"], "second": ["changes", "changes"]}
    said = "row first, column y: not what the experiment gives (3 of 4 cells are right)"
    assert marked(paper, {"table": answer})["table"][1] == said
    lost = marked(paper, {"table": {"first": ["same"] * 2}})["table"][1]
    asked = "asked for: a table; each cell: one of the words (1 of 4 cells are right)"
    assert lost == f"the row second is missing; {asked}"
    assert "needs 2 cells, got 1" in marked(paper, {"table": {"first": "same", "second": ["same"] * 2}})["table"][1]
    bad = marked(paper, {"table": {"first": ["same", "maybe"], "second": ["same"] * 2}})["table"][1]
    assert bad.startswith("row first, column y: maybe is not one")


FORMS = (
    answer_forms.Number(4), answer_forms.Numbers((3,)),
    choices.Choice({"a": "x", "b": "x"}, many=True),
    tables.Table(("r", "s"), ("x", "y"), choices.Choice({"a": "x"})),
)  # fmt: skip
PIECES = [*"[;.(²٣，|\n\t_-", "1", "1,", "1,111", "1 ", "a,", "ab", "9/", "1e", "inf "]


@pytest.mark.parametrize("piece", PIECES)
def test_no_answer_is_too_long_to_read(piece):
    """An expression that goes back and forth over its input would take hours for these."""
    text = piece * (KB_64 // len(piece))
    for form in FORMS:
        for given in (text, [text], {"r": text, "s": text}, text + "x", "1" + text + "1"):
            said = ""
            try:
                form.read(given)
            except Unreadable as error:
                said = error.reason.to("en")
            assert len(said) < 400


SAME, CHANGES = ["same", "changes"], ["changes", "changes"]


@pytest.mark.parametrize(
    ("name", "given", "said", "more"),
    [
        ("some", "a b c", "no is none of them", False),
        ("some", "b c", "no is none of them", True),
        ("some", "a b", "no is none of them", True),
        ("some", "b", "it is the other way round", False),  # which says more
        ("some", "c", "not what the experiment gives", False),
        ("matrix", "1 0.25 0.125 3", "the last one is negative", False),
        ("matrix", "2 0.25 0.125 3", "the last one is negative", True),
        ("matrix", "1 0.25 0.125 2", "not what the experiment gives", False),
        ("table", [CHANGES, CHANGES], "the first x stays", False),
        ("table", [CHANGES, SAME], "the first x stays", True),
        ("table", [SAME, SAME], "row second, column x: not what the experiment gives", False),
    ],
)
def test_a_mistake_is_named_among_others_too(paper, name, given, said, more):
    verdict, reason, _ = marked(paper, {name: given})[name]
    assert verdict == "failed"
    assert reason.startswith(said)
    assert ("; more than that is wrong" in reason) == more
