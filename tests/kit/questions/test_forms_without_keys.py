"""A student's copy knows the form of every answer and no answer: what is no answer is told, what is one waits."""

# ruff: noqa: E501 -- a case a line

from __future__ import annotations

from pathlib import Path

import pytest
from quiz import paper_in

from grader.authoring.visible_examples import questions_source
from grader.questions import judging, questions

FITS = judging.FITS.to("en")


@pytest.fixture
def hidden(tmp_path: Path) -> questions.Paper:
    return paper_in(tmp_path)


@pytest.fixture
def visible(hidden: questions.Paper, tmp_path: Path) -> questions.Paper:
    folder = tmp_path / "visible"
    folder.mkdir()
    (folder / "quiz.py").write_text(questions_source("quiz", hidden.described("common")), encoding="utf-8")
    return questions.Paper(folder / "quiz.py", folder)


def told(paper: questions.Paper, answers: dict[str, object]) -> dict[str, tuple[str, str, float]]:
    return {r.id: (r.verdict, r.reason.to("en"), r.max_points) for r, _ in paper.mark(answers)}


def test_the_same_questions(hidden, visible):
    assert [q.name for q in visible.questions] == [q.name for q in hidden.questions]
    assert visible.titles() == hidden.titles()
    assert [q.form.about() for q in visible.questions] == [q.form.about() for q in hidden.questions]


def test_an_answer_in_its_form_waits_right_or_wrong(visible):
    for answers in (
        {"a_third": "1/3", "one": "b", "construct": "1 1 -2"},
        {"a_third": "7", "one": "a", "construct": "9 9 9"},
    ):
        found = told(visible, answers)
        assert {found[name] for name in answers} == {("skipped", FITS, 0)}


@pytest.mark.parametrize(
    ("name", "given", "said"),
    [("a_third", "0,333", "decimal comma"), ("one", "z", "not one of the choices a, b, c"), ("order", "c a", "put each of"),
     ("matrix", "1 2 3", "expected 4 numbers, got 3"), ("table", {"first": "same same"}, "the row second is missing"),
     ("construct", "inf 0 0", "")],
)  # fmt: skip
def test_another_form_is_told(visible, name, given, said):
    verdict, reason, _ = told(visible, {name: given})[name]
    assert (verdict, said in reason) == ("failed" if said else "skipped", True)


def test_what_is_open_is_told(visible):
    found = told(visible, {})
    assert {reason for _, reason, _ in found.values()} == {"not answered yet"}
    assert {verdict for name, (verdict, *_) in found.items() if name != "essay"} == {"failed"}


def test_no_answer_is_given_away(hidden, visible):
    """The copy's file holds texts, options and sizes; it is the same whatever the answers are."""
    text = Path(visible._path).read_text(encoding="utf-8")
    for solved in map(hidden.solved, hidden.questions):
        assert all(wrong.message.to("en") not in text for wrong in solved.wrong_answers)
    assert "says why" not in text  # a line of the rubric
    assert "return" not in text
