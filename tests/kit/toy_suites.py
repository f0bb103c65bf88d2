"""Suites to try the engine on: those of the toy course, and a suite of one exercise `f` that a test writes itself."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path

from support import TOY

from grader.suites.local import LocalTarget
from grader.suites.runner import Suites
from grader.suites.script import NothingAhead
from grader.suites.target import Call, Outcome

IDS = ("scale", "pair")
HEAD = (
    "import torch\nfrom grader.suites import dtypes, error_bound, laws, misconception, misconceptions, oracle, points\n"
)


def toy_suites() -> Suites:
    """The suites of `scale` and `pair`."""
    return Suites({i: TOY / "tests/hidden" / f"{i}.py" for i in IDS}, {i: TOY / "solutions" / f"{i}.py" for i in IDS})


def course(
    folder: Path, suite: str, solution: str = "def f(x):\n    return x\n", accepts: Sequence[str] = ()
) -> Suites:
    """Suites of one exercise `f`, written into this folder."""
    hidden, solved = folder / "hidden", folder / "solutions"
    for place, text in ((hidden, suite), (solved, solution)):
        place.mkdir()
        (place / "f.py").write_text(text, encoding="utf-8")
    return Suites({"f": hidden / "f.py"}, {"f": solved / "f.py"}, accepts=accepts)


def right(x, factor=2.0):
    """What `scale` asks for."""
    if factor == 0:
        raise ValueError("0")
    return x * factor


def refusing(formula):
    """A function of x and k that refuses k = 0 and else is this formula."""

    def f(x, k=2.0):
        if k == 0:
            raise ValueError
        return formula(x, k)

    return f


class OneByOne(NothingAhead, LocalTarget):
    """Functions of ours that are asked call by call, so that the body of each check runs."""


class Written(OneByOne):
    """Functions whose ValueError comes from a line of their file that raises it."""

    def call(self, call: Call) -> Outcome:
        outcome = super().call(call)
        if outcome.raised is None or not outcome.raised.refuses:
            return outcome
        raised = dataclasses.replace(outcome.raised, lines=(3,), code="raise ValueError")
        return dataclasses.replace(outcome, raised=raised)
