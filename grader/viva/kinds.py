"""The kinds of questions: on wrong results, on one change of the student's own lines, and on a variable's values."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator, Sequence

from grader.arrays import Tensor, torch
from grader.report.oral_exam import Option
from grader.suites import Call, ExpectedCall, LocalTarget, Outcome
from grader.texts import NOTHING, Text, plain
from grader.viva import wording
from grader.viva.inputs import tensors, with_values
from grader.viva.material import OPTIONS, Draft, Material, Mutant, change, named
from grader.viva.runs import alike, records, same

CALLS = 3  # that are recorded
TRIES = 8  # choices of options
CHANGE_TRIES = 3  # inputs of one change, and choices of options for each
Place = tuple[int, str]
Record = tuple[int, str, Tensor]


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


def changed_input(m: Material, mutant: Mutant) -> Iterator[Draft]:
    """Yield questions that ask which one of a few small inputs gives another result after the change, if any."""
    moved = [i for i in m.certain() if mutant.changed[i]]
    kept = [i for i in m.certain() if mutant.changed[i] is False]
    for function in sorted({m.calls[i].function for i in moved}):
        for chosen in m.few(*([i for i in part if m.calls[i].function == function] for part in (moved, kept))):
            options = m.options(chosen, [bool(mutant.changed[i]) for i in chosen], functools.partial(_proof, m, mutant))
            text = wording.INPUT.format(change=named(m.code.source, mutant.edit))
            asked = m.question("input", text, options, change(m.code.source, mutant.edit), single=True)
            yield Draft(asked, functools.partial(m.again, mutant, chosen))


def changed_result(m: Material, mutant: Mutant, mutants: Sequence[Mutant]) -> Iterator[Draft]:
    """Yield questions that ask what the file gives after the change, among its results now and after other changes."""
    moved = [i for i in m.certain() if mutant.changed[i] and _readable(mutant.results[i])]
    moved.sort(key=lambda i: (not m.inputs[i].full, m.rng.random()))
    for i in moved[:CHANGE_TRIES]:
        mine, right = m.result(i), m.said(i, mutant.results[i])
        possible = [o for o in (m.results[i], *(x.results[i] for x in mutants)) if _readable(o)]
        printed = {text.to("en"): text for text in (m.said(i, o) for o in possible)}  # a list looks as a tensor does
        others = [text for said, text in sorted(printed.items()) if said != right.to("en")]
        for _ in range(CHANGE_TRIES if right.to("en") != mine.to("en") and len(others) >= OPTIONS - 1 else 0):
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


def variables(m: Material) -> Iterator[Draft]:
    """Yield questions about a few inputs, those with most different lengths first: on shapes, then on what changes."""
    usable = [i for i in m.certain() if tensors(m.calls[i]) and (r := m.results[i]) and not r.raised]
    lengths = [len({n for t in tensors(call) for n in t.shape}) for call in m.calls]
    usable.sort(key=lambda i: (m.inputs[i].edge, -lengths[i], m.rng.random()))
    for i in usable[:CALLS]:
        call = dataclasses.replace(m.calls[i], record="variables")
        inputs = [
            (name, t) for name, t in ExpectedCall(call, m.suite.key).inputs() if isinstance(t, Tensor) and t.numel()
        ]
        moved = [_moved(call, name, t) for name, t in m.rng.sample(inputs, min(CALLS, len(inputs)))]
        once, again, *others = m.code.results([call, call, *(other for other, _ in moved)])
        if not (same(once, m.results[i]) and same(once, again)):
            continue
        seen = records(once)
        yield from shapes(m, i, seen)
        for (_, what), other in zip(moved, others, strict=True):
            yield from traces(m, i, what, seen, records(other))


def shapes(m: Material, index: int, seen: list[Record]) -> Iterator[Draft]:
    """Yield questions that ask which shape a variable has after a line."""
    places = [(line, name) for line, name, _ in seen]
    once = [r for r in seen if places.count(r[:2]) == 1 and r[2].dim() > 1]
    known = [list(v.shape) for _, _, v in seen]
    for line, name, value in once * TRIES:
        right = list(value.shape)
        centre = m.rng.choice([right, *_near(right, known)])  # so that the right one is not nearest to all others
        others = [o for o in _near(centre, known) if o != right]
        if len(others) < OPTIONS - 1:
            continue
        shown = [right, *m.rng.sample(others, OPTIONS - 1)]
        m.rng.shuffle(shown)
        proof = wording.HAS_SHAPE.format(shape=right)
        options = [Option(plain(str(s)), s == right, proof if s == right else NOTHING) for s in shown]
        text = wording.PREDICT.format(call=m.inputs[index].words, name=name, line=line)
        yield Draft(m.question("predict", text, options, single=True))


def _near(shape: list[int], seen: list[list[int]]) -> list[list[int]]:
    """Shapes that one may take for this one: axes exchanged, one more, less or another, those of other variables."""
    known = {n for s in seen for n in s}
    found = [s for s in seen if len(s) in (len(shape) - 1, len(shape), len(shape) + 1)]
    for i in range(len(shape)):
        found.append([*shape[:i], *shape[i + 1 :]])
        for length in sorted(known - {*shape} or known):
            found += [[*shape[:i], length, *shape[i + 1 :]], [*shape[:i], length, *shape[i:]]]
        found += [[*shape[:j], shape[i], *shape[j + 1 : i], shape[j], *shape[i + 1 :]] for j in range(i)]
    return [list(s) for s in dict.fromkeys(map(tuple, found)) if s]


def traces(m: Material, index: int, what: Text, once: list[Record], other: list[Record]) -> Iterator[Draft]:
    """Yield questions that ask which variables change when one thing in the input does."""
    if [r[:2] for r in once] != [r[:2] for r in other]:
        return  # it took another way through the lines
    told: dict[Place, list[bool | None]] = {}
    for (line, name, before), (_, _, after) in zip(once, other, strict=True):
        told.setdefault((line, name), []).append(alike(before, after))
    moved = [place for place, all_alike in told.items() if False in all_alike]
    kept = [place for place, all_alike in told.items() if set(all_alike) == {True}]
    names = [name for _, name in told]
    most = min(OPTIONS, len(moved) + len(kept))
    for _ in range(TRIES if most >= OPTIONS - 1 else 0):
        if chosen := _mixed(m, moved, kept, most):
            options = [
                Option(
                    wording.VARIABLE.format(name=name, line=line) if names.count(name) > 1 else plain(f"`{name}`"),
                    (line, name) in moved,
                    wording.MOVED if (line, name) in moved else wording.UNMOVED,
                )
                for line, name in chosen
            ]
            text = wording.TRACE.format(call=m.inputs[index].words, what=what)
            yield Draft(m.question("trace", text, options))


def _mixed(m: Material, right: Sequence[Place], others: Sequence[Place], most: int) -> list[Place]:
    """`most` variables in an order of chance, some of either sort, as many of each as chance says; maybe none."""
    counts = [n for n in range(1, most) if n <= len(right) and most - n <= len(others)]
    count = m.rng.choice(counts) if counts else 0
    chosen = [*m.rng.sample(right, count), *m.rng.sample(others, most - count)] if counts else []
    return m.rng.sample(chosen, len(chosen))


def _moved(call: Call, name: str, target: Tensor) -> tuple[Call, Text]:
    """The call with other values in one of its inputs, and what is other."""
    new = _other(target)
    said = wording.OTHER_VALUES if target.is_floating_point() else wording.OTHER_ENTRY
    return with_values(call, lambda leaf: new if leaf is target else leaf), said.format(name=name)


def _other(tensor: Tensor) -> Tensor:
    """Clearly other values; of a mask the last entry only."""
    if not tensor.is_floating_point():
        new = tensor.clone()
        last = new.view(-1)[-1:] if new.is_contiguous() else new.contiguous().view(-1)[-1:]
        last.copy_(~last if new.dtype is torch.bool else last + 1)
        return new
    steps = torch.linspace(-1.0, 1.5, tensor.numel(), dtype=torch.float64).reshape(tensor.shape)
    return (tensor.detach().double() * 0.5 + steps).to(tensor.dtype)
