"""Concept questions: experiments derive the key, and answers are marked against it."""

from __future__ import annotations

import pytest
from quiz import HALF, PAPER, marked, paper_in

from grader.authoring import lint
from grader.errors import CourseError
from grader.questions import answer_forms, questions
from grader.report.feedback import hinted


@pytest.fixture
def paper(tmp_path) -> questions.Paper:
    return paper_in(tmp_path)


def test_a_construction_is_tried_out(paper):
    assert marked(paper, {"construct": [1, 2, 3]})["construct"][:2] == ("failed", "they do not sum to 0")


def test_an_empty_sheet_scores_nothing(paper):
    for empty in (None, {}, "", [], {"a_third": "", "one": None, "table": {"first": {"x": ""}}, "matrix": [["", ""]]}):
        found = marked(paper, empty)
        assert {v for v, _, _ in found.values()} == {"failed", "skipped"}
        assert found["a_third"][1] == "not answered yet"


def test_a_misspelt_question_is_named(paper):
    assert "'a_thirds'" in marked(paper, {"a_thirds": "0.333"})["a_third"][1]


def test_a_person_grades_texts(paper):
    assert marked(paper, {"essay": "because"})["essay"][:2] == (
        "skipped", "a person grades this",
    )  # fmt: skip
    assert (sum(q.points for q in paper.questions), paper.automatic) == (12, 9)


def test_variants_have_their_own_numbers(paper):
    drawn = next(q for q in paper.questions if q.name == "drawn")
    texts = {v: paper.solved(drawn, v).text.to("en") for v in ("common", "s1", "s2")}
    assert len(set(texts.values())) == 3
    key = str(paper.solved(drawn, "s1").key)
    assert marked(paper, {"drawn": key}, "s1")["drawn"][0] == "passed"
    assert marked(paper, {"drawn": key}, "s2")["drawn"][0] == "failed"


def test_the_key_written_down_is_right(paper):
    solved = [paper.solved(q) for q in paper.questions if not isinstance(q.form, answer_forms.Written)]
    sheet_ = {s.question.name: s.question.form.write(s.key) for s in solved}
    assert {v for v, _, _ in marked(paper, sheet_).values()} == {"passed", "skipped"}


def test_a_broken_experiment_is_the_authors_fault(tmp_path):
    for text in (
        "1 / 0",
        "from grader.questions import Number, question\n@question(1, Number())\ndef q(lab):\n    1 / 0\n",
    ):
        (tmp_path / "q.py").write_text(text)
        with pytest.raises(CourseError, match=r"q\.py.*ZeroDivisionError"):
            questions.Paper(tmp_path / "q.py", tmp_path).mark({"q": 1})
    with pytest.raises(CourseError, match="no such file"):
        questions.Paper(tmp_path / "nowhere.py", tmp_path)


def test_the_experiment_of_a_question_that_nobody_answered_is_not_run(tmp_path):
    asked = 'def q(lab):\n    """How much is {it}?"""\n    1 / 0\n'
    (tmp_path / "q.py").write_text(f"from grader.questions import Number, question\n@question(1, Number())\n{asked}")
    paper = questions.Paper(tmp_path / "q.py", tmp_path)
    with pytest.raises(CourseError, match="ZeroDivisionError"):
        paper.mark({})  # its text is the experiment's
    (tmp_path / "q.py").write_text((tmp_path / "q.py").read_text().replace("{it}", "it"))
    paper = questions.Paper(tmp_path / "q.py", tmp_path)
    assert [r.reason for r, _ in paper.mark({})] == [questions.NOT_ANSWERED]
    with pytest.raises(CourseError, match="ZeroDivisionError"):
        paper.mark({"q": "3"})


def test_of_many_misspelt_keys_few_are_looked_at(paper, monkeypatch):
    compared: list[str] = []
    closest = questions.difflib.get_close_matches

    def counted(word, possibilities, n):
        compared.extend(found := list(possibilities))
        return closest(word, found, n=n)

    monkeypatch.setattr(questions.difflib, "get_close_matches", counted)
    paper.mark({f"one{i}" * 500: "b" for i in range(9000)} | {f"a_thir{i}": "1" for i in range(9000)})
    assert 0 < len(compared) <= questions.MOST_UNKNOWN * len(paper.questions)


