"""Composes two mistakes in one call: the solution's value that the first gets wrong is replaced in the second's run.

A mistake is code of any form. What it gets wrong is found by the experiment that finds a student's wrong steps; a step
of the other mistake stands for the same step of the solution if it has the same value.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
from collections.abc import Mapping, Sequence

from grader.arrays import Tensor
from grader.diagnosis import steps
from grader.diagnosis.comparing import agree
from grader.diagnosis.replaying import Ask, Functions
from grader.diagnosis.steps import Run, Solution
from grader.suites import Call, NoAnswer, Outcome

ANY_FILE = ""
Replaced = Mapping[int, Tensor]


class Composing:
    """One call, with the steps of the solution and of each mistake that was asked for."""

    def __init__(self, call: Call, reference: Functions) -> None:
        self._call = call
        self.made = 0
        """The number of steps of all runs."""
        self._solution = self._run(reference)
        self._runs: dict[int, Solution] = {}
        self._wrong: dict[int, Sequence[Replaced]] = {}

    @property
    def length(self) -> int:
        """The number of steps of the solution."""
        return len(self._solution({}).steps)

    def first_alone(self, came: Outcome, ask: Ask) -> Outcome | None:
        """Return the solution's answer with the student's first wrong value; None if that is not found."""
        try:
            again = ask(dataclasses.replace(self._call, record="steps"))
        except NoAnswer:
            return None
        taken = steps.claimed(again)
        if again.raised or not taken or not agree("value", self._call, again, came):
            return None
        ways = steps.ways(self._call, came, taken, self._solution)
        return next((self._solution(way[0].instead).outcome for way in ways), None)

    def both(self, one: Functions, other: Functions) -> Outcome | None:
        """Return the answer of both mistakes at once; None if no single step of the first shows where it is wrong, or
        the second does not take that step.
        """
        run = self._run_of(other)
        found = (self._in_place(wrong, run({})) for wrong in self._wrong_of(one))
        return next((run(instead).outcome for instead in found if instead), None)

    def _in_place(self, wrong: Replaced, own: Run) -> Replaced:
        """Return the wrong values by the steps of this run that have the solution's; none if one has no such step."""
        base, instead = self._solution({}), dict[int, Tensor]()
        for j, value in wrong.items():
            alike = [i for i, step in enumerate(own.steps) if steps.same(step, base.steps[j])]
            moved = [_as_there(value, base.steps[j].value, own.steps[i].value) for i in alike]
            instead |= {i: v for i, v in zip(alike, moved, strict=True) if v is not None}
            if not moved or None in moved or not value.is_floating_point():
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
            wrong = steps.wrong_at_first(self._call, plain.outcome, plain.steps, self._solution)
            self._wrong[key] = list(itertools.islice(wrong, 2))
        return self._wrong[key]

    def _run(self, functions: Functions) -> Solution:
        """Return the function as it answers the call; the run without other values is made once."""
        make = steps.solution(functions[self._call.function], ANY_FILE, self._call)

        def counted(instead: Replaced) -> Run:
            found = make(instead)
            self.made += len(found.steps)
            return found

        plain = functools.cache(lambda: counted({}))
        return lambda instead: counted(instead) if instead else plain()


def _as_there(value: Tensor, due: Tensor, there: Tensor) -> Tensor | None:
    """Return a wrong value with its axes in the order that makes the right one the value `there`."""
    pairs = zip(steps.turned(due, there.shape), steps.turned(value, there.shape), strict=False)
    return next((wrong.to(there.dtype) for right, wrong in pairs if steps.near(right, there)), None)
