"""Answers that are right in part, on sheets as students write them: what each earns, and what a guess can expect."""

# ruff: noqa: E501 -- a sheet a line

from __future__ import annotations

import random
import statistics
from pathlib import Path
from typing import Any

import pytest

from grader.course import course as courses
from grader.questions import Choice, Paper, Question, Table, Written
from grader.report import Diagnosis, ExerciseReport, feedback
from grader.sandbox.worker import answer_sheet, wire
from grader.suites import CheckResult
from grader.texts import Text

ROOT = Path(__file__).resolve().parents[3]
COURSE = courses.load(ROOT)
PAPERS = {e.id: Paper(COURSE.suite(e.id), ROOT / "solutions") for e in COURSE.exercises if e.kind == "questions"}
QUESTIONS = {f"{id}/{q.name}": q for id, paper in PAPERS.items() for q in paper.questions}
WORDS = {name: q for name, q in QUESTIONS.items() if not isinstance(q.form, Written) and q.form.choices()}


def marked(section: str, text: str) -> dict[str, CheckResult]:
    """The results of one section of a sheet, by question."""
    names = {id: tuple(q.name for q in paper.questions) for id, paper in PAPERS.items()}
    read, payload = answer_sheet.read(text, 1 << 20, names, ())
    answers: Any = wire.decode(read.answers, payload)
    return {result.id: result for result, _ in PAPERS[section].mark(answers.get(section, {}))}


def sheet(section: str, answers: str) -> str:
    lines = "\n".join(f"  {line}" for line in answers.strip("\n").split("\n"))
    return f"variant: common\n\n{section}:\n{lines}\n"


W_V = "only_w_v_is_replaced"
TABLE = """\
what_changes:
  W_v: {Q: same, K: same, V: changes, scores: same, weights: same, output: changes}
  W_q: {Q: changes, K: same, V: same, scores: changes, weights: changes, output: changes}
  W_k: {Q: same, K: changes, V: same, scores: changes, weights: changes, output: changes}
  X: {Q: changes, K: changes, V: changes, scores: changes, weights: changes, output: changes}
"""
BLANK = "{Q: , K: , V: , scores: , weights: , output: }"
ALL, NONE = ("{" + ", ".join(f"{s}: {w}" for s in ("Q", "K", "V", "scores", "weights", "output")) + "}"
             for w in ("changes", "same"))  # fmt: skip


def rows(**cells: str) -> str:
    return "what_changes:\n" + "\n".join(f"  {row}: {cells[row]}" for row in ("W_v", "W_q", "W_k", "X") if row in cells)


