"""Questions about a file's results as they are: where they are wrong, and which known mistakes they would hide."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence

from grader.report.oral_exam import Option
from grader.suites import Call, LocalTarget, Outcome
from grader.texts import Text
from grader.viva import wording
from grader.viva.material import Draft, Material
from grader.viva.runs import same

INPUTS = 6  # that known mistakes are tried on


def wrong(m: Material) -> Iterator[Draft]:
    """For which inputs does the file not give what is asked for? It differs from the solution, and a check fails."""
    bad = [i for i in m.certain() if m.wrong(i) and m.inputs[i].one_right]
    failed = m.code.failed(m.suites, m.exercise) if bad else []
    bad = [i for i in bad if any(m.inputs[i].made.same(call) for call in failed)]
    good = [i for i in m.certain() if m.wrong(i) is False]
    if chosen := m.mixed(bad, good):
        options = [Option(m.inputs[i].words, bool(m.wrong(i)), _against_due(m, i)) for i in chosen]
        yield Draft(m.question("wrong", wording.WRONG, options))


def mistakes(m: Material) -> Iterator[Draft]:
    """Which known mistakes would not show on one input?"""
    indices = m.certain()
    m.rng.shuffle(indices)
    for i in indices[:INPUTS]:
        told = _mistaken(m, m.calls[i], m.results[i])
        hidden = [text for text, (agree, _) in told.items() if agree]
        shown = [text for text, (agree, _) in told.items() if not agree]
        if chosen := m.mixed(hidden, shown):
            options = [Option(text, told[text][0], _against_mine(m, i, *told[text])) for text in chosen]
            text = wording.MISTAKES.format(call=m.inputs[i].words)
            yield Draft(m.question("mistakes", text, options), functools.partial(_still, m, i, options))


def _still(m: Material, index: int, options: Sequence[Option]) -> bool:
    """Whether it is so with other numbers too, where nobody is told which."""
    other = m.inputs[index].other
    if other is None:
        return True
    told = _mistaken(m, other, m.others([index])[0])
    return all(o.text in told and told[o.text][0] == o.right for o in options)


def _mistaken(m: Material, call: Call, result: Outcome | None) -> dict[Text, tuple[bool, Outcome]]:
    """Of each known mistake whether it gives this result, and what it gives."""
    found = {}
    for known in m.suite.misconceptions:
        if call.function in known.functions and not known.stub and known.message:
            theirs = LocalTarget({**m.suite.reference, **known.functions}).call(call)
            if (agree := same(theirs, result)) is not None:
                found[known.message] = agree, theirs
    return found


def _against_due(m: Material, index: int) -> Text:
    mine, due = m.result(index), m.said(index, m.due[index])
    if not m.wrong(index):
        return wording.GIVES.format(result=mine)
    return wording.OTHER_ENTRIES.format(result=mine) if mine == due else wording.GIVES_DUE.format(result=mine, due=due)


def _against_mine(m: Material, index: int, agree: bool, theirs: Outcome) -> Text:
    mine, other = m.result(index), m.said(index, theirs)
    if agree:
        return wording.STAYS.format(result=mine)
    told = wording.OTHER_ENTRIES if mine == other else wording.OTHER_RESULT
    return told.format(result=other, mine=mine)
