"""Composes two mistakes in one call: the solution's value that the first gets wrong is replaced in the second's run.

A mistake is code of any form. What it gets wrong is found by the experiment that finds a student's wrong steps; a step
of the other mistake stands for the same step of the solution if it has the same value. It may also be an argument, if
the solution answers as the mistake does when it is given another value for it.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
from collections.abc import Iterator, Mapping, Sequence

from grader import pytree
from grader.arrays import Tensor
from grader.diagnosis import steps
from grader.diagnosis.comparing import agree
from grader.diagnosis.replaying import Ask, Functions
from grader.diagnosis.step import Step, claimed, near, placed, same, turned
from grader.diagnosis.steps import Run, Solution
from grader.suites import Call, NoAnswer, Outcome

ANY_FILE = ""
MOST_GIVEN = 4  # values of a mistake that are tried in the place of an argument
Replaced = Mapping[int, Tensor]


class Composing:
    """One call, with the steps of the solution and of each mistake that was asked for."""

    def __init__(self, call: Call, reference: Functions) -> None:
        self._call, self._reference = call, reference
        self.made = 0
        """The number of steps of all runs."""
        self._solution = self._run(reference)
        self._runs: dict[int, Solution] = {}
        self._wrong: dict[int, Sequence[Replaced]] = {}
        self._given: dict[int, Call | None] = {}

    @property
    def length(self) -> int:
        """The number of steps of the solution."""
        return len(self._solution({}).steps)

    @property
    def _of_numbers(self) -> bool:
        """True if the result is of numbers: masks are so alike that two mistakes may make a third."""
        leaves = pytree.leaves(self._solution({}).outcome.value)
        return any(isinstance(leaf, Tensor) and leaf.is_floating_point() for leaf in leaves)

    def first_alone(self, came: Outcome, ask: Ask) -> Outcome | None:
        """Return the solution's answer with the student's first wrong value; None if that is not found."""
        try:
            again = ask(dataclasses.replace(self._call, record="steps"))
        except NoAnswer:
            return None
        taken = claimed(again)
        if again.raised or not taken or not agree("value", self._call, again, came):
            return None
        ways = steps.ways(self._call, came, taken, self._solution)
        return next((self._solution(way[0].instead).outcome for way in ways), None)

    def both(self, one: Functions, other: Functions) -> Outcome | None:
        """Return the answer of both mistakes at once: the second with what the first gets wrong.

        None if neither a single step nor an argument shows what that is, or if the second does not take that step.
        """
        run = self._run_of(other)
        found = (self._in_place(wrong, run({})) for wrong in self._wrong_of(one))
        if instead := next(filter(None, found), None):
            return run(instead).outcome
        given = self._given_of(one)
        return self._run(other, given)({}).outcome if given else None

    def _in_place(self, wrong: Replaced, own: Run) -> Replaced:
        """Return the wrong values by the steps of this run that have the solution's; none if one has no such step."""
        base, instead = self._solution({}), dict[int, Tensor]()
        for j, value in wrong.items():
            alike = [i for i, step in enumerate(own.steps) if same(step, base.steps[j])]
            moved = [_as_there(value, base.steps[j].value, own.steps[i].value) for i in alike]
            instead |= {i: v for i, v in zip(alike, moved, strict=True) if v is not None}
            if not moved or None in moved or not (value.is_floating_point() or self._of_numbers):
                return {}
        return instead

    def _run_of(self, functions: Functions) -> Solution:
        key = id(functions[self._call.function])
        if key not in self._runs:
            self._runs[key] = self._run(functions)
        return self._runs[key]

    def _wrong_of(self, functions: Functions) -> Sequence[Replaced]:
        """Return the wrong values of a mistake that explain its answer, by the solution's steps."""
        key = id(functions[self._call.function])
        if key not in self._wrong:
            plain = self._run_of(functions)({})
            wrong = wrong_at_first(self._call, plain.outcome, plain.steps, self._solution)
            self._wrong[key] = [*itertools.islice(wrong, 2), *self._result_of(plain)]
        return self._wrong[key]

    def _result_of(self, mistake: Run) -> list[Replaced]:
        """Return the result of a mistake in the place of the solution's last step, from which another may go on."""
        base, value = self._solution({}), mistake.outcome.value
        alike = isinstance(value, Tensor) and base.steps and base.steps[-1].value.shape == value.shape
        return [{len(base.steps) - 1: value}] if alike else []

    def _given_of(self, functions: Functions) -> Call | None:
        """Return the call with another value for one argument, if the solution answers it as this mistake the call.

        The value is one that the mistake makes of that argument.
        """
        key = id(functions[self._call.function])
        if key not in self._given:
            self._given[key] = next(self._calls_like(self._run_of(functions)({})), None)
        return self._given[key]

    def _calls_like(self, mistake: Run) -> Iterator[Call]:
        args = self._call.args
        made = [s.value for s in mistake.steps if all(n < 0 for n in s.takes) and s.value.is_floating_point()]
        for value, (n, given) in itertools.product(made[:MOST_GIVEN], enumerate(args)):
            if isinstance(given, Tensor) and (given.shape, given.dtype) == (value.shape, value.dtype):
                call = dataclasses.replace(self._call, args=(*args[:n], value, *args[n + 1 :]))
                if agree("value", call, self._run(self._reference, call)({}).outcome, mistake.outcome):
                    yield call

    def _run(self, functions: Functions, call: Call | None = None) -> Solution:
        """Return the function as it answers the call; the run without other values is made once."""
        make = steps.solution(functions[self._call.function], ANY_FILE, call or self._call)

        def counted(instead: Replaced) -> Run:
            found = make(instead)
            self.made += len(found.steps)
            return found

        plain = functools.cache(lambda: counted({}))
        return lambda instead: counted(instead) if instead else plain()


