"""Concept questions: experiments derive the key, and answers are marked against it."""

from __future__ import annotations

import pytest
from quiz import marked, paper_in

from grader.errors import CourseError
from grader.questions import answer_forms, questions


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
    assert (paper.points(), paper.automatic) == (12, 9)


def test_variants_have_their_own_numbers(paper):
    drawn = next(q for q in paper.questions if q.name == "drawn")
    texts = {v: paper.solved(drawn, v).text.en for v in ("common", "s1", "s2")}
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
    asked = 'def q(lab):\n    """How much is {it}?\n\n是多少？\n    """\n    1 / 0\n'
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


def test_which_cell_is_wrong_is_said_only_where_the_course_shows_all(paper):
    answer = {"table": {"first": ["same", "same"], "second": ["changes", "changes"]}}
    said = {}
    for where in (True, False):
        found = paper.mark(answer, "common", questions.Circumstances(where=where))
        said[where] = next(r.reason.en for r, _ in found if r.id == "table")
    assert said[True] == "1 of 4 cells are not what the experiment gives, first row first, column y"
    assert said[False] == "1 of 4 cells are not what the experiment gives"