def test_a_construction_that_nothing_can_be_computed_with_is_told(tmp_path):
    source = PAPER.replace("expect(given.sum().abs()", "math.exp(given.abs().max())\n    expect(given.sum().abs()")
    (tmp_path / "half.py").write_text(HALF, encoding="utf-8")
    (tmp_path / "q.py").write_text(f"import math\n{source}", encoding="utf-8")
    paper = questions.Paper(tmp_path / "q.py", tmp_path)
    said = "the experiment cannot be run with these numbers; asked for: 3 numbers with at least 2 decimals"
    assert marked(paper, {"construct": "[1e308, 1, 2]"})["construct"] == ("failed", said, "")
    assert marked(paper, {"construct": "[1, 1, -2]"})["construct"][0] == "passed"


NUMBER, MATRIX = "a number with at least 3 decimals", "2 x 2 numbers with at least 2 decimals, as [[..], [..]]"
NOT_RIGHT = "not what the experiment gives"
HINTED = {
    "a known mistake, named": ("a_third", "0.5", "divided too often", "divided too often"),
    "a known mistake, whose name has a number": ("drawn", "0", f"{NOT_RIGHT}; asked for: an exact number", ""),
    "a number too rough": ("a_third", "0.3", f"{NOT_RIGHT}; asked for: {NUMBER}", ""),
    "a number that is as rough": ("a_third", "0.9", f"{NOT_RIGHT}; asked for: {NUMBER}", ""),
    "a percentage without its sign": ("a_third", "33.33", f"{NOT_RIGHT}; asked for: {NUMBER}", ""),
    "numbers in another order": ("matrix", "[[0.25, 1], [0.125, -3]]", f"{NOT_RIGHT}; asked for: {MATRIX}", ""),
    "a mistake among others": ("matrix", "[[1, 0.25], [7, 3]]", f"{NOT_RIGHT}; asked for: {MATRIX}", ""),
    "a mistake in several letters": ("some", "b", NOT_RIGHT, ""),
    "letters with one too many": ("some", "a, b, c", NOT_RIGHT, ""),
    "a letter": ("one", "a", NOT_RIGHT, ""),
    "a cell": ("table", {"first": ["same", "same"], "second": ["changes", "changes"]}, NOT_RIGHT, ""),
    "a table that is a known mistake": ("table", {"first": ["changes"] * 2, "second": ["changes"] * 2}, NOT_RIGHT, ""),
    "a construction": ("construct", "[1, 2, 3]", "it is not what the question asks for", ""),
}


@pytest.mark.parametrize("case", HINTED)
def test_where_results_are_not_shown_nothing_that_is_said_follows_from_the_right_answer(tmp_path, case):
    """Two wrong answers of one form, one of which is close, read alike; a mistake in numbers is named without any."""
    name, given, said, mistake = HINTED[case]
    source = PAPER.replace('"that is a half"', '"divided too often: that is not a third"')
    source = source.replace(
        "    lab.put(n=n)", '    lab.wrong_answer("none", 0, "it is {right}", right=n + 1)\n    lab.put(n=n)'
    )
    (tmp_path / "half.py").write_text(HALF, encoding="utf-8")
    (tmp_path / "q.py").write_text(source, encoding="utf-8")
    result, found = next(m for m in questions.Paper(tmp_path / "q.py", tmp_path).mark({name: given}) if m[0].id == name)
    assert result.verdict == "failed"
    named = hinted(found.message).to("en") if found else ""
    assert (hinted(result.reason).to("en"), named) == (said, mistake)
    assert bool(found and named) == bool(mistake)


def test_the_name_of_a_mistake_alone_is_to_be_translated_too(tmp_path, toy):
    """It is said where results are not shown, except of letters: there it would tell which are right."""
    source = PAPER.replace('"that is a half"', '"divided too often: that is not a third"')
    (tmp_path / "half.py").write_text(HALF, encoding="utf-8")
    (tmp_path / "q.py").write_text(source.replace("no is none", "no: it is none"), encoding="utf-8")
    described = questions.Paper(tmp_path / "q.py", tmp_path).described("common")
    said = {text.key for text in lint._said(toy, {}, {"q": described})}
    assert {"divided too often: that is not a third", "divided too often", "no: it is none of them"} <= said
    assert "no" not in {message.hint for question in described for _, message in question.wrong_answers}
