"""Finds two mistakes at once where no single one explains the results.

In a call in which only one of them makes a difference, the student's answer has to be that of this one; in a call in
which neither does, the right one; in one in which both do, that of both at once, if they can be composed.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Iterable, Iterator, Sequence

from grader import pytree
from grader.arrays import Tensor
from grader.diagnosis.comparing import Part, agree, finite, parts_of
from grader.diagnosis.composing import Composing
from grader.diagnosis.replaying import ITEMSIZE, Ask, Functions, is_plain, passed, precision, replay, right, size
from grader.suites import Call, Misconception, Outcome

MOST_CALLS = 32  # of a function that are looked at
MOST_REPLAYS = 3000  # of all mistakes together: with many of them, fewer calls are looked at, the quickest first
ALONE = 3  # calls in which a mistake is the only one that makes a difference, before it is named
COMPOSED, LEAST_COMPOSED = 6, 2  # calls in which both make a difference: those looked at, and the fewest that tell
FEW = 2_000  # steps of all pairs together: with more, a record of the student's steps narrows the pairs down
MANY = 10_000  # with more, none is composed if no such record shows the first wrong step
MOST_HIDDEN = 8  # calls in which a mistake shows only beside the other
RECORDED = 4  # calls that a student's code makes once more for such a record
MOST_MADE = 40_000  # steps of all runs of the solution and of mistakes: a second or two
MOST_RIVALS = 12  # pairs that are alike in all this, and are compared in the other calls


Answered = tuple[Call, Outcome, Outcome]  # a call with the student's answer and the due one


@dataclasses.dataclass(frozen=True)
class _Seen:
    """One of the results of a call: the number of the call, the student's answer and the due one."""

    number: int
    call: Call
    came: Outcome
    due: Outcome
    part: Part

    def same(self, other: Outcome) -> bool:
        """Return True if it is the student's result in another answer, too."""
        return agree("value", self.call, self.came, other, part=self.part)


class _Known:
    """A mistake, and (as bits of a number) the results in which it makes a difference."""

    def __init__(self, misconception: Misconception, seen: Sequence[_Seen]) -> None:
        self.misconception = misconception
        self._seen = seen
        self._found: dict[int, bool] = {}
        self.active = _bits(not right(misconception.functions, s.call, s.due, s.part) for s in seen)
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

    @property
    def explained(self) -> int:
        """The number of results in which it makes the difference that the student makes."""
        return sum(self._same(n) for n in range(len(self._seen)) if self.active >> n & 1)

    def calls(self, results: int) -> int:
        """Return the number of calls that these results come from."""
        return len({s.number for n, s in enumerate(self._seen) if results >> n & 1})


