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

OPTIONS = {"a": ("yes", "是"), "b": ("no", "否"), "c": ("perhaps", "也许")}

@question(2, Number(3))
def a_third(lab):
    """What is a third of {x}?

    {x} 的三分之一是多少？
    """
    lab.put(x=1)
    lab.wrong_answer("halved", lab.solution("half").half(1.0), "that is a half", "那是二分之一")
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
    lab.wrong_answer("no_too", ["a", "b", "c"], "no is none of them", "“否”不在其中")
    lab.wrong_answer("no_alone", ["b"], "it is the other way round", "正好相反")
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
    lab.wrong_answer("no_sign", [[1, 0.25], [0.125, 3]], "the last one is negative", "最后一个是负数")
    return torch.tensor([[1.0, 0.25], [0.125, -3.0]])

@question(1, Table(("first", "second"), ("x", "y"), Choice({"same": ("same", "不变"), "changes": ("changes", "改变")})))
def table(lab):
    """Which cells change?

    哪些格会改变？
    """
    all_change = [["changes", "changes"], ["changes", "changes"]]
    lab.wrong_answer("all", all_change, "the first x stays", "第一个 x 不变")
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


def paper_in(folder: Path) -> questions.Paper:
    """The paper, written into a folder with its one solution."""
    (folder / "half.py").write_text(HALF, encoding="utf-8")
    (folder / "q.py").write_text(PAPER, encoding="utf-8")
    return questions.Paper(folder / "q.py", folder)


def marked(paper: questions.Paper, answers: object, variant: str = COMMON) -> dict[str, tuple[str, str, str]]:
    """Verdict, reason and name of the wrong answer, by question."""
    found = paper.mark(answers, variant)
    return {r.id: (r.verdict, r.reason.en, wrong_answer.name if wrong_answer else "") for r, wrong_answer in found}
