"""Checks of calls that students write to tell wrong programs from right ones: an exercise of `kind: tests`.

A line of a suite such as `tests/hidden/break_softmax.py`, over the suite of the exercise that is to be broken:

    test_promised, test_told_apart = breaking.checks(softmax, "softmax", points=5, calls=6, right=[by_logarithms])

The student's `cases` yields tuples of arguments. They are run here, on programs that the student's process never holds:
the solution of that exercise, the functions that are `right` too, and the mistakes that its suite knows. What is due is
what the calls of this exercise's own solution tell apart, but for what the first of them, an ordinary one, shows.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
import itertools
import math
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from grader import arrays, pytree
from grader.course import LAW_TITLES, rounded, suite_texts
from grader.errors import CourseError
from grader.suites.api import CheckFailed, Make
from grader.suites.api import points as worth
from grader.suites.given import TooMuch, bounded
from grader.suites.local import LocalTarget
from grader.suites.probes import MatchesReference, Probe
from grader.suites.reference import ExpectedCall, Functions, Reference
from grader.suites.runner import Suite, load_solution
from grader.suites.script import Script
from grader.suites.side_effects import RaisesValueError
from grader.suites.target import Call, NoAnswer
from grader.texts import SENTENCES, Text, WithReason, joined, one_line, plain, translated

LOOKED_AT = 32  # calls of a student's
MOST_ENTRIES = 4096  # of the arrays of a call, and of what they broadcast to; and the largest whole number
SECONDS = 10.0  # of processor time for all calls of a student's
SLACK = 0.1  # seconds after which a program is ended that is late: timers count in ticks
FOR_PROMISED = 0.2  # of the points
WORDED = 200  # characters of a call
NOT_PROMISED = translated("call {number}, {call}: {problem}")
NO_TUPLE = translated("call {number} is no tuple of arguments; write `yield (x,)`, with a comma, for one argument")
OTHER_ARGUMENTS = translated("{function} does not take the arguments of call {number}")
NOT_DATA = translated("the arguments of call {number} are not all numbers, arrays, lists and None")
TOO_LARGE = translated("call {number} is too large: its arrays hold, or broadcast to, over {most:,} numbers")
LARGE_NUMBER = translated("call {number} holds a whole number beyond {most:,}; write it as a float if it may be one")
RAISES = translated("the exercise does not say what becomes of it; the solution raises {error}")
UNSAID = translated("the exercise does not say what becomes of it")
DIFFER = translated("right programs differ here, so the exercise does not say which result is right")
SLOW = translated("the programs take more than {seconds:g} s for all calls; make them smaller")
NOTHING_TOLD = translated("no call tells a wrong program from a right one that an ordinary call would not find")
STILL = translated("programs with these mistakes still pass for right ones. {mistakes}")
USED_UP = translated("only the first {count} calls that show something new count, and {still}")
SHOWN = 2  # mistakes that are left, in the order of the bank: the next one comes when one of them is told apart


class PartlyRight(CheckFailed):
    """A check that fails and earns a share of its points."""

    def __init__(self, reason: Text, share: float) -> None:
        super().__init__(reason)
        self.share = share


class NotPromised(WithReason):
    """A call to which the exercise does not promise an answer."""


@dataclasses.dataclass(frozen=True)
class Findings:
    """The mistakes that each call is first to tell apart; the problem with the first call that is not promised."""

    told: tuple[frozenset[str], ...]
    problem: Text | None

    def counted(self, calls: int) -> frozenset[str]:
        """Return the mistakes that the first `calls` with something new tell apart."""
        return frozenset[str]().union(*list(filter(None, self.told))[:calls])


class Bank:
    """The programs of an exercise, right and wrong, and what they make of calls of one of its functions.

    solved: yields the course's own calls.
    """

    def __init__(
        self, module: ModuleType, function: str, right: Sequence[Callable[..., Any]], kind: str,
        solved: Callable[[], Iterable[Any]],
    ) -> None:  # fmt: skip
        path = Path(str(module.__file__))
        self.function, self.solution = function, load_solution(path.parents[2] / "solutions" / path.name)
        texts, shared = suite_texts.catalogue(path), suite_texts.catalogue(path.parent / suite_texts.SHARED)
        suite = Suite([], module, self.solution, texts, kind, shared=shared)
        self._key = suite.key
        self._right: list[Functions] = [self.solution, *({function: program} for program in right)]
        self.wrong = {m.name: m for m in suite.misconceptions if function in m.functions}
        self._solved = solved
        self._last: tuple[Sequence[Call | Text], Findings] = (), Findings((), None)

    @functools.cached_property
    def own(self) -> Findings:
        """Return which of all mistakes the course's own calls tell apart."""
        return self._found(self._calls(self._solved()), self.wrong)

    @functools.cached_property
    def due(self) -> frozenset[str]:
        """Return the mistakes that students' calls should tell apart: the course's, without those of its first,
        ordinary one.
        """
        found = frozenset[str]().union(*self.own.told[1:])
        if self.own.problem or not found:
            raise CourseError(f"the solution: {(self.own.problem or NOTHING_TOLD).to('en')}")
        return found

    def findings(self, cases: Iterable[Any]) -> Findings:
        """Return which of the due mistakes these calls tell apart; both checks of a file ask for the same."""
        asked = self._calls(cases)
        if not _same(self._last[0], asked):
            self._last = asked, self._found(asked, self.due)
        return self._last[1]

    def _calls(self, cases: Iterable[Any]) -> list[Call | Text]:
        return [self._call(number, case) for number, case in enumerate(cases, 1)]

    def _found(self, asked: Sequence[Call | Text], wanted: Iterable[str]) -> Findings:
        left, until = {name: self.wrong[name].functions for name in wanted}, time.process_time() + SECONDS
        told, problem = list[frozenset[str]](), None
        for number, call in enumerate(asked, 1):
            try:
                told.append(self._told(number, call, left, until))
            except NotPromised as error:
                problem = problem or error.reason
            left = {name: functions for name, functions in left.items() if name not in frozenset().union(*told)}
        return Findings(tuple(told), problem)

    def _told(self, number: int, call: Call | Text, left: Mapping[str, Functions], until: float) -> frozenset[str]:
        """The mistakes among those `left` that a call tells apart. Raises NotPromised."""
        if isinstance(call, Text):
            raise NotPromised(call)
        said = plain(one_line(self._key.words(call).to("en"), WORDED))
        try:
            with bounded(until + SLACK - time.process_time()), np.errstate(all="ignore"):
                asked = Asked(call, self._key, until)
                if not all(map(asked.answers, self._right)):
                    raise NotPromised(DIFFER)
                return frozenset(name for name, functions in left.items() if not asked.answers(functions))
        except NotPromised as error:
            raise NotPromised(NOT_PROMISED.format(number=number, call=said, problem=error.reason)) from None
        except TooMuch:
            raise NotPromised(SLOW.format(seconds=SECONDS)) from None

    def _call(self, number: int, case: Any) -> Call | Text:
        """The call, or why none can be made, or not in reasonable time."""
        if not isinstance(case, tuple):
            return NO_TUPLE.format(number=number)
        leaves = pytree.leaves(list(case))
        given = [leaf for leaf in leaves if arrays.is_array(leaf)]
        if not all(type(n) in (int, float, bool, type(None)) or arrays.is_array(n) for n in leaves) or not all(
            arrays.holds_numbers(a) and arrays.device(a) == "cpu" for a in given
        ):
            return NOT_DATA.format(number=number)
        if any(type(n) is int and abs(n) > MOST_ENTRIES for n in leaves):
            return LARGE_NUMBER.format(number=number, most=MOST_ENTRIES)
        if len(leaves) > MOST_ENTRIES or _entries(given) > MOST_ENTRIES:
            return TOO_LARGE.format(number=number, most=MOST_ENTRIES)
        try:
            inspect.signature(self.solution[self.function]).bind(*case)
        except TypeError:
            return OTHER_ARGUMENTS.format(function=self.function, number=number)
        return Call(self.function, case)


