"""The form of options: what a rule that only looks at them would pick, and which questions leave it nothing to gain."""

from __future__ import annotations

import dataclasses
import functools
import itertools
import math
import random
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from grader.report.oral_exam import OralQuestion
from grader.viva import wording
from grader.viva.material import Draft

_NUMBER = re.compile(r"-?\d+(?:\.\d*)?(?:e[+-]?\d+)?|inf")
_GROUP = re.compile(r"\[[^\[\]]*\]")
MOST = 80  # drafts of which some are chosen
TOO_OFTEN, ELSEWHERE = 3.0, 5.0  # what a hit too many counts, and a right option at another place
NO_OPTION = 100.0  # and "none of these" where another place was drawn: no rule of form but one speaks against it
Values = list[float]


@dataclasses.dataclass(frozen=True)
class Told:
    """One option as a guesser sees it: what is asked, its text, and the numbers in it."""

    asked: str
    text: str

    @functools.cached_property
    def numbers(self) -> Values:
        return [float(n) for n in _NUMBER.findall(self.text)]

    def away(self, other: Told) -> float:
        """Return how far the numbers of two options are apart, one by one."""
        ours, theirs = self.numbers, other.numbers
        pairs = zip(ours, theirs, strict=False)
        apart = math.fsum(0.0 if a == b else min(1.0, abs(a - b) / max(abs(a), abs(b))) for a, b in pairs)
        return apart + abs(len(ours) - len(theirs))


FEATURES: dict[str, Callable[[Told], float]] = {
    "length": lambda o: len(o.text),
    "digits": lambda o: sum(c.isdigit() for c in o.text),
    "numbers": lambda o: len(o.numbers),
    "largest number": lambda o: max(o.numbers, default=0.0),
    "sum": lambda o: sum(o.numbers),
    "decimals": lambda o: o.text.count("."),
    "repeated numbers": lambda o: len(o.numbers) - len({*o.numbers}),
    "ones": lambda o: o.numbers.count(1.0),
    "brackets": lambda o: o.text.count("["),
    "in the question": lambda o: o.text in o.asked,
    "as many axes as in the question": lambda o: o.text.count(",") in {g.count(",") for g in _GROUP.findall(o.asked)},
    "numbers of the question": lambda o: len({*o.numbers} & {*Told("", o.asked).numbers}),
}


def hits(question: OralQuestion, right: Collection[int] | None = None) -> dict[str, float]:
    """Return how often each rule of form hits the right options, or those in `right`; it guesses among equal ones."""
    asked, texts = question.text.to("en"), [o.text.to("en") for o in question.options]
    right = rights(question) if right is None else right
    told = [Told(asked, text) for text in texts if text != wording.NONE.to("en")]
    values = {name: [*map(of, told)] for name, of in FEATURES.items()}
    values |= {"near": [-sum(a.away(b) for b in told) for a in told], "place": [float(i) for i in range(len(texts))]}
    many = (1, 2, len(texts) - 1) if not question.single else (1,)
    found = {}
    for name, of in values.items():
        for sign, count in itertools.product((1, -1), many):
            rule = f"{'most' if sign > 0 else 'least'} {name}" + f", {count}" * (count > 1)
            found[rule] = _hit([sign * v for v in of], right, count)
        if question.single:
            between = [i for i, v in enumerate(of) if min(of) < v < max(of)] or range(len(texts))
            found[f"middle {name}"] = len({*between} & {*right}) / len(between)
    return found


def rights(question: OralQuestion) -> Collection[int]:
    """The places of the right options."""
    return {i for i, o in enumerate(question.options) if o.right}


def _hit(values: Values, right: Collection[int], count: int) -> float:
    """Return how often the `count` options of the largest values, drawn among equal ones, are the right ones."""
    least = sorted(values)[-count]
    above, equal = ({i for i, v in enumerate(values) if over(v)} for over in (least.__lt__, least.__eq__))
    if len(right) != count or not above <= {*right} <= above | equal:
        return 0.0
    return 1 / math.comb(len(equal), count - len(above))


def balanced(drafts: Sequence[Draft], count: int, rng: random.Random) -> Iterator[Draft]:
    """`count` drafts about different things: each the one whose right option looks most as one drawn by chance does."""
    left = [(draft, hits(draft.question)) for draft in rng.sample(drafts, min(MOST, len(drafts)))]
    for _ in range(count):
        if not left:
            return
        question = rng.choice(left)[0].question
        options = range(len(question.options))
        right = {*rng.sample(options, 1 if question.single else rng.choice(options[1:]))}  # which could be
        like = hits(question, right)
        best = min(left, key=lambda d: _away(d[1], like) + _elsewhere(d[0].question, right))[0]
        yield best
        left = [d for d in left if not alike(d[0].question, best.question)]


def _elsewhere(question: OralQuestion, right: Collection[int]) -> float:
    """Return the cost of a question whose right options are not those drawn."""
    if rights(question) == right:
        return 0.0
    none = any(o.right and o.text == wording.NONE for o in question.options)
    return NO_OPTION if none else ELSEWHERE


def _away(found: Mapping[str, float], like: Mapping[str, float]) -> float:
    """Return how far hits are from others; being right too often counts more than being right too rarely."""
    apart = [hit - like.get(rule, 0.0) for rule, hit in found.items()]
    return math.fsum(TOO_OFTEN * a if a > 0 else -a for a in apart)


def alike(one: OralQuestion, other: OralQuestion) -> bool:
    """Return True if two questions are about the same change or the same call."""
    if one.exercise != other.exercise:
        return False
    return one.change == other.change if one.change and other.change else one.text == other.text
