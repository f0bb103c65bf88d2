"""Compares a student's results with those of each known mistake by itself, result by result of each call.

Behind some of the results there may be one mistake alone, whatever the others come from.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
import math
from collections.abc import Collection, Iterable, Iterator, Sequence

from grader import pytree
from grader.diagnosis.comparing import WHOLE, Part, agree, finite, parts_of
from grader.diagnosis.replaying import ITEMSIZE, Functions, inputs, passed, precision, replay, right, size
from grader.suites import Call, Misconception, Outcome

LEAST = 3  # calls in which a mistake is the only one that makes a difference, before it is named
LEAST_OF_A_RESULT = 2  # calls in which one of several results is that of a mistake, before it is named
MOST = 2  # mistakes that are named for several results

Answered = tuple[Call, Outcome, Outcome]  # a call with the student's answer and the due one


@dataclasses.dataclass(frozen=True)
class Seen:
    """One of the results of a call: the number of the call, the student's answer and the due one."""

    number: int
    call: Call
    came: Outcome
    due: Outcome
    part: Part

    def same(self, other: Outcome) -> bool:
        """Return True if it is the student's result in another answer, too."""
        return agree("value", self.call, self.came, other, part=self.part)


class Known:
    """A mistake, and (as bits of a number) the results in which it makes a difference."""

    def __init__(self, misconception: Misconception, seen: Sequence[Seen]) -> None:
        self.misconception = misconception
        self._seen = seen
        self._found: dict[int, bool] = {}
        self.active = bits(not right(misconception.functions, s.call, s.due, s.part) for s in seen)
        self.passive = ~self.active & ((1 << len(seen)) - 1)

    def _same(self, n: int) -> bool:
        if n not in self._found:
            self._found[n] = self._seen[n].same(self.answer(self._seen[n].call))
        return self._found[n]

    def answer(self, call: Call) -> Outcome:
        """Return its answer to a call."""
        return replay(self.misconception.functions, call)

    def answers(self, results: int) -> bool:
        """Return True if it gives the student's in all of these results; stop at the first other one."""
        return next(self.unlike(results), None) is None

    def unlike(self, results: int) -> Iterator[int]:
        """Yield the calls of those of these results in which it is unlike the student."""
        return (s.number for n, s in enumerate(self._seen) if results >> n & 1 and not self._same(n))

    @functools.cached_property
    def explained(self) -> int:
        """The number of results in which it makes the difference that the student makes."""
        return sum(self._same(n) for n in range(len(self._seen)) if self.active >> n & 1)

    def calls(self, results: int) -> set[int]:
        """Return the numbers of the calls that these results come from."""
        return {s.number for n, s in enumerate(self._seen) if results >> n & 1}


def of_each_kind(answers: Iterable[Answered], reference: Functions) -> tuple[list[Answered], list[Answered]]:
    """Return the calls that tell of values by themselves, and the others: both the quickest of each kind first.

    Calls in a short dtype, and those that raised where a gradient was asked for, tell little. Calls are of one kind if
    they pass the same parameters and the same of their results are wrong. Of several with the same inputs, one is kept.
    """
    kinds: tuple[dict[object, list[Answered]], ...] = ({}, {})
    seen: dict[object, list[object]] = {}
    for call, came, due in sorted(answers, key=lambda a: _work(a[0])):
        telling = precision(call) >= ITEMSIZE["float32"] and not (call.gradients and came.raised)
        right_ones = [agree("value", call, came, due, part=part) for part in parts_of(due)]
        kind = _given(call, reference), came.raised is None, *right_ones
        given, alike = inputs(call, reference), seen.setdefault((telling, kind, size(call)), [])
        if not any(pytree.equal(given, other) for other in alike):
            alike.append(given)
            kinds[not telling].setdefault(kind, []).append((call, came, due))
    clear, others = ([a for a in itertools.chain(*itertools.zip_longest(*each.values())) if a] for each in kinds)
    return clear, others


