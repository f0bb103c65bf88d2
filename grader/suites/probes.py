"""Probes, through which a check calls a student's function: to compare it, differentiate it, or see it refuse.

Each probe calls the student and the reference with the same arguments and first compares the form of the results
(kind, shape, dtype, device), so that whatever a suite gets back can be computed with.
"""

from __future__ import annotations

import copy
import dataclasses
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from grader import arrays, parts
from grader.arrays import Tensor
from grader.closeness import within
from grader.errors import CourseError
from grader.pytree import arrays_of, leaves, mapped
from grader.sandbox.processes import ROOM, GeneratorForm
from grader.sandbox.worker import LEFT
from grader.suites import exceptions, result_form, wording
from grader.suites.api import CheckFailed, Promise
from grader.suites.excerpt import Compared, excerpt, salience, shown_of, shows_pattern
from grader.suites.given import Given, excess, taken
from grader.suites.reference import ExpectedCall, Reference
from grader.suites.script import Script
from grader.suites.tally import Aside, Counts
from grader.suites.target import Answers, Call, Made, NoAnswer, Outcome
from grader.texts import Text

LOOKED_AT = 4  # later calls, for one that shows more


class Probe:
    """A way to ask a function: `probe.softmax(x, dim=1)` calls softmax, and a subclass checks the answer."""

    promise: Promise = "value"
    compares = False
    """True if every result has to agree with the reference's."""

    def __init__(self, target: Answers, script: Script, device: str, wrong: list[CheckFailed] | None = None) -> None:
        self._target = target
        self._script = script
        self._device = device
        self._wrong = wrong  # values beside a promise that is kept; None where no earlier check shows that any are
        self._made: Made | None = None
        self._turns = self._named = self._nan = self._briefly = self._beside = False
        self._take: int | None = None
        self._left: tuple[str, ...] = ()
        self._tally: Counts | None = None

    def made(
        self, *args: Any, state: Mapping[str, Tensor] | None = None, train: bool = False, objects: int = 1, **more: Any
    ) -> Any:
        """Return this probe for objects of a class: made with these arguments, then loaded with `state`, then called.

        `probe.made(8, 2, state=weights).Block(x)` calls `Block(8, 2)` on x. `probe.made(...).turns.Block((x,), (y,))`
        calls one object on x, then on y, and returns both results as one. Several `objects` are called in rotation.
        """
        return self._with(_made=Made(mapped(taken, args), mapped(taken, more), state, train, objects))

    def by_method(self, name: str) -> Any:
        """Return this probe for the method of this name of `made` objects, in place of the objects themselves."""
        return self._with(_made=dataclasses.replace(self._made or Made((), {}), method=name))

    def taking(self, count: int) -> Any:
        """Return this probe for a function that returns an iterator. The result is a list of its first items.

        No more than `count` items are asked for, so it need not end.
        """
        return self._with(_take=count)

    def in_place(self, *names: str) -> Any:
        """Return this probe for functions that work in place: the result is a dict of these arguments after the call.

        The name "" stands for the returned value, which is not looked at otherwise.
        """
        return self._with(_left=names)

    @property
    def with_nan(self) -> Any:
        """Return this probe for results that hold NaN: it is right where the solution has it, and nowhere else."""
        return self._with(_nan=True)

    @property
    def briefly(self) -> Any:
        """This probe for calls that get a second; what takes longer, as an honest loop may, shows nothing."""
        return self._with(_briefly=True)

    @property
    def turns(self) -> Any:
        """This probe for several calls in a row, of one made object or of a function."""
        return self._with(_turns=True)

    @property
    def by_keyword(self) -> Any:
        """This probe with every argument passed by its name."""
        return self._with(_named=True)

    def _with(self, **options: Any) -> Any:
        probe = copy.copy(self)
        vars(probe).update(options)
        return probe

    def __getattr__(self, function: str) -> Callable[..., Any]:
        if function.startswith("_"):
            raise AttributeError(function)  # as copy.copy expects
        return lambda *args, **kwargs: self._asked(self._call(function, args, kwargs))

    def counted_by(self, tally: Counts) -> Any:
        """Return this probe for a check that goes on after a failed call and counts how many fail."""
        return self._with(_tally=tally)

    def _asked(self, call: Call) -> Any:
        return self._tally.ask(self, call) if self._tally else self._run(call)

    def judge(self, known: ExpectedCall, target: Answers) -> None:
        """See `Judge`."""
        self._with(_target=target)._answer(known, target.call(known.call))

    def answered(self, call: Call) -> Any:
        """Make the call, judge the student's result, and return it."""
        if not self._briefly:
            return self._run(call)
        try:
            return self._run(dataclasses.replace(call, brief=True))
        except NoAnswer as none:
            if not (none.slow or (self._beside and none.verdict == "timeout")):
                raise
            return self.due(call)

    def due(self, call: Call) -> Any:
        """Return the reference's result of the call."""
        return self._script.aside(call).outcome.value

    def known(self, call: Call) -> ExpectedCall:
        """Return what the reference says of the call."""
        return self._script.aside(call)

    def cost(self, call: Call) -> float:
        """Return how many entries the largest tensor has that the reference makes; infinity if it cannot be watched."""
        if sum(a.nbytes for a in call.arrays) > ROOM:
            return math.inf
        return self._script.aside(dataclasses.replace(call, watch=True)).outcome.largest

    def chosen(self, choose: Callable[[Reference, str], list[Call]]) -> list[Call]:
        """Return calls that `choose` finds with the reference and the device; they are chosen once for a seed."""
        return self._script.once(lambda: choose(self._script.key, self._device))

    def aside(self) -> Probe:
        """Return this probe for calls that do not belong to the check."""
        probe: Probe = self._with(_target=Aside(self._target))
        return probe

    @property
    def wrong_before(self) -> bool:
        """True if an earlier check shows that values are wrong."""
        return self._wrong is not None

    def _call(self, function: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Call:
        args, kwargs = mapped(taken, args), mapped(taken, kwargs)
        call = Call(function, args, kwargs, turns=self._turns, device=self._device, made=self._made, take=self._take)
        call = dataclasses.replace(call, nan=True) if self._nan else call
        if self._left:
            call = dataclasses.replace(call, left=ExpectedCall(call, self._script.key).places(self._left))
        return dataclasses.replace(call, args=(), kwargs=self._script.aside(call).by_keyword()) if self._named else call

    def _run(self, call: Call) -> Any:
        known = self._script.know(call, self)
        outcome = self._target.call(known.call)
        for function, count in zip(call.given, outcome.evaluations, strict=False):
            function.calls = count
        over = excess(known.call.given, outcome.evaluations)
        if over and over[1] > over[0].stops_at:
            self._fail(known, _too_often(known, *over), promise="law")
        result = self._answer(known, outcome)
        if over:
            self._fail(known, _too_often(known, *over), promise="law")
        return result

    def _answer(self, known: ExpectedCall, outcome: Outcome) -> Any:
        """Return the value if it has the form of the reference's; fail the check otherwise."""
        if self._target is not self._script and outcome.raised and exceptions.not_started(outcome.raised):
            self._fail(known, exceptions.NOT_STARTED)  # which needs no reference
        expected = known.outcome
        if expected.raised:
            raise CourseError(f"the solution raises {expected.raised.types[0]} for {known.words().to('en')}")
        if outcome.raised:
            if exceptions.blocked(outcome.raised):
                raise NoAnswer("blocked", exceptions.raised(outcome.raised))
            bounded = known.call.memory is not None  # what then fails are not the values
            self._fail(known, exceptions.raised(outcome.raised, known.call.memory), promise="law" if bounded else None)
        where = {id(t): device for t, device in zip(arrays_of(outcome.value), outcome.devices, strict=True)}
        value = result_form.numbers_like(outcome.value, expected.value)
        devices = [where.get(id(t), "cpu") for t in arrays_of(value)]  # what became a number has none; nor have tables
        if wrong := self._wrong_form(value, devices, expected):
            self._fail(known, wrong)
        if known.call.left:
            value = {name.removeprefix(LEFT): left for name, left in value.items()}
        return mapped(arrays.detached, tuple(value) if isinstance(value, list) else value)

    def _wrong_form(self, value: Any, devices: Sequence[str], expected: Outcome) -> Text | None:
        return result_form.wrong_form(value, devices, expected.value, expected.devices)

    def _fail(
        self, known: ExpectedCall, problem: Text, promise: Promise | None = None, unclear: bool = False, **shown: Any
    ) -> None:
        said = wording.FOR_CALL.format(call=known.words(), problem=problem)
        attempted = problem != exceptions.NOT_STARTED
        told = dataclasses.replace(salience(promise or self.promise, known.call.arrays), unclear=unclear)
        raise CheckFailed(said, salience=told, attempted=attempted, call=known.call, **shown)


def _too_often(known: ExpectedCall, function: Given, count: int) -> Text:
    """Say that a function was called too often; name it by the parameter that it was passed to, if there is one."""
    bound = {} if known.call.turns or known.call.made else known.by_keyword()
    name = next((name for name, value in bound.items() if value is function), function.name)
    said = wording.STOPPED if function.at_most is None else wording.TOO_OFTEN
    return said.format(name=name, count=count, most=function.at_most or function.stops_at)


class Student(Probe):
    """Check the form of the student's result, and return it."""


class MatchesReference(Probe):
    """Check that the student's result has the right form and agrees with the reference in float64, and return it."""

    compares = True
    _memory: int | None = None

    def within(self, megabytes: int) -> Any:
        """Return this probe for calls that get no more memory than this beside what the worker began with.

        The file itself and its imports, the inputs, all intermediate tensors and the result have to fit into it. There
        is no limit on CUDA, nor where the system cannot enforce one (macOS, Windows).
        """
        return self._with(_memory=megabytes)

    def _run(self, call: Call) -> Any:
        little = self._memory is not None and self._device == "cpu"
        return super()._run(dataclasses.replace(call, memory=self._memory, alone=True) if little else call)

    def _answer(self, known: ExpectedCall, outcome: Outcome) -> Any:
        result = super()._answer(known, outcome)
        if outcome is known.outcome and not self._script.prove:  # a rehearsal, in which the reference answers
            return result
        try:
            return self._compared(known, result)
        except CheckFailed as failed:
            told = failed.salience.unclear and not (self._tally and self._tally.failed)
            raise (self._clearer(failed) if told else failed) from None

    def _clearer(self, failed: CheckFailed) -> CheckFailed:
        """Return the failure of a later call of the check whose result shows a pattern, if there is one."""
        function = failed.call.function if failed.call else ""
        for known in self._script.to_come(function, LOOKED_AT):
            try:
                self._compared(known, Probe._answer(self, known, self._target.call(known.call)))
            except CheckFailed as other:
                if (other.values or other.picture) and other.salience < failed.salience:
                    return other
            except NoAnswer:
                break
        return failed

    def _compared(self, known: ExpectedCall, result: Any, again: bool = False) -> Any:
        """Return the result if its values are right; `again`: it came after other calls."""
        allowed = iter(known.allowed)
        wrong = []
        for index, (a, exact) in enumerate(zip(leaves(result), known.exact, strict=True)):
            if isinstance(exact, np.ndarray):
                right = within(arrays.exact(a), exact, next(allowed), known.call.nan)
                if not right.all():
                    part, due = result_form.part_of(known.outcome.value, index), exact
                    if not arrays.holds_numbers(a):
                        due = leaves(known.outcome.value)[index]
                    wrong.append(Compared(part, arrays.shown(a), due, right))
            elif a != exact and not wrong:
                part = result_form.part_of(known.outcome.value, index)
                other = wording.OTHER_STATE if isinstance(exact, GeneratorForm) else wording.WRONG_VALUE
                problem = other.format(part=part, got=repr(a)[:200], want=repr(exact))
                self._fail(known, wording.AGAIN.format(problem=problem) if again else problem)
        if wrong:
            told = shown_of(wrong)
            seen, problem = excerpt(told), wording.differs(told)
            said = wording.AGAIN.format(problem=problem) if again else problem
            given = leaves([known.call.args, known.call.kwargs], whole=True)
            inputs = [leaf for leaf in given if arrays.is_array(leaf) or parts.kind(leaf)]
            values, unclear = wording.values(inputs, told, bool(seen)), not shows_pattern(told.actual.shape)
            self._fail(known, said, unclear=unclear, values=values, picture=seen)
        return result
