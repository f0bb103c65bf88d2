"""Questions about where a file's results are wrong."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence

from grader.suites import LocalTarget
from grader.texts import Text
from grader.viva import wording
from grader.viva.material import Draft, Material
from grader.viva.runs import same


def wrong(m: Material) -> Iterator[Draft]:
    """Yield questions that ask for which input the file is wrong: it differs from the solution, and a check fails."""
    bad = [i for i in m.certain() if m.wrong(i) and m.inputs[i].one_right]
    failed = m.code.failed(m.suites, m.exercise) if bad else []
    bad = [i for i in bad if any(m.inputs[i].made.same(call) for call in failed)]
    good = [i for i in m.certain() if m.wrong(i) is False]
    for chosen in m.few(bad, good):
        options = m.options(chosen, [bool(m.wrong(i)) for i in chosen], functools.partial(_against_due, m))
        yield Draft(m.question("wrong", wording.WRONG, options, single=True), functools.partial(_still, m, chosen))


def _still(m: Material, chosen: Sequence[int]) -> bool:
    """Return True if the same inputs are wrong with other numbers too, where the numbers are not shown."""
    opened = [i for i in chosen if m.inputs[i].other]
    right, calls = LocalTarget(m.suite.reference), (m.inputs[i].other for i in opened)
    due = [right.call(call) for call in calls if call]
    told = [same(a, b) for a, b in zip(m.others(opened), due, strict=True)]
    return told == [not m.wrong(i) for i in opened]


def _against_due(m: Material, index: int) -> Text:
    mine, due = m.result(index), m.said(index, m.due[index])
    if not m.wrong(index):
        return wording.GIVES.format(result=mine)
    return wording.OTHER_ENTRIES.format(result=mine) if mine == due else wording.GIVES_DUE.format(result=mine, due=due)