def of_a_form(
    found: Sequence[Known], seen: Sequence[Seen], answers: Sequence[Answered], reference: Functions
) -> list[Misconception]:
    """Return the mistake that is alone in all calls with some of the parameters, whatever the others come from.

    answers: all calls, of which `seen` has the results of the first.
    """
    given = [_given(s.call, reference) for s in seen]
    plain, *more = sorted(set(given), key=lambda names: (len(names), sorted(names)))
    forms = [bits(names == form for names in given) for form in (plain, *more)]
    others = list({s.number: s.call for s, names in zip(seen, given, strict=True) if names > plain}.values())
    fitting = [
        k for k in found if _explains_forms(k, forms) and not _ignores(k.misconception, others, plain, reference)
    ]
    of_plain = [a for a in answers if _given(a[0], reference) == plain]
    return [m for m in _best(fitting) if _holds(m, of_plain, WHOLE)]


def of_a_result(
    found: Sequence[Known], seen: Sequence[Seen], answers: Sequence[Answered], correct: int
) -> list[Misconception]:
    """Return the mistakes that are alone in one of several results, whatever the others come from; at most two.

    None is wrong where the student is right. Calls that raise are left out, since another result may have raised.
    answers: all calls, of which `seen` has the results of the first.
    """
    kept = [k for k in found if not k.active & correct]
    numbers = bits(not s.came.raised and finite(s.came.value) for s in seen)
    returned = [a for a in answers if not a[1].raised]
    named: dict[str, Misconception] = {}
    for part in sorted({s.part for s in seen} - {WHOLE}):
        result = bits(s.part == part and not s.came.raised for s in seen)
        enough = [k for k in kept if len(k.calls(k.active & result & numbers)) >= LEAST_OF_A_RESULT]
        best = _best([k for k in enough if k.answers(result)])
        named |= {m.name: m for m in best if _holds(m, returned, part)}
    return list(named.values()) if len(named) <= MOST else []


def _holds(m: Misconception, answers: Sequence[Answered], part: Part) -> bool:
    """Return True if the mistake gives the student's result, or this part of it, in all of these calls."""
    return all(agree("value", call, came, replay(m.functions, call), part=part) for call, came, _ in answers)


def _best(fitting: Sequence[Known]) -> list[Misconception]:
    """Return the mistake that explains most, of several the plainest; none if they tie."""
    most = max((k.explained for k in fitting), default=0)
    return plainest([k.misconception for k in fitting if k.explained == most])


def plainest(rivals: Sequence[Misconception], told: Collection[str] = ()) -> list[Misconception]:
    """Return the mistake that is told already, or else that about the fewest functions; none if several are left.

    One whose name begins all the others' is preferred: they are it, and something that the calls do not show.
    """
    rivals = [m for m in rivals if m.name in told] or rivals
    fewest = min((len(m.functions) for m in rivals), default=0)
    ordered = sorted((m for m in rivals if len(m.functions) == fewest), key=lambda m: len(m.name))
    return ordered[:1] if all(m.name.startswith(f"{ordered[0].name}_") for m in ordered[1:]) else []


def _explains_forms(known: Known, forms: Sequence[int]) -> bool:
    """Return True if the mistake answers as the student in all calls with the same parameters, the plainest too.

    In other calls the student's answers may come from another mistake.
    """
    if not known.answers(forms[0]):
        return False
    explained = [form for form in forms if known.answers(form)]
    wrong = sum(len(known.calls(form & known.active)) for form in explained)
    return wrong >= LEAST and len(explained) < len(forms)


def _ignores(m: Misconception, calls: Sequence[Call], plain: frozenset[str], reference: Functions) -> bool:
    """Return True if the variant ignores what these calls pass beside the plain parameters: then it is about that."""

    def without(call: Call) -> Call:
        kept = {name: value for name, value in passed(call, reference).items() if name in plain}
        return dataclasses.replace(call, args=(), kwargs=kept)

    single = [call for call in calls if not call.turns]
    return all(agree("value", call, replay(m.functions, call), replay(m.functions, without(call))) for call in single)


def _given(call: Call, reference: Functions) -> frozenset[str]:
    """Return the parameters to which a call gives a value."""
    return frozenset(name for name, value in passed(call, reference).items() if value is not None)


def _work(call: Call) -> int:
    """Return a measure of what a call takes: its bytes, times how often whole numbers ask for a step of it.

    A gradient takes three times as long.
    """
    steps: int = math.prod(max(1, n) for n in call.args if type(n) is int)
    return size(call) * steps * (3 if call.gradients else 1)


def bits(flags: Iterable[bool]) -> int:
    return sum(1 << n for n, flag in enumerate(flags) if flag)
