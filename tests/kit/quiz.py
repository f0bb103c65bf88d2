"""A paper of concept questions, one of each form, and how its answers are marked."""

from __future__ import annotations

from pathlib import Path

from grader.course import COMMON
from grader.questions import questions

HALF = "def half(x):\n    return x / 2\n"
PAPER = '''
import torch
from grader.questions import Choice, Number, Numbers, Table, Written, question
from grader.suites import expect

OPTIONS = {"a": "yes", "b": "no", "c": "perhaps"}

@question(2, Number(3))
def a_third(lab):
    """What is a third of {x}?"""
    lab.put(x=1)
    lab.wrong_answer("halved", lab.solution("half").half(1.0), "that is a half")
    lab.show("a third", torch.tensor([[1 / 3]]))
    return 1 / 3

@question(1, Choice(OPTIONS))
def one(lab):
    """Which one?"""
    return "b"

@question(1, Choice(OPTIONS, many=True))
def some(lab):
    """Which ones?"""
    lab.wrong_answer("no_too", ["a", "b", "c"], "no is none of them")
    lab.wrong_answer("no_alone", ["b"], "it is the other way round")
    return ["a", "c"]

@question(1, Choice(OPTIONS, ordered=True))
def order(lab):
    """In which order?"""
    return ["c", "a", "b"]

@question(1, Numbers((2, 2)))
def matrix(lab):
    """Which matrix?"""
    lab.wrong_answer("no_sign", [[1, 0.25], [0.125, 3]], "the last one is negative")
    return torch.tensor([[1.0, 0.25], [0.125, -3.0]])

@question(1, Table(("first", "second"), ("x", "y"), Choice({"same": "same", "changes": "changes"})))
def table(lab):
    """Which cells change?"""
    all_change = [["changes", "changes"], ["changes", "changes"]]
    lab.wrong_answer("all", all_change, "the first x stays")
    return [["same", "changes"], ["changes", "changes"]]

def zero_sum(given):
    expect(given.sum().abs() < 1e-6, "they do not sum to 0")

@question(1, Numbers((3,)), accepts=zero_sum)
def construct(lab):
    """Three numbers that sum to 0."""
    return [1, 2, -3]

@question(1, Number(0))
def drawn(lab):
    """What is {n} plus 1?"""
    n = int(torch.randint(1000, (), generator=lab.draw()))
    lab.put(n=n)
    return n + 1

@question(3, Written(("says why", "gives an example")))
def essay(lab):
    """Explain it."""
'''
SHEET_NAMES = {
    "first": ("a_number", "some_letters", "a_vector", "a_table", "a_matrix"),
    "second": ("one_letter", "an_order", "an_essay", "shared_name"),
    "third": ("last_number", "shared_name"),
}
SHEET_PROSE = ("second/an_essay",)


def paper_in(folder: Path, lang: str = "en") -> questions.Paper:
    """The paper, written into a folder with its one solution, of a course in this language."""
    (folder / "half.py").write_text(HALF, encoding="utf-8")
    (folder / "q.py").write_text(PAPER, encoding="utf-8")
    return questions.Paper(folder / "q.py", folder, lang=lang)


def marked(paper: questions.Paper, answers: object, variant: str = COMMON) -> dict[str, tuple[str, str, str]]:
    """Verdict, reason and name of the wrong answer, by question."""
    found = paper.mark(answers, variant)
    return {
        r.id: (r.verdict, r.reason.to("en"), wrong_answer.name if wrong_answer else "") for r, wrong_answer in found
    }
