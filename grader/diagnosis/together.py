"""Finds two mistakes at once where no single one explains the results.

In a call in which only one of them makes a difference, the student's answer has to be that of this one; in a call in
which neither does, the right one; in one in which both do, that of both at once, if they can be composed.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence

from grader import pytree
from grader.arrays import Tensor
from grader.diagnosis.alone import LEAST, Answered, Known, Seen, bits, of_a_form, of_a_result, of_each_kind, plainest
from grader.diagnosis.comparing import agree, finite, parts_of, tells
from grader.diagnosis.composing import Composing
from grader.diagnosis.replaying import Ask, Functions, is_plain, replay, right
from grader.suites import Misconception, Outcome

MOST_CALLS = 32  # of a function that are looked at
MOST_REPLAYS = 3000  # of all mistakes together: with many of them, fewer calls are looked at, the quickest first
COMPOSED, LEAST_COMPOSED = 6, 2  # calls in which both make a difference: those looked at, and the fewest that tell
FEW = 2_000  # steps of all pairs together: with more, a record of the student's steps narrows the pairs down
MANY = 10_000  # with more, none is composed if no such record shows the first wrong step
MOST_FIRST = 8  # mistakes behind most calls, beside which another is looked for
MOST_HIDDEN = 8  # calls in which a mistake shows only beside the other
RECORDED = 4  # calls that a student's code makes once more for such a record
MOST_MADE = 40_000  # steps of all runs of the solution and of mistakes: a second or two
MOST_RIVALS = 12  # pairs that are alike in all this, and are compared in the other calls


def two(
    answers: Sequence[Answered], reference: Functions, known: Sequence[Misconception], ask: Ask | None = None,
    told: Collection[str] = (),
) -> tuple[list[Misconception], bool]:  # fmt: skip
    """Return the two mistakes behind these calls of one function, or one beside an unknown one; else none.

    The second result is True if they were found as two at once; one alone is of pairs that the calls do not tell apart.
    ask: makes a call of the student's once more. told: the names of mistakes that are found in other functions.
    """
    clear, others = of_each_kind((a for a in answers if not a[0].turns or a[0].made), reference)
    alike = [m for m in known if clear and clear[0][0].function in m.functions]
    tried = clear[: min(MOST_CALLS, MOST_REPLAYS // max(1, len(alike)))]
    seen = [Seen(n, *answered, part) for n, answered in enumerate(tried) for part in parts_of(answered[2])]
    correct = bits(s.same(s.due) for s in seen)
    if len({s.number for n, s in enumerate(seen) if not correct >> n & 1}) < LEAST:
        return [], False  # no mistake makes a difference where the student's answer is right
    found, both = [Known(m, seen) for m in alike], _Both([*clear, *others], reference)
    pairs = _pairs(found, correct, both, ask) or _with_the_rest(found, correct, both)
    if whole := [k for k in found if pairs and not k.active & correct and all(both.is_one(k, *pair) for pair in pairs)]:
        return [whole[0].misconception], False
    common = [k.misconception for k in found if pairs and all(k in pair for pair in pairs)]
    beside = [k.misconception for k in found if any(k in pair for pair in pairs) and k.misconception not in common]
    named = common and [*common, *plainest(beside, told)]
    if len(named) < 2 and len(each := of_a_result(found, seen, clear, correct)) > len(named):
        return each, len(each) > 1
    return (named, True) if named else (of_a_form(found, seen, clear, reference), False)


Pair = tuple[Known, Known]


def _pairs(found: Sequence[Known], correct: int, both: _Both, ask: Ask | None) -> list[Pair]:
    """Return the pairs that answer as the student does; of several, those that do so in the most calls."""
    pairs = [pair for pair in itertools.combinations(found, 2) if _fits(*pair, correct)]
    seen = [pair for pair in pairs if _each_alone(*pair) and _most_alone(*pair, found)]
    clear = [pair for pair in pairs if pair not in seen and not _hidden(*pair)]
    pairs = seen + both.fitting(clear, ask) or both.fitting([pair for pair in pairs if pair not in clear], ask)
    if not 1 < len(pairs) <= MOST_RIVALS:
        return pairs
    telling = both.telling(pairs)
    counts = [both.count(*pair, telling) for pair in pairs]
    return [pair for pair, count in zip(pairs, counts, strict=True) if count == max(counts)]


def _fits(one: Known, other: Known, correct: int) -> bool:
    """Return True if the student's answers may be those of both mistakes at once, as far as a call shows one alone."""
    if _is_part(one, other):
        return False
    if one.passive & other.passive & ~correct or one.active & other.active & correct:
        return False
    return len(_hidden(one, other)) <= MOST_HIDDEN