# Each wrong cell loses twice its weight: 1/32 where `changes` is right (16 cells), 1/16 where `same` is (8 cells).
B_SHEETS: dict[str, tuple[str, str, float, str]] = {  # question, what the sheet says, points, words of the reason
    "the row alone, right": (W_V, f"{W_V}: {{W_v: {{Q: same, K: same, V: changes, scores: same, weights: same, output: changes}}}}", 2, ""),
    "the row as a list": (W_V, f"{W_V}: [same, same, changes, same, same, changes]", 2, ""),
    "the row in Chinese": (W_V, f"{W_V}: {{W_v: 不变 不变 改变 不变 不变 改变}}", 2, ""),
    "the output is forgotten": (W_V, f"{W_V}: {{W_v: same same changes same same same}}", 0, "(5 of 6 cells are right)"),
    "the weights too": (W_V, f"{W_V}: {{W_v: same same changes same changes changes}}", 1.5, "weights come from Q and K (5 of 6 cells are right)"),
    "scores and weights too": (W_V, f"{W_V}: {{W_v: same same changes changes changes changes}}", 0, "takes no part in the matching (4 of 6"),
    "the row, all yes": (W_V, f"{W_V}: {{W_v: {ALL}}}", 0, "(2 of 6 cells are right)"),
    "the row, all no": (W_V, f"{W_V}: {{W_v: {NONE}}}", 0, "(4 of 6 cells are right)"),
    "the row, two cells, right": (W_V, f"{W_V}:\n  W_v: {{V: changes, output: changes}}", 1, "not answered"),
    "the row, blank": (W_V, f"{W_V}:\n  W_v: {BLANK}", 0, "not answered yet"),
    "the table, right": ("what_changes", TABLE, 2, ""),
    "one `changes` is wrong": ("what_changes", TABLE.replace("X: {Q: changes", "X: {Q: same"), 1.875, "row X, column Q: not what the experiment gives (23 of 24 cells are right)"),
    "one `same` is wrong": ("what_changes", TABLE.replace("W_q: {Q: changes, K: same", "W_q: {Q: changes, K: changes"), 1.75, "(23 of 24 cells are right)"),
    "two are wrong": ("what_changes", TABLE.replace("K: changes, V: changes", "K: same, V: same"), 1.75, "(22 of 24 cells are right)"),
    "values take part in the matching": ("what_changes", TABLE.replace("scores: same, weights: same", "scores: changes, weights: changes"), 1.5, "takes no part in the matching (22 of 24"),
    "only W_v": ("what_changes", rows(W_v="same same changes same same changes"), 0.625, "the row W_q is missing; asked for: a table; each cell: one of the words (6 of 24 cells are right)"),
    "only W_v, the rest blank": ("what_changes", rows(W_v="same same changes same same changes", W_q=BLANK, W_k=BLANK, X=BLANK), 0.625, "the row W_q is missing"),
    "only X": ("what_changes", rows(X=ALL), 0.375, "(6 of 24 cells are right)"),
    "W_v and X": ("what_changes", rows(W_v="same same changes same same changes", X=ALL), 1, "(12 of 24 cells are right)"),
    "one cell is blank": ("what_changes", TABLE.replace("W_q: {Q: changes", "W_q: {Q: "), 1.9375, "row W_q, column Q: not answered; asked for: a table; each cell: one of the words (23 of 24"),
    "one cell cannot be read": ("what_changes", TABLE.replace("W_q: {Q: changes", "W_q: {Q: perhaps"), 1.9375, "row W_q, column Q: perhaps is not one of the choices"),
    "one row has five cells": ("what_changes", TABLE.replace("X: {Q: changes, K: changes, V: changes, scores: changes, weights: changes, output: changes}", "X: [changes, changes, changes, changes, changes]"), 1.625, "the row X needs 6 cells, got 5"),
    "all yes": ("what_changes", rows(W_v=ALL, W_q=ALL, W_k=ALL, X=ALL), 0, "(16 of 24 cells are right)"),
    "all no": ("what_changes", rows(W_v=NONE, W_q=NONE, W_k=NONE, X=NONE), 0, "(8 of 24 cells are right)"),
    "all the wrong way round": ("what_changes", rows(W_v="changes changes same changes changes same", W_q="same changes changes same same same", W_k="changes same changes same same same", X=NONE), 0, "more than that is wrong"),
    "blank": ("what_changes", rows(W_v=BLANK, W_q=BLANK, W_k=BLANK, X=BLANK), 0, "not answered yet"),
    "question marks": ("what_changes", "what_changes: ?", 0, "not answered yet"),
}  # fmt: skip
OTHERS: dict[str, tuple[str, str, float, str]] = {
    "letters, right": ("questions_a/softmax_unchanged", "[a, d, e]", 1, ""),
    "letters, one is missing": ("questions_a/softmax_unchanged", "[a, d]", 2 / 3, "(5 of 6 options are judged correctly)"),
    "letters, one too many": ("questions_a/softmax_unchanged", "[a, c, d, e]", 2 / 3, "(5 of 6 options are judged correctly)"),
    "letters, one for another": ("questions_a/softmax_unchanged", "[a, c, d]", 0, "(4 of 6 options are judged correctly)"),
    "all letters": ("questions_a/softmax_unchanged", "[a, b, c, d, e, f]", 0, "(3 of 6"),
    "no letter": ("questions_a/softmax_unchanged", "none", 0, "(3 of 6"),
    "all letters but the one trap": ("questions_f/laws_of_the_other_layout", "[a, b, c, d, e]", 0, "(4 of 5"),
    "no letter where one is right": ("questions_d/parameter_without_effect", "none", 0, "(5 of 6"),
    "one of four letters wrong: luck does that": ("questions_i/possible_rows", "[b]", 0, "(3 of 4"),
    "one letter": ("questions_a/what_is_mixed", "b", 0, ""),
    "an order, right": ("questions_a/four_steps", "[c, d, b, a]", 1, ""),
    "an order, two neighbours exchanged": ("questions_a/four_steps", "c > b > d > a", 2 / 3, "(5 of 6 pairs are in the right order)"),
    "an order, from the end": ("questions_a/four_steps", "[a, b, d, c]", 0, ""),
    "numbers, one is wrong": ("questions_i/rms_row", "[1.449, 0.888, 1.028, 0.5]", 1.5, "(3 of 4 numbers are right)"),
    "numbers, two are right": ("questions_g/families_of_gpt3", "[14495514624, 57982058496, 1]", 2 / 3, "(2 of 3 numbers are right)"),
    "numbers, one of two": ("questions_g/eight_times_as_long", "[64, 64]", 0.5, "(1 of 2 numbers are right)"),
    "the zeros of a mask": ("questions_c/causal_weights", "[[1,0,0,0],[.5,.5,0,0],[.3,.3,.4,0],[.2,.2,.3,.3]]", 0, "(7 of 16 numbers are right)"),
    "numbers easily guessed": ("questions_f/shared_head", "[0, 1, 2, 2]", 0, "not what the experiment gives"),
    "a table of numbers": ("questions_d/table_of_heads", "[[8, 288, 16, 16], [4, 288, 16, 32], [2, 288, 16, 64], [1, 288, 16, 1]]", 1.5 * 15 / 16, "(15 of 16 numbers are right)"),
    "a construction": ("questions_b/values_for_an_output", "[[-1, 1], [2, 1]]", 0, "the first output is"),
    "a construction that is no number": ("questions_b/values_for_an_output", "[[-1, 1], [2, inf]]", 0, "every number must be finite"),
    "where one knows which words fit": ("questions_c/triangles", "[[rows, upper], [columns, upper]]", 0, "(3 of 4"),
}  # fmt: skip
SHEETS = {
    **{name: ("questions_b", *case) for name, case in B_SHEETS.items()},
    **{name: (asked.split("/")[0], (own := asked.split("/")[1]), f"{own}: {said}", *rest) for name, (asked, said, *rest) in OTHERS.items()},
}  # fmt: skip


