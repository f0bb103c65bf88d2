"""Questions about a file's results as they are: where they are wrong, and which known mistakes they would hide."""

from __future__ import annotations

from collections.abc import Iterator

from grader.report.oral_exam import Option
from grader.suites import LocalTarget, Outcome
from grader.texts import Text
from grader.viva import wording
from grader.viva.drafts import Draft, input_option, mixed, question, result
from grader.viva.material import Material
from grader.viva.runs import same

INPUTS = 6  # that known mistakes are tried on


def wrong(m: Material) -> Iterator[Draft]:
    """For which inputs does the file not give what is asked for?"""
    bad = [i for i in m.certain() if m.wrong(i)]
    good = [i for i in m.certain() if m.wrong(i) is False]
    if chosen := mixed(m, bad, good):
        options = [input_option(m, i, bool(m.wrong(i)), _against_due(m, i)) for i in chosen]
        yield Draft(question("wrong", m, wording.WRONG, options), lambda: True)


def mistakes(m: Material) -> Iterator[Draft]:
    """Which known mistakes would not show on one input?"""
    indices = m.certain()
    m.rng.shuffle(indices)
    for i in indices[:INPUTS]:
        told = _mistaken(m, i)
        hidden = [text for text, (agree, _) in told.items() if agree]
        shown = [text for text, (agree, _) in told.items() if not agree]
        if chosen := mixed(m, hidden, shown):
            options = [Option(text, told[text][0], _against_mine(m, i, *told[text])) for text in chosen]
            text = wording.MISTAKES.format(call=m.inputs[i].words)
            yield Draft(question("mistakes", m, text, options), lambda: True)


def _mistaken(m: Material, index: int) -> dict[Text, tuple[bool, Outcome]]:
    """Of each known mistake whether it gives what the file gives, and what it gives."""
    call, found = m.calls[index], {}
    for known in m.suite.misconceptions:
        if call.function in known.functions and not known.stub and known.message.en:
            theirs = LocalTarget({**m.suite.reference, **known.functions}).call(call)
            if (agree := same(theirs, m.results[index])) is not None:
                found[known.message] = agree, theirs
    return found


def _against_due(m: Material, index: int) -> Text:
    mine, due = m.results[index], m.due[index]
    assert mine is not None
    assert due is not None
    said, asked = wording.result(mine), wording.result(due)
    if not m.wrong(index):
        return wording.GIVES.format(result=said)
    return (
        wording.OTHER_ENTRIES.format(result=said) if said == asked else wording.GIVES_DUE.format(result=said, due=asked)
    )


def _against_mine(m: Material, index: int, agree: bool, theirs: Outcome) -> Text:
    mine, said = result(m, index), wording.result(theirs)
    if agree:
        return wording.STAYS.format(result=mine)
    return (
        wording.OTHER_ENTRIES.format(result=mine)
        if said == mine
        else wording.OTHER_RESULT.format(result=said, mine=mine)
    )