def _is_part(one: Known, other: Known) -> bool:
    """Return True if one of two mistakes is the other already, and something else."""
    names = [k.misconception.name for k in (one, other)]
    return one is other or any(a.startswith(f"{b}_and_") for a, b in (names, names[::-1]))


def _hidden(one: Known, other: Known) -> set[int]:
    """Return the first calls with a result in which one alone makes a difference, and not the student's.

    The other may show only beside it: a wrong scale of scores where the softmax runs over a single key.
    """
    found = set[int]()
    for n in itertools.chain(one.unlike(one.active & ~other.active), other.unlike(other.active & ~one.active)):
        found.add(n)
        if len(found) > MOST_HIDDEN:
            break
    return found


def _alone(one: Known, other: Known) -> int:
    """Return the number of calls in which a mistake makes a difference and the other does not."""
    return len(one.calls(one.active & ~other.active))


def _each_alone(one: Known, other: Known) -> bool:
    """Return True if each makes a difference by itself in enough of the calls, and it is the student's."""
    return min(_alone(one, other), _alone(other, one)) >= LEAST and not _hidden(one, other)


def _most_alone(one: Known, other: Known, found: Sequence[Known]) -> bool:
    """Return True if two mistakes, each by itself, explain as many results as any third."""
    alone = (one.active ^ other.active).bit_count()
    return all(k.explained <= alone for k in found if k not in (one, other))


def _with_the_rest(found: Sequence[Known], correct: int, both: _Both) -> list[Pair]:
    """Return the pairs of a mistake behind most calls and one behind the rest, which may be a single special call."""
    most = sorted((k for k in found if not k.active & correct and k.explained >= LEAST), key=lambda k: -k.explained)
    left = [(k, both.rest(k)) for k in most[:MOST_FIRST]]
    return [(k, other) for k, rest in left if rest for other in found if both.behind(rest, k, other)]


