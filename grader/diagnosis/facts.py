"""What can be seen of a mistake that is none of the known ones, in the quoted result or else the smallest wrong one."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence

import numpy as np

from grader import arrays, trees
from grader.diagnosis.comparing import agree
from grader.diagnosis.misconceptions import replay
from grader.suites import Call, CheckResult, Outcome, Suite, result_form, upcast
from grader.texts import Text, translated

MOST = 3
LONG_LIST = re.compile(r"\[((?:\d+, ){5})(?:\d+, ){4,}(\d+)\]")  # of ten numbers or more
BOTH = translated("{one}; {other}")
UNKNOWN = translated("{reason}. It is none of the known mistakes.")
SEEN_HERE = translated("{reason}. It is none of the known mistakes; what can be seen: {facts}.").or_hint(UNKNOWN)
SEEN = translated("{reason}. It is none of the known mistakes; what can be seen in {call}: {facts}.").or_hint(UNKNOWN)


def unrecognised(reason: Text, results: Sequence[CheckResult], suite: Suite, quoted: Call | None = None) -> Text:
    """The reason of a failure, with what the suite's facts see in it; as it is where no result was wrong.

    Args:
        quoted: the call that the reason is about. If its result is wrong, facts are of it alone; if it raised, the
            reason says enough.
    """
    asked = [(r, call, outcome) for r in results if r.verdict == "failed" for call, outcome in r.calls]
    known = suite.facts
    if not (known or suite.misconceptions):  # visible examples know no mistake to compare with
        return reason
    if any(call is quoted and outcome.raised for _, call, outcome in asked):
        return reason
    wrong = [
        (call, o)
        for _, call, o in sorted(asked, key=lambda a: (a[1] is not quoted, _size(a)))
        if _comparable(call, o, replay(suite.reference, call))
    ]
    if not wrong:
        return reason
    for call, outcome in wrong[:1] if wrong[0][0] is quoted else wrong:
        if call.function in known and not call.contract and not call.turns:  # facts are of one call
            arguments = upcast(call.args), upcast(dict(call.kwargs))
            seen = list(known[call.function](upcast(outcome.value), *arguments[0], **arguments[1]))[:MOST]
            if seen:
                joined = functools.reduce(lambda one, other: BOTH.format(one=one, other=other), map(_short, seen))
                said = SEEN_HERE if call is quoted else SEEN
                return said.format(reason=_bare(reason), call=suite.key.words(call), facts=joined)
    return UNKNOWN.format(reason=_bare(reason))


def _short(fact: Text) -> Text:
    """The fact with the first and the last of a long list of numbers."""
    return fact.each(lambda sentence: LONG_LIST.sub(r"[\1..., \2]", sentence))


def _size(asked: tuple[CheckResult, Call, Outcome]) -> int:
    return sum(map(arrays.size, asked[1].arrays))


def _comparable(call: Call, outcome: Outcome, due: Outcome) -> bool:
    """Whether this is a wrong result of the right form, finite so that one can compute with it.

    What else may be wrong, a gradient or an input that was changed, shows in no fact about the result. What a function
    without arguments gives is the student's to choose, and the reason says what is wrong with it.
    """
    if not (call.args or call.kwargs or call.made) or outcome.raised or due.raised:
        return False
    if result_form.wrong_form(outcome.value, outcome.devices, due.value, due.devices):
        return False
    finite = all(
        np.isfinite(arrays.exact(t)).all() for t in trees.arrays_of(outcome.value) if arrays.device(t) != "meta"
    )
    same = agree("value", call, Outcome(outcome.value, outcome.devices), Outcome(due.value, due.devices))
    return finite and not same and all(arrays.is_array(t) for t in trees.leaves(due.value))


def _bare(reason: Text) -> Text:
    said, instead = reason.each(lambda sentence: sentence.rstrip(".。")), reason.without_values()
    return said if instead is reason else said.or_hint(_bare(instead))
