"""Promises beside the values: a check of one fails only where the student's code breaks it.

Where the values are wrong anyway, the answer of the same code to the plain call takes the place of the reference's:
what code that forgets the scale gives for transposed inputs has to be what it gives for the same inputs in order. That
the values are wrong is noted, and charged where values are checked.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from grader import arrays, closeness, pytree
from grader.arrays import Tensor, torch
from grader.suites import wording
from grader.suites.api import CheckFailed, Promise
from grader.suites.probes import MatchesReference, Probe
from grader.suites.reference import ExpectedCall
from grader.suites.script import Script
from grader.suites.target import Answers, Call, Outcome, Recorder
from grader.texts import Text


class Keeps(MatchesReference):
    """Note wrong values that break no promise, and go on with the right ones."""

    promise: Promise = "law"
    _asks: Literal["values", "form", "nothing"] = "values"
    """The part of the result that is checked beside the promise."""

    @property
    def beside(self) -> Any:
        """This probe for calls that a law makes beside its examples, whose values and errors are other checks'."""
        return self.briefly._with(_beside=True)

    def _answer(self, known: ExpectedCall, outcome: Outcome) -> Any:
        if self._asks == "nothing" or self._fails_anyway(known, outcome):
            return known.outcome.value
        try:
            if self._asks == "values":
                return super()._answer(known, outcome)
            result = Probe._answer(self, known, outcome)
            if self._wrong is not None and (wrong := self._wrong_values(known, result)):
                self._wrong.append(wrong)
            return result
        except CheckFailed as failed:
            if self._wrong is None or outcome.raised or not failed.attempted or not self._kept(known, outcome):
                raise
            self._wrong.append(failed)
            return known.outcome.value

    def _fails_anyway(self, known: ExpectedCall, outcome: Outcome) -> bool:
        """Return whether a call beside the examples raises an error when it is made plainly, too."""
        return bool(self._beside and outcome.raised and self._own(self._plain(known.call)).raised)

    def _wrong_values(self, known: ExpectedCall, result: Any) -> CheckFailed | None:
        """Say what is wrong with the values, if an earlier check shows that they are wrong."""
        return None if self._wrong is None else self._off(known, result)

    def _off(self, known: ExpectedCall, result: Any) -> CheckFailed | None:
        """Say what is wrong with the values, if anything is."""
        if any(t.is_meta for t in pytree.tensors(result)):  # those have no values
            return None
        try:
            self._compared(known, result)
        except CheckFailed as failed:
            return failed
        return None

    def _kept(self, known: ExpectedCall, outcome: Outcome) -> bool:
        """Return whether a wrong answer keeps the promise, since the plain call gives the same."""
        own = self._own(self._plain(known.call))
        return own.raised is None and alike(outcome.value, own.value)

    def _plain(self, call: Call) -> Call:
        """Return the same call, made plainly."""
        return call

    def _own(self, call: Call) -> Outcome:
        """Return the outcome of a call that belongs to no check."""
        return self._target.unnoted(call) if isinstance(self._target, Recorder) else self._target.call(call)


class Notes(Keeps):
    """A probe that only notes wrong values, for a check of something else."""

    def _kept(self, known: ExpectedCall, outcome: Outcome) -> bool:
        return True


class KeepsNames(Keeps):
    """A probe that passes the arguments by name; they may be passed in order as well."""

    _in_order: Call

    def _run(self, call: Call) -> Any:
        by_name = dataclasses.replace(call, args=(), kwargs=self._script.aside(call).by_keyword())
        return Keeps._run(self._with(_in_order=call), by_name)

    def _plain(self, call: Call) -> Call:
        return self._in_order


class KeepsLayout(Keeps):
    """A probe of arrays in another memory layout; the same values in the usual layout give the same result."""

    def _plain(self, call: Call) -> Call:
        return in_order(call)


class KeepsMode(Keeps):
    """A probe of objects in training mode, which have to do the same as in evaluation mode."""

    def _run(self, call: Call) -> Any:
        made = call.made and dataclasses.replace(call.made, train=True)
        return super()._run(dataclasses.replace(call, made=made))

    def _plain(self, call: Call) -> Call:
        return dataclasses.replace(call, made=call.made and dataclasses.replace(call.made, train=False))


