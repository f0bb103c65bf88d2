"""Questions about one change of a student's own lines: what it does to the results, and for which inputs."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence

from grader.report.oral_exam import Option
from grader.suites import Outcome
from grader.texts import NOTHING, Text
from grader.viva import wording
from grader.viva.material import OPTIONS, Draft, Material, Mutant, change, named

TRIES = 3  # inputs of one change, and choices of options for each


def inputs(m: Material, mutant: Mutant) -> Iterator[Draft]:
    """Yield questions that ask which one of a few small inputs gives another result after the change, if any."""
    moved = [i for i in m.certain() if mutant.changed[i]]
    kept = [i for i in m.certain() if mutant.changed[i] is False]
    for function in sorted({m.calls[i].function for i in moved}):
        for chosen in m.few(*([i for i in part if m.calls[i].function == function] for part in (moved, kept))):
            options = m.options(chosen, [bool(mutant.changed[i]) for i in chosen], functools.partial(_proof, m, mutant))
            text = wording.INPUT.format(change=named(m.code.source, mutant.edit))
            asked = m.question("input", text, options, change(m.code.source, mutant.edit), single=True)
            yield Draft(asked, functools.partial(m.again, mutant, chosen))


def results(m: Material, mutant: Mutant, mutants: Sequence[Mutant]) -> Iterator[Draft]:
    """Yield questions that ask what the file gives after the change, among its results now and after other changes."""
    moved = [i for i in m.certain() if mutant.changed[i] and _readable(mutant.results[i])]
    moved.sort(key=lambda i: (not m.inputs[i].full, m.rng.random()))
    for i in moved[:TRIES]:
        mine, right = m.result(i), m.said(i, mutant.results[i])
        possible = [o for o in (m.results[i], *(x.results[i] for x in mutants)) if _readable(o)]
        printed = {text.to("en"): text for text in (m.said(i, o) for o in possible)}  # a list looks as a tensor does
        others = [text for said, text in sorted(printed.items()) if said != right.to("en")]
        for _ in range(TRIES if right.to("en") != mine.to("en") and len(others) >= OPTIONS - 1 else 0):
            shown = [right, *m.rng.sample(others, OPTIONS - 1)]
            m.rng.shuffle(shown)
            options = [
                Option(text, text == right, _proof(m, mutant, i) if text == right else NOTHING) for text in shown
            ]
            text = wording.RESULT.format(change=named(m.code.source, mutant.edit), call=m.inputs[i].words)
            asked = m.question("result", text, options, change(m.code.source, mutant.edit), single=True)
            yield Draft(asked, functools.partial(m.again, mutant, [i]))


def _proof(m: Material, mutant: Mutant, index: int) -> Text:
    before, after = m.result(index), m.said(index, mutant.results[index])
    if not mutant.changed[index]:
        return wording.STAYS.format(result=before)
    if before == after:
        return wording.OTHER_ENTRIES.format(result=before)
    return wording.BEFORE_AFTER.format(before=before, after=after)


def _readable(outcome: Outcome | None) -> bool:
    return outcome is not None and not outcome.raised and "nan" not in wording.result(outcome).to("en")
