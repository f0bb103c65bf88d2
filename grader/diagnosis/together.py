"""Finds two mistakes at once where no single one explains the results.

They are not composed: what two mistakes give together need not be known. In a call in which only one of them
makes a difference, the student's answer has to be that of this one; in a call in which neither does, the right one.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Iterable, Sequence

from grader.diagnosis.comparing import agree
from grader.diagnosis.replaying import Functions, passed, precision, replay, right, size
from grader.suites import Call, Misconception, Outcome

MOST_CALLS = 32  # of a function that are looked at
MOST_REPLAYS = 3000  # of all mistakes together: with many of them, fewer calls are looked at, the quickest first
ALONE = 3  # calls in which a mistake is the only one that makes a difference, before it is named


Answered = tuple[Call, Outcome, Outcome]  # a call with the student's answer and the due one


class _Known:
    """A mistake, and (as bits of a number) the calls in which it makes a difference."""

    def __init__(self, misconception: Misconception, tried: Sequence[Answered]) -> None:
        self.misconception = misconception
        self._tried = tried
        self._found: dict[int, bool] = {}
        self.active = _bits(not right(misconception.functions, call, due) for call, _, due in tried)

    def _same(self, n: int) -> bool:
        if n not in self._found:
            call, came, _ = self._tried[n]
            self._found[n] = agree("value", call, came, replay(self.misconception.functions, call))
        return self._found[n]

    def answers(self, calls: int) -> bool:
        """Return True if it answers as the student does in all of these calls; stop at the first other one."""
        return all(self._same(n) for n in range(len(self._tried)) if calls >> n & 1)

    @property
    def explained(self) -> int:
        """The number of calls in which it makes the difference that the student makes."""
        return sum(self._same(n) for n in range(len(self._tried)) if self.active >> n & 1)


def two(answers: Sequence[Answered], reference: Functions, known: Sequence[Misconception]) -> list[Misconception]:
    """Return the two mistakes behind these calls of one function, or one beside an unknown one; else none."""
    wide = [a for a in answers if not a[0].turns and precision(a[0]) >= 4]
    if not wide:
        return []
    function = wide[0][0].function
    alike = [m for m in known if function in m.functions]
    tried = sorted(wide, key=lambda a: _work(a[0]))[: min(MOST_CALLS, MOST_REPLAYS // max(1, len(alike)))]
    correct = _bits(agree("value", call, came, due) for call, came, due in tried)
    if len(tried) - correct.bit_count() < ALONE:
        return []  # no mistake makes a difference where the student's answer is right
    found = [_Known(m, tried) for m in alike]
    pairs = [pair for pair in itertools.combinations(found, 2) if _fits(*pair, correct, len(tried))]
    if named := [k.misconception for k in found if pairs and all(k in pair for pair in pairs)]:
        return named
    given = [_given(call, reference) for call, _, _ in tried]
    plain, *more = sorted(set(given), key=lambda names: (len(names), sorted(names)))
    forms = [_bits(names == form for names in given) for form in (plain, *more)]
    others = [call for (call, _, _), names in zip(tried, given, strict=True) if names > plain]
    fitting = [
        k for k in found if _explains_forms(k, forms) and not _ignores(k.misconception, others, plain, reference)
    ]
    most = max((k.explained for k in fitting), default=0)
    best = [k.misconception for k in fitting if k.explained == most]
    return best[:1] if all(m.name.startswith(f"{best[0].name}_and_") for m in best[1:]) else []


def _fits(one: _Known, other: _Known, correct: int, count: int) -> bool:
    """Return True if the student's answers are those of both mistakes at once, as far as a call shows one of them."""
    only_one, only_other = one.active & ~other.active, other.active & ~one.active
    neither = ~(one.active | other.active) & ((1 << count) - 1)
    return (
        min(only_one.bit_count(), only_other.bit_count()) >= ALONE
        and not neither & ~correct
        and not one.active & other.active & correct
        and one.answers(only_one)
        and other.answers(only_other)
    )


def _explains_forms(known: _Known, forms: Sequence[int]) -> bool:
    """Return True if the mistake answers as the student in all calls with the same parameters, the plainest too.

    In other calls the student's answers may come from another mistake.
    """
    if not known.answers(forms[0]):
        return False
    explained = [form for form in forms if known.answers(form)]
    wrong = sum((form & known.active).bit_count() for form in explained)
    return wrong >= ALONE and len(explained) < len(forms)


def _ignores(m: Misconception, calls: Sequence[Call], plain: frozenset[str], reference: Functions) -> bool:
    """Return True if the variant ignores what these calls pass beside the plain parameters: then it is about that."""

    def without(call: Call) -> Call:
        kept = {name: value for name, value in passed(call, reference).items() if name in plain}
        return dataclasses.replace(call, args=(), kwargs=kept)

    return all(agree("value", call, replay(m.functions, call), replay(m.functions, without(call))) for call in calls)


def _given(call: Call, reference: Functions) -> frozenset[str]:
    """Return the parameters to which a call gives a value."""
    return frozenset(name for name, value in passed(call, reference).items() if value is not None)


def _work(call: Call) -> int:
    """Return a measure of what a call takes: its bytes, times how often a whole number asks for a step of it."""
    steps: int = math.prod(max(1, n) for n in call.args if type(n) is int)
    return size(call) * steps


def _bits(flags: Iterable[bool]) -> int:
    return sum(1 << n for n, flag in enumerate(flags) if flag)