def _as_there(value: Tensor, due: Tensor, there: Tensor) -> Tensor | None:
    """Return a wrong value with its axes in the order that makes the right one the value `there`."""
    pairs = zip(turned(due, there.shape), turned(value, there.shape), strict=False)
    return next((wrong.to(there.dtype) for right, wrong in pairs if near(right, there)), None)


def wrong_at_first(call: Call, came: Outcome, taken: Sequence[Step], run: Solution) -> Iterator[Mapping[int, Tensor]]:
    """Yield the wrong values that come from right ones, in the place of the solution's, if they explain the answer.

    What follows from each alone comes too, up to where it meets another value. A single one that takes something else
    than the solution's step may come later, if it explains the answer.
    """
    base = run({})
    own, left = steps.own_steps(taken, base), set(range(len(base.steps)))
    left -= {j for j in own if j is not None}
    first: dict[int, int] = {}
    wrong = steps.wrong_steps(taken, own)
    for k, step in enumerate(taken):
        if k in wrong and not wrong.intersection(step.takes):
            fitting = [j for j in sorted(left) if placed(step, base.steps[j]) is not None]
            alike = [j for j in fitting if base.steps[j].operation == step.operation]
            first.update((k, j) for j in (alike or fitting)[:1])
            left.difference_update(first.values())
    takes = {k: [own[n] if n >= 0 else n for n in taken[k].takes] for k in first}
    sure = len(first) > 1 or all(takes[k] == [*base.steps[j].takes] for k, j in first.items())
    explained = False
    for pairs in (first.items(), [(_alone(taken, k), _alone(base.steps, j)) for k, j in first.items()]):
        values = {j: placed(taken[k], base.steps[j]) for k, j in pairs}
        instead = {j: value for j, value in values.items() if value is not None}
        if sure and 0 < len(instead) == len(first) and agree("value", call, run(instead).outcome, came):
            explained = True
            yield instead
    if not explained:
        yield from (way[-1].instead for way in steps.ways(call, came, taken, run, most=1))


def _alone(taken: Sequence[Step], n: int) -> int:
    """Return the last step that follows from this one and no other."""
    while len(following := [i for i, step in enumerate(taken) if n in step.takes]) == 1:
        if len(taken[following[0]].takes) > 1:
            break
        n = following[0]
    return n
