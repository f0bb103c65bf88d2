"""Compares a student's steps with the solution's, and finds the line of the file where a result goes wrong."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Iterator, Sequence
from typing import Literal

from grader.arrays import Tensor, torch
from grader.closeness import VISIBLE
from grader.diagnosis import steps
from grader.diagnosis.comparing import agree
from grader.diagnosis.evidence import Evidence
from grader.diagnosis.replaying import Ask, is_plain
from grader.diagnosis.step import MOST_STEPS, Step, claimed, near, same, turned
from grader.diagnosis.steps import Run, Slip, Solution, Way
from grader.pytree import arrays_of
from grader.suites import Call, NoAnswer, Outcome, Suite
from grader.texts import NOTHING, SENTENCES, Text, joined, listed, one_line, plain, translated

CALLS = 3  # that have to say the same
LARGE = 8.0  # a number that saturates a softmax
LONGEST = 80  # characters of a line
HERE = translated("It goes wrong on line {line}: {what}")
HERE_IN = translated("It goes wrong on line {line}, `{code}`: {what}", hint=HERE.key)
CALLED_IN = translated(
    "It goes wrong on line {line}, `{code}`, called from line {callers}: {what}",
    hint="It goes wrong on line {line}, called from line {callers}: {what}",
)
BEHIND = translated("After line {line} a step is missing: {what}")
BEHIND_IT = translated("After line {line}, `{code}`, a step is missing: {what}", hint=BEHIND.key)
BEHIND_CALL = translated(
    "After line {line}, `{code}`, called from line {callers}, a step is missing: {what}",
    hint="After line {line}, called from line {callers}, a step is missing: {what}",
)
TIMES = translated("it gives {factor} times what is needed there.")
SOME_TIMES = translated("it gives {factor} times what is needed there, depending on the call.")
MORE = translated("it gives {number} more than is needed there.")
LESS = translated("it gives {number} less than is needed there.")
MOVED = translated("it gives the right numbers, but not in the order that is needed there.")
OTHER = translated("{wrong} of the {count} numbers that it gives differ from those that are needed there.")
SOME = translated("it gives something else than is needed there.")
ALL_ELSE = translated("The tensors that go into it are right, and so is all that follows in this call.")
ALL_AFTER = translated("All that follows in this call is right.")
THEN = translated("The tensors that go into it are right.")
WRONG, MISSING = (CALLED_IN, HERE_IN, HERE), (BEHIND_CALL, BEHIND_IT, BEHIND)


State = Literal["right", "wrong", "other", "unknown"]


@dataclasses.dataclass(frozen=True, eq=False)
class Beside:
    """A step and its counterpart in the solution, with the axes in the student's order.

    wrong: it stands for a step of the solution with other values. other: no step of the solution corresponds to it.
    unknown: its values are not known. first: True if the result is wrong from here on.
    """

    step: Step
    state: State
    expected: Tensor | None = None
    first: bool = False


def told(evidence: Sequence[Evidence], suite: Suite, source: str, ask: Ask) -> Text | None:
    """Return the one or two wrong steps, if several calls agree on their lines."""
    found = _common(list(_each(_plain(evidence), suite, ask)))
    if not found:
        return None
    lines = source.splitlines()
    said = [_said(slips, lines, last=slips is found[-1]) for slips in found]
    return joined(SENTENCES, said)


def _plain(evidence: Sequence[Evidence]) -> list[Evidence]:
    """Return the wrong calls of the first wrong function, those with ordinary inputs first.

    Not those whose result is a word or a number, to which many wrong values lead.
    """
    wrong = [
        e for e in evidence
        if e.broken("value") and not (e.student.raised or e.due.raised) and is_plain(e.call)
        and arrays_of(e.due.value)
    ]  # fmt: skip
    alike = [e for e in wrong if e.call.function == wrong[0].call.function]
    return sorted({id(e.call): e for e in alike}.values(), key=lambda e: oddness(e.call))


def oddness(call: Call) -> tuple[float, ...]:
    """Return a sort key: large numbers, sizes of 1 and equal sizes, which hide differences; then how large."""
    tensors = [a for a in call.arrays if isinstance(a, Tensor)]
    real = [t for t in tensors if t.is_floating_point() and t.numel()]
    return (
        any(float(t.abs().max()) > LARGE or not bool(t.isfinite().all()) for t in real),
        any(1 in t.shape for t in tensors),
        any(len({*t.shape}) < t.ndim for t in tensors),
        sum(t.numel() for t in tensors),
    )


def _each(wrong: Sequence[Evidence], suite: Suite, ask: Ask) -> Iterator[list[Way]]:
    """Yield the ways that explain each of a few calls; after the first call, only ways on the same lines."""
    seen = explained = 0
    lines: set[int] = set()
    for e in wrong[: 2 * CALLS]:
        try:
            came = ask(dataclasses.replace(e.call, record="steps"))
        except NoAnswer:
            return
        taken = claimed(came)
        if came.raised or not taken or not agree("value", e.call, came, e.student):
            continue  # something is remembered, or random
        function = suite.reference[e.call.function]
        found = steps.ways(e.call, came, taken, steps.solution(function, file_of(function), e.call), lines)
        lines |= {slip.line for way in found for slip in way}
        yield found
        seen, explained = seen + 1, explained + bool(found)
        if seen == CALLS or seen - explained == 2:
            return


def file_of(function: Callable[..., object]) -> str:
    made = function.__init__ if inspect.isclass(function) else function
    code = getattr(inspect.unwrap(made), "__code__", None)
    return code.co_filename if code else ""


def _common(each: Sequence[Sequence[Way]]) -> list[list[Slip]]:
    """Return the way on the same lines in every explained call, with the fewest steps, then the earliest.

    Each of its steps is given for each of these calls.
    """
    explained = [{tuple(s.line for s in way): way for way in reversed(found)} for found in each if found]
    if not explained or (len(each) > 1 and len(explained) < 2):
        return []
    common = {*explained[0]}.intersection(*explained[1:])
    if not common:
        return []
    lines = min(common, key=lambda way: (len(way), way))
    return [list(slips) for slips in zip(*(ways[lines] for ways in explained), strict=True)]


def _said(slips: Sequence[Slip], lines: Sequence[str], last: bool) -> Text:
    line, before = slips[0].line, all(slip.before for slip in slips)
    code = one_line(lines[line - 1].strip(), LONGEST) if 0 < line <= len(lines) else ""
    facts = {"line": line, "what": _differs([_what(slip.came, slip.due) for slip in slips])}
    callers = [*dict.fromkeys(str(slip.caller) for slip in slips if slip.caller != line)]
    called, here, nowhere = MISSING if all(slip.missing for slip in slips) else WRONG
    if code and callers:
        said = called.format(code=plain(code), callers=listed(callers), **facts)
    else:
        said = here.format(code=plain(code), **facts) if code else nowhere.format(**facts)
    rest = (ALL_ELSE if before else ALL_AFTER) if last else THEN if before else NOTHING
    return joined(SENTENCES, [said, rest]) if rest else said


def _differs(facts: Sequence[Text]) -> Text:
    """Return what is seen in all calls; if that differs, the difference in the first of them."""
    first = facts[0]
    if {fact.key for fact in facts} == {TIMES.key}:
        factors = dict.fromkeys(str(fact.values["factor"]) for fact in facts)
        return (SOME_TIMES if len(factors) > 1 else TIMES).format(factor=listed([*factors]))
    return first if all(fact == first for fact in facts) or first.key == OTHER.key else SOME


def _what(came: Tensor, due: Tensor) -> Text:
    """Say how the computed value differs from the needed one."""
    one, other = came.double().flatten(), due.double().flatten()
    both = one.isfinite() & other.isfinite()
    if came.is_floating_point() and both.all():
        factor, number = float(one.norm() / other.norm().clamp_min(1e-12)), float((one - other).mean())
        for signed in (factor, -factor):
            if near(one, other * signed):
                return TIMES.format(factor=f"{signed:.4g}")
        if near(one, other + number):
            return (MORE if number > 0 else LESS).format(number=f"{abs(number):.4g}")
    if near(one.sort().values, other.sort().values):
        return MOVED
    apart = ~torch.isclose(one, other, rtol=VISIBLE, atol=VISIBLE, equal_nan=True)
    return OTHER.format(wrong=int(apart.sum()), count=one.numel())


def beside(call: Call, came: Outcome, taken: Sequence[Step], run: Solution) -> list[Beside]:
    """Return each of the student's steps with its counterpart in the solution.

    A step before the first wrong one is the solution's if it has its value. A later step is the solution's if the
    solution also reaches its value once the wrong values stand in it.
    """
    base = run({})
    own, way = steps.own_steps(taken, base), _way(call, came, taken, base, run)
    after = run(way[-1].instead) if way else base
    slips = {slip.step: slip for slip in way}
    found = []
    for k, step in enumerate(taken):
        at = own[k]
        if k in slips:
            found.append(_wrong(step, slips[k].due, first=k == min(slips)))
        elif not step.entries.numel():
            found.append(Beside(step, "unknown"))
        elif at is not None and (value := _as_in(step.value, base.steps[at].value, same=True)) is not None:
            found.append(Beside(step, "right", value))
        else:
            follows = next((i for i, other in enumerate(after.steps) if way and same(step, other)), len(base.steps))
            due = base.steps[follows] if follows < len(base.steps) else None
            found.append(_wrong(step, due.value if due and due.entries.numel() else None))
    return found


def _way(call: Call, came: Outcome, taken: Sequence[Step], base: Run, run: Solution) -> Way:
    """Return the fewest steps that explain a wrong result; none if that is not known."""
    if came.raised or base.outcome.raised or len(taken) > MOST_STEPS or agree("value", call, came, base.outcome):
        return ()
    return min(steps.ways(call, came, taken, run), key=lambda way: (len(way), way[0].step), default=())


def _wrong(step: Step, due: Tensor | None, first: bool = False) -> Beside:
    value = None if due is None else _as_in(step.value, due)
    return Beside(step, "other" if value is None else "wrong", value, first)


def _as_in(value: Tensor, due: Tensor, same: bool = False) -> Tensor | None:
    """Return the expected value in the shape of the actual one, in the order of axes in which they agree if there is
    one.

    same: only where they agree, including the signs of infinities.
    """
    fitting = list(turned(due, value.shape))
    close = (t for t in fitting if near(value, t))
    signs = (Tensor.isposinf, Tensor.isneginf)
    alike = (t for t in close if all(bool((sign(value) == sign(t)).all()) for sign in signs))
    return next(alike, fitting[0] if fitting and not same else None)
