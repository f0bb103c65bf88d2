"""Questions about one change of a student's own lines: what it does to the results, and for which inputs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grader.report.oral_exam import Kind, Option
from grader.suites import Outcome
from grader.texts import NOTHING, Text
from grader.viva import wording
from grader.viva.material import OPTIONS, Draft, Material, Mutant, change

TRIES = 6  # inputs of one change


def inputs(m: Material, mutant: Mutant) -> Iterator[Draft]:
    """For which inputs does the result change? Where only edges do: which one of these?"""
    moved = [i for i in m.certain() if mutant.changed[i]]
    kept = [i for i in m.certain() if mutant.changed[i] is False]
    for function in sorted({m.calls[i].function for i in moved}):
        ours, theirs = ([i for i in part if m.calls[i].function == function] for part in (moved, kept))
        edges_only = all(m.inputs[i].edge for i in ours) and any(not m.inputs[i].edge for i in theirs)
        if edges_only and len(theirs) >= OPTIONS - 1:
            smallest = min(ours, key=lambda i: m.inputs[i].size)
            chosen = [smallest, *m.rng.sample(theirs, OPTIONS - 1)]
            m.rng.shuffle(chosen)
            yield _draft("why", m, wording.WHY, [_option(m, mutant, i) for i in chosen], mutant, chosen, single=True)
        elif chosen := m.mixed(ours, theirs):
            yield _draft("change", m, wording.CHANGE, [_option(m, mutant, i) for i in chosen], mutant, chosen)


def results(m: Material, mutant: Mutant, mutants: Sequence[Mutant]) -> Iterator[Draft]:
    """What does the file give after the change? The other options are what it gives now and after other changes."""
    moved = [i for i in m.certain() if mutant.changed[i] and _readable(mutant.results[i])]
    moved.sort(key=lambda i: (not m.inputs[i].full, bool((r := mutant.results[i]) and r.raised), m.rng.random()))
    for i in moved[:TRIES]:
        mine, right = m.result(i), m.said(i, mutant.results[i])
        possible = [o for o in (m.results[i], *(x.results[i] for x in mutants)) if o is not None and _readable(o)]
        others = sorted({m.said(i, o) for o in possible} - {right}, key=lambda text: text.to("en"))
        if right != mine and len(others) >= OPTIONS - 1:
            shown = [right, *m.rng.sample(others, OPTIONS - 1)]
            m.rng.shuffle(shown)
            options = [
                Option(text, text == right, _proof(m, mutant, i) if text == right else NOTHING) for text in shown
            ]
            yield _draft("result", m, wording.RESULT.format(call=m.inputs[i].words), options, mutant, [i], single=True)
            return


def _draft(
    kind: Kind, m: Material, text: Text, options: Sequence[Option], mutant: Mutant, chosen: Sequence[int],
    single: bool = False,
) -> Draft:  # fmt: skip
    asked = m.question(kind, text, options, change(m.code.source, mutant.edit), single)
    return Draft(asked, lambda: m.again(mutant, chosen))


def _option(m: Material, mutant: Mutant, index: int) -> Option:
    return Option(m.inputs[index].words, bool(mutant.changed[index]), _proof(m, mutant, index))


def _proof(m: Material, mutant: Mutant, index: int) -> Text:
    before, after = m.result(index), m.said(index, mutant.results[index])
    if not mutant.changed[index]:
        return wording.STAYS.format(result=before)
    if before == after:
        return wording.OTHER_ENTRIES.format(result=before)
    return wording.BEFORE_AFTER.format(before=before, after=after)


def _readable(outcome: Outcome | None) -> bool:
    return outcome is not None and "nan" not in wording.result(outcome).to("en")