class _Both:
    """All calls, those that were tried first, with two mistakes at once."""

    def __init__(self, calls: Sequence[Answered], reference: Functions) -> None:
        self._calls, self._reference = calls, reference
        single = [dataclasses.replace(call, turns=False) for call, *_ in calls]
        answered = [n for n, (_, came, _) in enumerate(calls) if is_plain(single[n]) and not came.raised]
        self._plain = [n for n in answered if _is_of_torch(calls[n][2])]
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
        shared = Counter(n for a, b in pairs for n in a.calls(a.active & b.active))
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

    def answer(self, one: Known, other: Known) -> bool:
        """Return True if both at once answer as the student wherever they can be composed and one alone does not.

        Each has to show, by itself or by a difference from the other alone. It ends where they can be composed in less
        than half of the calls.
        """
        composed, agreeing, shown = 0, 0, [_alone(one, other), _alone(other, one)]
        for tried, n in enumerate(self._shared(one, other)):
            if composed == COMPOSED or tried > 2 * (composed + 1):
                break
            if (same := self._same(one, other, n)) is False:
                return False
            composed += same is not None
            call, came, _ = self._calls[n]
            if same and tells(came.value):
                agreeing += 1
                for k, beside in enumerate((other, one)):
                    shown[k] += not agree("value", call, came, beside.answer(call))
        hidden = [n for n in _hidden(one, other) if not self._same(one, other, n)]
        return min(shown) >= LEAST_COMPOSED and agreeing >= max(LEAST_COMPOSED, 3 * len(hidden))

    def rest(self, one: Known) -> list[int]:
        """Return the wrong calls that a mistake does not explain; none if it explains few, or breaks a right one."""
        found, explained = list[int](), 0
        for n, (call, came, due) in enumerate(self._calls):
            if agree("value", call, came, due):
                if not right(one.misconception.functions, call, due):
                    return []
            elif not agree("value", call, came, one.answer(call)):
                found.append(n)
            else:
                explained += came.raised is not None or tells(came.value)
        return found if explained >= LEAST else []

    def behind(self, rest: Sequence[int], one: Known, other: Known) -> bool:
        """Return True if another mistake explains the calls that one leaves, and shows in no other.

        Of the calls in which both make a difference, a few are tried.
        """
        if _is_part(one, other):
            return False
        known, shared = 0, list[int]()
        for n in rest:
            call, came, due = self._calls[n]
            alone = right(one.misconception.functions, call, due)
            if (alone or came.raised) and agree("value", call, came, other.answer(call)):
                known += came.raised is not None or tells(came.value)
            elif alone:
                return False
            else:
                shared.append(n)
        found = []
        for n in self._first(shared):
            if (same := self._same_if_known(one, other, n)) is False:
                return False
            found.append(same)
        if known + found.count(True) <= found.count(None):
            return False
        left = {*rest}
        more = [
            n for n, (call, came, due) in enumerate(self._calls)
            if n not in left and not self._hides(came) and not right(other.misconception.functions, call, due)
        ]  # fmt: skip
        return all(self._same_if_known(one, other, n) for n in self._first(more))

    def _first(self, numbers: Iterable[int]) -> list[int]:
        """Return the first of these calls that are tried, those first whose answer is not NaN."""
        return sorted(numbers, key=lambda n: self._hides(self._calls[n][1]))[:COMPOSED]

    @staticmethod
    def _hides(came: Outcome) -> bool:
        """Return True if a second mistake would not show in an answer; an exception ends a call."""
        return came.raised is not None or not tells(came.value)

    def _same_if_known(self, one: Known, other: Known, n: int) -> bool | None:
        return self._same(one, other, n) if n in self._plain else None

    def _shared(self, one: Known, other: Known) -> Iterator[int]:
        """Yield the plain calls in which both make a difference, those first whose answer is not NaN."""
        for n in sorted(self._plain, key=lambda n: self._hides(self._calls[n][1])):
            call, _, due = self._calls[n]
            if not any(right(k.misconception.functions, call, due) for k in (one, other)):
                yield n

    def is_one(self, whole: Known, one: Known, other: Known) -> bool:
        """Return True if a third mistake is both at once, as far as calls show them at once."""
        calls = [n for n in itertools.islice(self._shared(one, other), COMPOSED) if self._same(one, other, n)]
        alike = (agree("value", self._calls[n][0], self._calls[n][1], whole.answer(self._calls[n][0])) for n in calls)
        return whole not in (one, other) and bool(calls) and all(alike)

    def telling(self, pairs: Sequence[Pair]) -> list[int]:
        """Return the first calls that tell two pairs with a mistake in common apart."""

        def tell(one: Known, other: Known) -> Iterator[int]:
            for n, (call, *_) in enumerate(self._calls):
                first, second = (replay(k.misconception.functions, call) for k in (one, other))
                if not call.contract and not agree("value", call, first, second):
                    yield n

        apart = [{*one} ^ {*other} for one, other in itertools.combinations(pairs, 2)]
        return sorted({n for two in apart if len(two) == 2 for n in itertools.islice(tell(*two), COMPOSED)})

    def count(self, one: Known, other: Known, calls: Iterable[int]) -> int:
        """Return in how many of these calls both at once answer as the student."""
        return sum(self._same(one, other, n) is True for n in calls)

    def _same(self, one: Known, other: Known, n: int) -> bool | None:
        """Return whether both at once answer a call as the student; None if they cannot be composed, or give NaN.

        One that makes no difference by itself here is what goes into the other: all that follows from it is as it was.
        """
        call, came, due = self._calls[n]
        composing, found = self._of(n), None
        hidden_first = sorted((one, other), key=lambda k: not right(k.misconception.functions, call, due))
        for a, b in (hidden_first, hidden_first[::-1]):
            before = composing.made
            outcome = composing.both(a.misconception.functions, b.misconception.functions) if self._left > 0 else None
            self._left -= composing.made - before
            if outcome and agree("value", call, came, outcome):
                return True
            if outcome and finite(outcome.value):
                found = False
        return found

    def _of(self, n: int) -> Composing:
        if n not in self._composing:
            self._composing[n] = Composing(self._calls[n][0], self._reference)
        return self._composing[n]


def _is_of_torch(outcome: Outcome) -> bool:
    return any(isinstance(leaf, Tensor) for leaf in pytree.leaves(outcome.value))
