"""Describes a mistake that is not a known one, by facts about the quoted result or else the smallest wrong one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
import numpy as np

from grader import arrays, pytree
from grader.arrays import Numpy
from grader.closeness import ALMOST_ZERO, VISIBLE, largest
from grader.diagnosis.comparing import agree, equal
from grader.diagnosis.replaying import replay
from grader.suites import Call, CheckResult, Outcome, Suite, result_form, upcast, wording
from grader.texts import Text, joined, translated

MOST = 3
MOST_PARTS = 4  # of a result, that are named
LONG_LIST = re.compile(r"\[((?:\d+, ){5})(?:\d+, ){4,}(\d+)\]")  # of ten numbers or more
BOTH = translated("{one}; {other}")
LISTED = translated("{one}, {other}")
UNKNOWN = translated("{reason}. It is none of the known mistakes.")
RIGHT_PARTS = translated("right: {parts}")
ALL_THE_SAME = translated("{part} is {number} in every entry")
TIMES = translated("{part} is {number} times the right one")
APART_BY = translated("{part} is off by the same number in every entry, {number}")
ELSEWHERE = translated("{part} has the right numbers, in other places")
RIGHT_ROWS = translated("{part} is right in {right} of {rows} rows; the first wrong one is row {first}, counted from 0")
BETWEEN = translated("{part} lies between {low} and {high}, the right one between {least} and {most}")
SEEN_HERE = translated("{reason}. It is none of the known mistakes; what can be seen: {facts}.", hint=UNKNOWN.key)
SEEN = translated("{reason}. It is none of the known mistakes; what can be seen in {call}: {facts}.", hint=UNKNOWN.key)
REASON = translated("{reason}")
BESIDE_HERE = translated("{reason}. What can be seen: {facts}.", hint=REASON.key)
BESIDE = translated("{reason}. What can be seen in {call}: {facts}.", hint=REASON.key)


def unrecognised(
    reason: Text, results: Sequence[CheckResult], suite: Suite, quoted: Call | None = None, others: bool = False
) -> Text:  # fmt: skip
    """Return the reason of a failure with the facts that the suite finds in it; unchanged if no result was wrong.

    Args:
        quoted: the call that the reason is about. If its result is wrong, facts are about it alone; if it raised, the
            reason says enough.
        others: whether known mistakes are behind other failures; one of them may be behind this one, too.
    """
    ways = (BESIDE_HERE, BESIDE, REASON) if others else (SEEN_HERE, SEEN, UNKNOWN)
    asked = [(r, call, outcome) for r in results if r.verdict == "failed" for call, outcome in r.calls]
    known = suite.facts
    if not (known or suite.misconceptions):  # visible examples know no mistake to compare with
        return reason
    if any(call is quoted and outcome.raised for _, call, outcome in asked):
        return reason
    wrong = [
        (call, o)
        for _, call, o in sorted(asked, key=lambda a: (a[1] is not quoted, sum(map(arrays.size, a[1].arrays))))
        if _comparable(call, o, replay(suite.reference, call))
    ]
    if not wrong:
        return reason
    for call, outcome in wrong[:1] if wrong[0][0] is quoted else wrong:
        if call.function in known and not (call.contract or call.turns or call.picks):  # facts are of one call
            arguments = upcast(call.args), upcast(dict(call.kwargs))
            seen = list(known[call.function](upcast(outcome.value), *arguments[0], **arguments[1]))[:MOST]
            if seen:
                return _told(ways[call is not quoted], reason, seen, call, suite)
    for call, outcome in wrong:
        if seen := list(_of_any(call, outcome, replay(suite.reference, call)))[:MOST]:
            return _told(ways[call is not quoted], reason, seen, call, suite)
    return ways[2].format(reason=reason)


def _told(said: Text, reason: Text, seen: Sequence[Text], call: Call, suite: Suite) -> Text:
    return said.format(reason=reason, call=suite.key.words(call), facts=joined(BOTH, map(_short, seen)))


def _of_any(call: Call, outcome: Outcome, due: Outcome) -> Iterator[Text]:
    """Yield facts about a wrong result of any function: its correct parts, and how the first other part differs."""
    if call.contract:
        return
    pairs = list(zip(pytree.leaves(outcome.value), pytree.leaves(due.value), strict=True))
    wrong = [n for n, (came, right) in enumerate(pairs) if not equal(came, right)]
    names = {n: result_form.part_of(due.value, n) for n in range(len(pairs))}
    if right := [name for n, name in names.items() if n not in wrong][:MOST_PARTS]:
        yield RIGHT_PARTS.format(parts=joined(LISTED, right))
    for n in wrong[:1]:
        came, right_one = map(arrays.exact, pairs[n])
        if np.isfinite(right_one).all():  # what is due may be infinite: the maximum where all keys are hidden
            yield _apart(came, right_one, names[n])


@np.errstate(over="ignore", invalid="ignore")  # of numbers that are large beyond all sense
def _apart(came: Numpy, due: Numpy, part: Text) -> Text:
    """Say how one tensor differs from the other of the same shape: the most specific true sentence."""
    reach = VISIBLE * max(largest(due), ALMOST_ZERO)
    first, factor = came.flat[0], float((came * due).sum() / max(float(np.square(due).sum()), ALMOST_ZERO))
    if came.size > 1 and np.ptp(came) <= reach < np.ptp(due):
        return ALL_THE_SAME.format(part=part, number=wording.number(first))
    if factor and (np.abs(came - factor * due) <= reach * abs(factor)).all():
        return TIMES.format(part=part, number=wording.number(factor))
    if came.size > 1 and np.ptp(came - due) <= reach:
        return APART_BY.format(part=part, number=wording.number(first - due.flat[0]))
    if came.size > 1 and (np.abs(np.sort(came, None) - np.sort(due, None)) <= reach).all():
        return ELSEWHERE.format(part=part)
    rows = (np.abs(came - due) <= reach).reshape(-1, came.shape[-1]).all(1) if came.ndim > 1 else np.zeros(0, bool)
    if rows.any() and not rows.all():
        return RIGHT_ROWS.format(part=part, right=int(rows.sum()), rows=rows.size, first=int((~rows).argmax()))
    ends = {"low": came.min(), "high": came.max(), "least": due.min(), "most": due.max()}
    return BETWEEN.format(part=part, **{name: wording.number(end) for name, end in ends.items()})


def _short(fact: Text) -> Text:
    """Shorten a long list of numbers in a fact to its first and last ones."""
    return msgspec.structs.replace(fact, values={name: _ends(value) for name, value in fact.values.items()})


def _ends(value: Any) -> Any:
    if isinstance(value, Text):
        return _short(value)
    return LONG_LIST.sub(r"[\1..., \2]", str(value)) if isinstance(value, str | list) else value


def _comparable(call: Call, outcome: Outcome, due: Outcome) -> bool:
    """Return True for a wrong result of the right form, finite so that it can be computed with.

    Other mistakes, as in a gradient or a changed input, show in no fact about the result. A function without arguments
    returns the student's choice, and the reason says what is wrong with it.
    """
    if not (call.args or call.kwargs or call.made) or outcome.raised or due.raised:
        return False
    if result_form.wrong_form(outcome.value, outcome.devices, due.value, due.devices):
        return False
    finite = all(
        np.isfinite(arrays.exact(t)).all() for t in pytree.arrays_of(outcome.value) if arrays.device(t) != "meta"
    )
    same = agree("value", call, Outcome(outcome.value, outcome.devices), Outcome(due.value, due.devices))
    return finite and not same and all(arrays.is_array(t) for t in pytree.leaves(due.value))
