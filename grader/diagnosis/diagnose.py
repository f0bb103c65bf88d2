"""Collects everything that is said about why an exercise failed, in the order in which it is said."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import msgspec

from grader.diagnosis import conditions, first_wrong_step, general, misconceptions, trials
from grader.diagnosis.comparing import Promise, agree
from grader.diagnosis.conditions import Rehearsed
from grader.diagnosis.evidence import Evidence, checks_of, collected
from grader.diagnosis.replaying import Ask
from grader.report import Diagnosis
from grader.suites import CheckResult, NoAnswer, Outcome, Suite
from grader.texts import SENTENCES, Text, joined, translated

REMEMBERS = translated(
    "The same call alone is right: something is remembered between calls (a global, a default argument, an attribute "
    "of the class). Compute every result from the arguments of its own call."
)
TELLING_LITTLE = ("general/nearly", "general/no_gradient", "general/changes_input", "general/changes_form")
CHANGING = ("general/random", "general/remembers")


def gathered(suite: Suite, results: Sequence[CheckResult]) -> list[Evidence]:
    """Return the evidence in the results of a suite's checks; what is found out about it is kept with it."""
    return collected(results, suite.reference, suite.key.free)


def diagnose(
    exercise: str, suite: Suite, results: Sequence[CheckResult], alone: Ask, evidence: Sequence[Evidence] | None = None
) -> list[Diagnosis]:
    """Return the exercise's own misconceptions behind the failed checks, then mistakes that any function can have.

    evidence: in these results, if it is gathered already.
    """
    evidence = gathered(suite, results) if evidence is None else evidence
    own = misconceptions.match(evidence, suite.reference, suite.misconceptions, alone)
    found = [Diagnosis(f"{exercise}/{m.misconception.name}", m.misconception.message, m.checks) for m in own]
    found += general.match(evidence, own)
    rounded = general.rounded(evidence)
    if rounded and any(set(rounded.checks) < set(f.checks) for f in found):
        rounded = None  # a known mistake says what is rounded, and explains more
    if rounded:
        found = [f for f in found if not set(f.checks) <= set(rounded.checks)]  # no gradient, say, as rounding has none
        found.insert(0, rounded)
    told = {check for f in found for check in f.checks}
    left = (e for e in evidence if e.check not in told and e.broken("value"))
    wrong = sorted(left, key=lambda e: e.call.turns)  # those made by themselves first
    if wrong and _right(wrong[0], alone):
        found = [f for f in found if f.misconception != "general/other_device"]  # it may be what was remembered
        found.insert(0, Diagnosis("general/remembers", REMEMBERS, checks_of(wrong)))
    elif wrong and not rounded and (more := trials.tried(wrong, evidence, suite.reference, alone)):
        found.insert(0, more)
    order = {r.id: n for n, r in enumerate(results) if r.failed}
    shown = [
        msgspec.structs.replace(f, checks=tuple(sorted(order.keys() & {*f.checks}, key=order.__getitem__)))
        for f in _said_once(found)
    ]
    return [f for f in shown if f.checks]


def settled(suite: Suite, evidence: Sequence[Evidence]) -> bool:
    """Return True if one mistake explains all that failed, so that calls with other inputs would name no other."""
    return misconceptions.one_explains_all(evidence, suite.misconceptions)


def located(
    suite: Suite, evidence: Sequence[Evidence], found: Sequence[Diagnosis], source: str, alone: Ask,
    rehearsed: Rehearsed,
) -> Text | None:  # fmt: skip
    """Say in which calls wrong answers come, and on which line of the file, if experiments show it.

    The line is given only for code in torch. If a call gives different results each time, the result is None. If a
    mistake of the exercise is named, its name implies the calls.
    """
    if any(f.misconception in CHANGING for f in found):
        return None
    kinds, told = {f.misconception.partition("/")[0] for f in found}, list[Text]()
    if kinds <= {"general"}:
        values: list[Promise] = [] if any(f.misconception not in TELLING_LITTLE for f in found) else ["value"]
        promises: list[Promise] = [*values, "gradient", "input"]
        told += filter(None, [conditions.told(evidence, suite.reference, promises, rehearsed, alone)])
    if suite.kind == "torch":
        told += filter(None, [first_wrong_step.told(evidence, suite, source, alone)])
    return joined(SENTENCES, told) if told else None


def _said_once(found: Sequence[Diagnosis]) -> list[Diagnosis]:
    """Merge mistakes with the same words: their checks go to the first of them."""
    said: dict[Text, Diagnosis] = {}
    for f in found:
        first = said.get(f.message, f)
        said[f.message] = msgspec.structs.replace(first, checks=tuple(dict.fromkeys((*first.checks, *f.checks))))
    return list(said.values())


def _right(evidence: Evidence, alone: Ask) -> bool:
    """Return True if the call is right when made alone; of several in a row, the first that came out wrong."""
    call, due = evidence.call, evidence.due
    try:
        if not call.turns:
            return agree("value", call, alone(call), due)
        if evidence.student.raised:
            return False  # whichever of them it was
        pairs = enumerate(zip(evidence.student.value, due.value, strict=True))
        first = next(i for i, (came, asked) in pairs if not agree("value", call, _of(due, came), _of(due, asked)))
        made = call.made and dataclasses.replace(call.made, objects=1)
        came = alone(dataclasses.replace(call, args=call.args[first], turns=False, made=made))
        return agree("value", call, came, _of(came, due.value[first]))
    except NoAnswer:
        return False


def _of(outcome: Outcome, value: Any) -> Outcome:
    return dataclasses.replace(outcome, value=value)