def _same(some: Sequence[Call | Text], others: Sequence[Call | Text]) -> bool:
    """Return True if these are the same calls."""
    pairs = itertools.zip_longest(some, others)
    return all(a.same(b) if isinstance(a, Call) and isinstance(b, Call) else a == b for a, b in pairs)


def _entries(given: Sequence[Any]) -> int:
    """Return how many entries arrays hold together, or broadcast to; an axis of length 0 counts as length 1."""
    shapes: list[tuple[int, ...]] = [tuple(max(n, 1) for n in a.shape) for a in given]
    longest = max(map(len, shapes), default=0)
    aligned = [(1,) * (longest - len(shape)) + shape for shape in shapes]
    broadcast: int = math.prod(max(lengths) for lengths in zip(*aligned, strict=True))
    return max(broadcast, sum(math.prod(shape) for shape in shapes))


class Asked:
    """A call, with what the solution makes of it.

    Raises:
        NotPromised: the exercise does not say what is right.
        TooMuch: it is later than `until`, in processor time.
    """

    def __init__(self, call: Call, key: Reference, until: float) -> None:
        self._script, self._until = Script(key), until
        self._known = self._script.know(call)
        raised = self._known.outcome.raised
        self._must_be_in_time()
        self._probe: type[Probe] = RaisesValueError if raised else MatchesReference
        if raised and not raised.refuses:
            raise NotPromised(RAISES.format(error=raised.types[0]))
        if not raised:
            _must_have_values(self._known)

    def answers(self, functions: Functions) -> bool:
        """Return True if these functions answer as the solution does, within its error bound."""
        self._script.rewind()
        try:
            self._probe(LocalTarget(functions), self._script, "cpu").answered(self._known.call)
            return True
        except (CheckFailed, NoAnswer):
            return False
        finally:
            self._must_be_in_time()

    def _must_be_in_time(self) -> None:
        """A target takes the end of its time for an exception of the program's."""
        if time.process_time() > self._until:
            raise TooMuch