def in_order(call: Call) -> Call:
    """Return the same call with every array contiguous in memory."""
    args, kwargs = pytree.mapped(_in_order, (call.args, dict(call.kwargs)))
    return dataclasses.replace(call, args=args, kwargs=kwargs)


def _in_order(leaf: Any) -> Any:
    if isinstance(leaf, np.ndarray):
        return np.ascontiguousarray(leaf)
    return leaf.clone(memory_format=torch.contiguous_format) if isinstance(leaf, Tensor) else leaf


def alike(one: Any, other: Any) -> bool:
    """Return whether two results of the same code agree in form and, up to rounding, in values."""
    ours, theirs = pytree.leaves(one), pytree.leaves(other)
    return len(ours) == len(theirs) and all(_agree(a, b) for a, b in zip(ours, theirs, strict=True))


def _agree(one: Any, other: Any) -> bool:
    if isinstance(one, np.ndarray):
        return isinstance(other, np.ndarray) and arrays.equal(one, other)
    if not isinstance(one, Tensor) or not isinstance(other, Tensor):
        return type(one) is type(other) and bool(one == other or one != one)
    if one.is_meta or other.is_meta or (one.shape, one.dtype) != (other.shape, other.dtype):
        return False
    a, b = arrays.exact(one), arrays.exact(other)
    if not arrays.is_real(one):
        return np.array_equal(a, b)
    units = closeness.RERUN_UNITS * closeness.EPSILON[arrays.dtype_name(one)]
    most = max(units, closeness.VISIBLE) * max(closeness.largest(b), 1.0)
    return bool(closeness.within(a, b, most, nan=True).all())


class RemembersNothing(Keeps):
    """Collect calls; `in_any_order` makes them in a row, again and in reverse, and compares every result.

    Objects of a class are two side by side.
    """

    def __init__(self, target: Answers, script: Script, device: str, wrong: list[CheckFailed] | None = None) -> None:
        super().__init__(target, script, device, wrong)
        self._calls: list[Call] = []

    def _run(self, call: Call) -> Any:
        self._calls.append(call)
        return self._script.aside(call).outcome.value

    def _wrong_form(self, value: Any, devices: Sequence[str], expected: Outcome) -> Text | None:
        problem = super()._wrong_form(value, devices, expected)
        return wording.AGAIN.format(problem=problem) if problem else None

    def in_any_order(self) -> None:
        """Make the calls that were collected."""
        calls = list(self._calls)
        while calls:
            alike = [c for c in calls if c.function == calls[0].function and same_object(c, calls[0])]
            calls = [c for c in calls if not any(c is other for other in alike)]
            self._play([*alike, *reversed(alike)])

    def _play(self, calls: Sequence[Call]) -> None:
        single = [self._script.aside(call) for call in calls]
        made = calls[0].made and dataclasses.replace(calls[0].made, objects=2)
        turns = dataclasses.replace(
            calls[0], args=tuple(known.positional() for known in single), kwargs={}, turns=True, made=made
        )
        known = self._script.know(turns)
        outcome = self._target.call(known.call)
        if outcome is known.outcome and not self._script.prove:
            return
        try:
            results = Probe._answer(self, known, outcome)
            for one, result in zip(single, results, strict=True):
                self._compared(one, result, again=True)
        except CheckFailed as failed:
            if (
                self._wrong is None
                or outcome.raised
                or not failed.attempted
                or not self._as_alone(single, outcome.value)
            ):
                raise
            self._wrong.append(failed)

    def _as_alone(self, single: Sequence[ExpectedCall], results: Any) -> bool:
        """Return whether each result of several calls is the result of its call alone."""
        if not isinstance(results, list | tuple) or len(results) != len(single):
            return False
        if any(t.is_meta for t in pytree.tensors(results)):
            return False
        for (one, came), (other, came_too) in itertools.combinations(zip(single, results, strict=True), 2):
            if pytree.equal(came, came_too) and not pytree.equal(one.outcome.value, other.outcome.value):
                return False  # the answer to another call
        own = [self._own(known.call) for known in single]
        return all(o.raised is None and alike(r, o.value) for o, r in zip(own, results, strict=True))


def same_object(one: Call, other: Call) -> bool:
    """Return whether two calls are of objects that were made in the same way."""
    return pytree.equal(*(c.made and c.made.as_dict() for c in (one, other)))
