"""Concept questions: experiments derive the key, sheets are parsed in a worker, form is forgiven, content is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.course.course import COMMON
from grader.errors import CourseError
from grader.questions import answer_forms, numbers, questions
from grader.questions.numbers import Unreadable
from grader.sandbox.worker import answer_sheet

SOLUTION = "def half(x):\n    return x / 2\n"
PAPER = '''
import torch
from grader.questions import Choice, Number, Numbers, Table, Written, question
from grader.suites.api import expect

OPTIONS = {"a": ("yes", "是"), "b": ("no", "否"), "c": ("perhaps", "也许")}

@question(2, Number(3))
def a_third(lab):
    """What is a third of {x}?

    {x} 的三分之一是多少？
    """
    lab.put(x=1)
    lab.slip("halved", lab.solution("half").half(1.0), "that is a half", "那是二分之一")
    lab.show("a third", "三分之一", torch.tensor([[1 / 3]]))
    return 1 / 3

@question(1, Choice(OPTIONS))
def one(lab):
    """Which one?

    哪一个？
    """
    return "b"

@question(1, Choice(OPTIONS, many=True))
def some(lab):
    """Which ones?

    哪些？
    """
    return ["a", "c"]

@question(1, Choice(OPTIONS, ordered=True))
def order(lab):
    """In which order?

    次序如何？
    """
    return ["c", "a", "b"]

@question(1, Numbers((2, 2)))
def matrix(lab):
    """Which matrix?

    哪个矩阵？
    """
    return torch.tensor([[1.0, 0.25], [0.125, -3.0]])

@question(1, Table(("first", "second"), ("x", "y"), Choice({"same": ("same", "不变"), "changes": ("changes", "改变")})))
def table(lab):
    """Which cells change?

    哪些格会改变？
    """
    return [["same", "changes"], ["changes", "changes"]]

def zero_sum(given):
    expect(given.sum().abs() < 1e-6, "they do not sum to 0", "它们之和不为 0")

@question(1, Numbers((3,)), accepts=zero_sum)
def construct(lab):
    """Three numbers that sum to 0.

    三个和为 0 的数。
    """
    return [1, 2, -3]

@question(1, Number(0))
def drawn(lab):
    """What is {n} plus 1?

    {n} 加 1 是多少？
    """
    n = int(torch.randint(1000, (), generator=lab.draw()))
    lab.put(n=n)
    return n + 1

@question(3, Written((("says why", "说明原因"), ("gives an example", "举例"))))
def essay(lab):
    """Explain it.

    请解释。
    """
'''


@pytest.fixture
def paper(tmp_path: Path) -> questions.Paper:
    (tmp_path / "half.py").write_text(SOLUTION)
    (tmp_path / "q.py").write_text(PAPER, encoding="utf-8")
    return questions.Paper(tmp_path / "q.py", tmp_path)


def marked(paper: questions.Paper, answers: object, variant: str = COMMON) -> dict[str, tuple[str, str, str]]:
    found = paper.mark(answers, variant)
    return {r.id: (r.verdict, r.reason.en, wrong_answer.name if wrong_answer else "") for r, wrong_answer in found}


RIGHT = {
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


WRONG = {
    "a_third": {
        "0.5": "that is a half", "0.500": "that is a half", "0.33": "give at least 3 decimals",
        "0.3": "give at least 3",
        "0.335": "not what the experiment gives", "a third": "'a third' is no number", "1/0": "is no number",
        "inf": "not what", "nan": "is no number", "9" * 100: "is no number", "1e999": "not what",
        "-1/3": "not what",
    },
    "one": {"a": "not what", "d": "none of the choices a, b, c", "a b": "choose exactly one"},
    "some": {"a": "not what", "none": "not what", "a b c": "not what"},
    "order": {"a b c": "not what", "c a": "put each of a, b, c"},
    "matrix": {"1 2 3": "expected 4 numbers, got 3", "1 0.25 0.125 3": "not what"},
}  # fmt: skip


@pytest.mark.parametrize(("name", "given"), [(n, g) for n, gs in WRONG.items() for g in gs])
def test_wrong_answers_are_told_why(paper, name, given):
    verdict, reason, wrong_answer = marked(paper, {name: given})[name]
    assert verdict == "failed"
    assert WRONG[name][given].replace("'", "") in reason.replace("'", "")
    assert bool(wrong_answer) == ("half" in reason)


def test_a_table_names_the_first_wrong_cell(paper):
    answer = {"first": ["same", "same"], "second": ["changes", "changes"]}
    assert "1 of 4 cells" in marked(paper, {"table": answer})["table"][1]
    assert "row first, column y" in marked(paper, {"table": answer})["table"][1]
    assert marked(paper, {"table": {"first": ["same"] * 2}})["table"][1] == "the row second is missing"
    assert "needs 2 cells, got 1" in marked(paper, {"table": {"first": "same", "second": ["same"] * 2}})["table"][1]
    bad = marked(paper, {"table": {"first": ["same", "maybe"], "second": ["same"] * 2}})["table"][1]
    assert bad.startswith("row first, column y: maybe is none")


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
        "from grader.questions import Number
from grader.suites.api import question\n@question(1, Number())\ndef q(lab):\n    1 / 0\n"
    ):
        (tmp_path / "q.py").write_text(text)
        with pytest.raises(CourseError, match=r"q\.py.*ZeroDivisionError"):
            questions.Paper(tmp_path / "q.py", tmp_path).all_with("failed", questions.NOT_RIGHT)
    with pytest.raises(CourseError, match="no such file"):
        questions.Paper(tmp_path / "nowhere.py", tmp_path)


SHEETS = {
    "a: &x [1]\nb: *x\n": ("anchors and aliases", 2),
    "a: 1\na: 2\n": ("'a' is given twice", 2),
    "[1]: 2\n": ("a key must be a word", 1),
    "- 1\n": ("no mapping", 1),
    "a: [1\n": ("expected ',' or ']'", 2),
    "a: 1\n--- \nb: 2\n": ("but found another document", 2),
    "[" * 5000: ("nested deeper than 12 levels", 1),
    "a: [" + "1," * 5000 + "]": ("more than 5000 values", 1),
    'a: "\\Uffffffff"': ("OverflowError", None),
    "a: 1\nb: \x1b[31m": ("a character that is not allowed, U+001B", 2),
    "a:\tb: c": ("", 1),
}


@pytest.mark.parametrize("text", SHEETS)
def test_a_sheet_that_cannot_be_read(text):
    found = answer_sheet.parse(text)
    assert SHEETS[text][0] in found["problem"]
    assert found["line"] == SHEETS[text][1]


def test_a_sheet_holds_texts_only():
    text = "a: 0.10\nb: [yes, 1e3, null, 2020-01-01]\nc: !!python/object:os.system x\nd:\n"
    assert answer_sheet.parse(text) == {
        "answers": {"a": "0.10", "b": ["yes", "1e3", "null", "2020-01-01"], "c": "x", "d": ""}
    }
    assert answer_sheet.parse("") == answer_sheet.parse("# nothing\n") == {"answers": {}}


@pytest.mark.parametrize(
    ("text", "value", "decimals"),
    [("617,558,016", 617558016, 0), ("1_000", 1000, 0), ("12.50", 12.5, 2), ("5e-3", 0.005, 3), ("50%", 0.5, 2),
     ("+3", 3, 0), ("-∞", float("-inf"), None), ("2/8", 0.25, None), ("3.", 3, 0), ("1,000.5", 1000.5, 1)],
)  # fmt: skip
def test_numbers_as_people_write_them(text, value, decimals):
    assert numbers.parsed(text) == numbers.Given(value, decimals)


@pytest.mark.parametrize(
    "text", ["", "1,00", "one", "1 2", "0x10", "1e9999", "--1", "1/2/3", "٣..", None, ["1"], "nan"]
)
def test_what_is_no_number(text):
    with pytest.raises(Unreadable):
        numbers.parsed(text)