def _must_have_values(known: ExpectedCall) -> None:
    """Raises NotPromised where there is nothing to compare with."""
    found = [arrays.exact(leaf) for leaf in pytree.leaves(known.outcome.value) if arrays.is_array(leaf)]
    if any(np.isnan(values).any() for values in found if values.dtype.kind in "fc"):
        raise NotPromised(UNSAID)
    try:
        known.exact, known.allowed  # noqa: B018 -- computed here and kept
    except Exception as error:  # of the error bound, which knows the arguments that the exercise allows
        raise NotPromised(UNSAID) from error


def checks(
    module: ModuleType, function: str, *, points: float, calls: int, right: Sequence[Callable[..., Any]] = ()
) -> tuple[Any, Any]:
    """The two checks of an exercise of `kind: tests`.

    Args:
        module: the suite of the exercise that is to be broken.
        function: the one of it that is called.
        points: of both checks together.
        calls: how many calls count: the first so many that show something new.
        right: functions that answer every call that the exercise promises to answer, each in another way.
    """
    bank = functools.cache(lambda kind, solved: Bank(module, function, right, kind, solved))

    def shown(any_items: Any, reference: Any, make: Make) -> tuple[Findings, list[Text], float]:
        """Return the findings of the student's calls, the mistakes that are left, and the share of the others."""
        programs = bank(make.kind, reference.cases)
        findings = programs.findings(any_items.taking(LOOKED_AT).cases())
        left = programs.due - findings.counted(calls)
        said = [m.message for name, m in programs.wrong.items() if name in left]
        return findings, said, 1 - len(left) / len(programs.due)

    def promised(any_items: Any, reference: Any, make: Make) -> None:
        findings, _, share = shown(any_items, reference, make)
        if problem := findings.problem or (None if share else NOTHING_TOLD):
            raise CheckFailed(problem)

    def told_apart(any_items: Any, reference: Any, make: Make) -> None:
        findings, left, share = shown(any_items, reference, make)
        if left:
            still = STILL.format(mistakes=joined(SENTENCES, left[:SHOWN]))
            more = len(list(filter(None, findings.told))) > calls
            raise PartlyRight(USED_UP.format(still=still, count=calls) if more else still, share)

    for name, check in (("cases_promised", promised), ("told_apart", told_apart)):
        check.__doc__, check.__name__ = LAW_TITLES[name].key, name
    first = rounded(FOR_PROMISED * points)
    return worth(first)(promised), worth(rounded(points - first))(told_apart)