@pytest.mark.parametrize("case", SHEETS)
def test_a_sheet(case):
    section, name, text, points, said = SHEETS[case]
    found = marked(section, sheet(section, text))[name]
    assert found.points == pytest.approx(points, abs=1e-4)
    assert said in found.reason.to("en")
    assert (found.verdict == "passed") == (points == found.max_points)
    assert found.in_part == (0 < points < found.max_points)
    assert not sum(r.points for r in marked(section, sheet(section, text)).values() if r.id != name)


@pytest.mark.parametrize("case", SHEETS)
def test_how_many_parts_are_right_is_told_where_results_are_shown_and_nowhere_else(case):
    section, name, text, *_ = SHEETS[case]
    said = feedback.hinted(marked(section, sheet(section, text))[name].reason)
    for lang, words in {"en": " are right", "zh": "答对"}.items():
        assert words not in said.to(lang)
    assert "judged correctly" not in said.to("en")


def test_a_mistake_in_a_question_is_not_charged_once_as_one_in_code_is():
    section, name, text, *_ = SHEETS["the weights too"]
    check = marked(section, sheet(section, text))[name]
    mistake = Diagnosis("questions_b/values_match_a_little", Text("a slip"), (name,))
    told = ExerciseReport(section, "failed", None, check.points, 34, (check,), (mistake,)).told(mistake)
    assert told == mistake.message


def blind(question: Question, rng: random.Random) -> Any:
    """An answer by chance: every word as likely as the others."""
    form = question.form
    if isinstance(form, Table):
        return [[rng.choice(list(form.choices())) for _ in form.columns] for _ in form.rows]
    assert isinstance(form, Choice)
    if form.ordered:
        return rng.sample(list(form.options), len(form.options))
    if form.many:
        return [letter for letter in form.options if rng.random() < 0.5] or "none"
    return rng.choice(list(form.options))


def share(name: str, given: Any) -> float:
    """The share of the points."""
    question, paper = QUESTIONS[name], PAPERS[name.split("/")[0]]
    form = question.form
    return form.parts(form.read(given), paper.solved(question).key).share


def constant(question: Question) -> list[Any]:
    """One word everywhere; every letter, or none."""
    form = question.form
    if isinstance(form, Table):
        return [[[word] * len(form.columns)] * len(form.rows) for word in form.choices()]
    return [list(form.options), "none"] if isinstance(form, Choice) and form.many else []


@pytest.mark.parametrize("name", WORDS)
def test_the_same_everywhere_earns_nothing(name):
    assert {share(name, given) for given in constant(QUESTIONS[name])} <= {0.0}


def test_a_guess_earns_next_to_nothing():
    """Of all questions with words to choose from: docs/assessment.md has these figures."""
    rng = random.Random(1)
    worth: dict[str, list[tuple[float, float]]] = {"one": [], "parts": []}
    for name, question in WORDS.items():
        kind = (
            "one"
            if isinstance(question.form, Choice) and not (question.form.many or question.form.ordered)
            else "parts"
        )
        mean = statistics.fmean(share(name, blind(question, rng)) for _ in range(400))
        worth[kind].append((question.points, mean))
    means = {kind: sum(p * m for p, m in found) / sum(p for p, _ in found) for kind, found in worth.items()}
    assert means["parts"] < 0.08
    assert max(mean for _, mean in worth["parts"]) < 0.25
    assert means["one"] < 0.3
    earned = sum(p * m for found in worth.values() for p, m in found)
    assert earned < 0.06 * sum(paper.automatic for paper in PAPERS.values())