def two(
    answers: Sequence[Answered], reference: Functions, known: Sequence[Misconception], ask: Ask | None = None
) -> tuple[list[Misconception], bool]:
    """Return the two mistakes behind these calls of one function, or one beside an unknown one; else none.

    The second result is True if they were found as two at once; one alone is of pairs that the calls do not tell apart.
    ask: makes a call of the student's once more.
    """
    single = [a for a in answers if not a[0].turns]
    clear, others = (_of_each_kind([a for a in single if _tells(*a) is tells], reference) for tells in (True, False))
    alike = [m for m in known if clear and clear[0][0].function in m.functions]
    tried = clear[: min(MOST_CALLS, MOST_REPLAYS // max(1, len(alike)))]
    seen = [_Seen(n, *answered, part) for n, answered in enumerate(tried) for part in parts_of(answered[2])]
    correct = _bits(s.same(s.due) for s in seen)
    if len({s.number for n, s in enumerate(seen) if not correct >> n & 1}) < ALONE:
        return [], False  # no mistake makes a difference where the student's answer is right
    found = [_Known(m, seen) for m in alike]
    pairs = _pairs(found, correct, _Both([*clear, *others], reference), ask)
    common = [k.misconception for k in found if pairs and all(k in pair for pair in pairs)]
    beside = [k.misconception for k in found if any(k in pair for pair in pairs) and k.misconception not in common]
    named = common and [*common, *_plainest(beside)]
    if len(named) < 2 and len(each := _by_result(found, seen, correct)) > len(named):
        return each, len(each) > 1
    return (named, True) if named else (_one(found, seen, reference), False)


def _tells(call: Call, came: Outcome, _: Outcome) -> bool:
    """Return True if a call tells of a value by itself: made once, in no short dtype, answered before a backward pass."""
    return precision(call) >= ITEMSIZE["float32"] and not (call.gradients and came.raised)


def _of_each_kind(answers: Sequence[Answered], reference: Functions) -> list[Answered]:
    """Return the calls in another order: the quickest of each kind, then the second of each, and so on.

    Calls are of one kind if they pass the same parameters and the same of their results are wrong.
    """
    kinds: dict[object, list[Answered]] = {}
    for call, came, due in sorted(answers, key=lambda a: _work(a[0])):
        wrong = [agree("value", call, came, due, part=part) for part in parts_of(due)]
        kinds.setdefault((_given(call, reference), came.raised is None, *wrong), []).append((call, came, due))
    return [a for a in itertools.chain(*itertools.zip_longest(*kinds.values())) if a]


def _one(found: Sequence[_Known], seen: Sequence[_Seen], reference: Functions) -> list[Misconception]:
    """Return the mistake that is alone in all calls with some of the parameters, beside an unknown one in others."""
    given = [_given(s.call, reference) for s in seen]
    plain, *more = sorted(set(given), key=lambda names: (len(names), sorted(names)))
    forms = [_bits(names == form for names in given) for form in (plain, *more)]
    others = [s.call for s, names in zip(seen, given, strict=True) if names > plain]
    fitting = [
        k for k in found if _explains_forms(k, forms) and not _ignores(k.misconception, others, plain, reference)
    ]
    return _best(fitting)


def _by_result(found: Sequence[_Known], seen: Sequence[_Seen], correct: int) -> list[Misconception]:
    """Return the mistakes that are alone in one of several results, whatever the others are; at most two.

    None is wrong where the student is right. Calls that raise are left out, since another result may have raised.
    """
    parts = sorted({s.part for s in seen})
    named: list[Misconception] = []
    for part in parts if len(parts) > 1 else ():
        result = _bits(s.part == part and not s.came.raised for s in seen)
        numbers = _bits(s.part == part and finite(s.came.value) for s in seen)
        alone = [k for k in found if not k.active & correct and k.calls(k.active & result & numbers) >= LEAST_COMPOSED]
        named += _best([k for k in alone if k.answers(result)])
    once = list({m.name: m for m in named}.values())
    return once if len(once) <= 2 else []


def _best(fitting: Sequence[_Known]) -> list[Misconception]:
    """Return the mistake that explains most, or none if several do."""
    most = max((k.explained for k in fitting), default=0)
    best = [k.misconception for k in fitting if k.explained == most]
    fewest = min((len(m.functions) for m in best), default=0)
    return _plainest([m for m in best if len(m.functions) == fewest])


def _plainest(rivals: Sequence[Misconception]) -> list[Misconception]:
    """Return the mistake whose name begins all the others': they are it, and something that the calls do not show."""
    plainest = sorted(rivals, key=lambda m: len(m.name))[:1]
    return plainest if all(m.name.startswith(f"{plainest[0].name}_") for m in rivals if m not in plainest) else []


Pair = tuple[_Known, _Known]


def _pairs(found: Sequence[_Known], correct: int, both: _Both, ask: Ask | None) -> list[Pair]:
    """Return the pairs that answer as the student does; of several, those that do so in the most calls."""
    pairs = [pair for pair in itertools.combinations(found, 2) if _fits(*pair, correct)]
    seen = [pair for pair in pairs if _each_alone(*pair)]
    clear = [pair for pair in pairs if pair not in seen and not _hidden(*pair)]
    pairs = seen + both.fitting(clear, ask) or both.fitting([pair for pair in pairs if pair not in clear], ask)
    if not 1 < len(pairs) <= MOST_RIVALS:
        return pairs
    telling = both.telling(pairs)
    counts = [both.count(*pair, telling) for pair in pairs]
    return [pair for pair, count in zip(pairs, counts, strict=True) if count == max(counts)]


def _fits(one: _Known, other: _Known, correct: int) -> bool:
    """Return True if the student's answers may be those of both mistakes at once, as far as a call shows one alone."""
    if one.passive & other.passive & ~correct or one.active & other.active & correct:
        return False
    return len(_hidden(one, other)) <= MOST_HIDDEN


def _hidden(one: _Known, other: _Known) -> set[int]:
    """Return the first calls with a result in which one alone makes a difference, and not the student's.

    The other may show only beside it: a wrong scale of scores where the softmax runs over a single key.
    """
    found = set[int]()
    for n in itertools.chain(one.unlike(one.active & ~other.active), other.unlike(other.active & ~one.active)):
        found.add(n)
        if len(found) > MOST_HIDDEN:
            break
    return found


def _each_alone(one: _Known, other: _Known) -> bool:
    """Return True if each makes a difference by itself in enough of the calls, and it is the student's."""
    alone = one.active & ~other.active, other.active & ~one.active
    return min(one.calls(results) for results in alone) >= ALONE and not _hidden(one, other)


class _Both:
    """All calls, those that were tried first, with two mistakes at once."""

    def __init__(self, calls: Sequence[Answered], reference: Functions) -> None:
        self._calls, self._reference = calls, reference
        self._plain = [n for n, (call, came, due) in enumerate(calls) if is_plain(call) and not came.raised and _is_of_torch(due)]
        self._left = MOST_MADE
        self._composing: dict[int, Composing] = {}

    def fitting(self, pairs: Sequence[Pair], ask: Ask | None) -> list[Pair]:
        """Return the pairs that answer as the student does; those are tried first of which most is seen alone."""
        alone = sorted(self.narrowed(pairs, ask), key=lambda pair: -(pair[0].active ^ pair[1].active).bit_count())
        return [pair for pair in alone if self.answer(*pair)]

    def narrowed(self, pairs: Sequence[Pair], ask: Ask | None) -> list[Pair]:
        """Return the pairs one of which gives the first wrong value that a record of the student's steps shows.

        If there is no such record, return all of them if they are few.
        """
        shared = {n: sum((a.active & b.active) >> n & 1 for a, b in pairs) for n in self._plain}
        order = sorted((n for n in self._plain if shared[n]), key=lambda n: -shared[n])
        if not self._plain:
            return []
        steps = len(pairs) * self._of((order or self._plain)[0]).length
        for n in order[:RECORDED] if steps > FEW else ():
            call, came, _ = self._calls[n]
            if ask and (alone := self._of(n).first_alone(came, ask)) is not None:
                first = [k for k in {k for pair in pairs for k in pair} if agree("value", call, alone, k.answer(call))]
                if found := [(a, b) if a in first else (b, a) for a, b in pairs if a in first or b in first]:
                    return found
        return list(pairs) if steps <= MANY else []

    def answer(self, one: _Known, other: _Known) -> bool:
        """Return True if both at once answer as the student wherever they can be composed and one alone does not."""
        agreeing = composed = 0
        for tried, n in enumerate(self._shared(one, other)):
            if composed == COMPOSED or tried > 2 * (composed + 1):
                break
            if (same := self._same(one, other, n)) is False:
                return False
            composed += same is not None
            agreeing += same is not None and finite(self._calls[n][1].value)  # one NaN is like another
        hidden = [n for n in _hidden(one, other) if not self._same(one, other, n)]
        return agreeing >= max(LEAST_COMPOSED, 3 * len(hidden))

    def _shared(self, one: _Known, other: _Known) -> Iterator[int]:
        """Yield the plain calls in which both make a difference."""
        for n in self._plain:
            call, _, due = self._calls[n]
            if not any(right(k.misconception.functions, call, due) for k in (one, other)):
                yield n

    def telling(self, pairs: Sequence[Pair]) -> list[int]:
        """Return the first calls that tell two pairs with a mistake in common apart."""

        def tell(one: _Known, other: _Known) -> Iterator[int]:
            for n, (call, *_) in enumerate(self._calls):
                first, second = (replay(k.misconception.functions, call) for k in (one, other))
                if not call.contract and not agree("value", call, first, second):
                    yield n

        apart = [{*one} ^ {*other} for one, other in itertools.combinations(pairs, 2)]
        return sorted({n for two in apart if len(two) == 2 for n in itertools.islice(tell(*two), COMPOSED)})

    def count(self, one: _Known, other: _Known, calls: Iterable[int]) -> int:
        """Return in how many of these calls both at once answer as the student."""
        return sum(self._same(one, other, n) is True for n in calls)

    def _same(self, one: _Known, other: _Known, n: int) -> bool | None:
        """Return whether both at once answer a call as the student; None if they cannot be composed."""
        call, came, _ = self._calls[n]
        composing, found = self._of(n), None
        for a, b in ((one, other), (other, one)):
            before = composing.made
            outcome = composing.both(a.misconception.functions, b.misconception.functions) if self._left > 0 else None
            self._left -= composing.made - before
            if outcome:
                found = agree("value", call, came, outcome)
                break
        return found

    def _of(self, n: int) -> Composing:
        if n not in self._composing:
            self._composing[n] = Composing(self._calls[n][0], self._reference)
        return self._composing[n]


def _is_of_torch(outcome: Outcome) -> bool:
    return any(isinstance(leaf, Tensor) for leaf in pytree.leaves(outcome.value))


def _explains_forms(known: _Known, forms: Sequence[int]) -> bool:
    """Return True if the mistake answers as the student in all calls with the same parameters, the plainest too.

    In other calls the student's answers may come from another mistake.
    """
    if not known.answers(forms[0]):
        return False
    explained = [form for form in forms if known.answers(form)]
    wrong = sum(known.calls(form & known.active) for form in explained)
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
