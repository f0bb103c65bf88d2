"""What a check can do with a student's function: call it, compare it, differentiate it, see it refuse.

Each probe calls the student and the reference with the same arguments and first compares the form of the results
(kind, shape, dtype, device), so that whatever a suite gets back can be computed with.
"""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch

from grader import form, say
from grader.errors import CourseError
from grader.excerpt import Compared, Shown, excerpt
from grader.known import Known, Script, tolerance
from grader.suitekit import CheckFailed
from grader.target import Call, Made, NoAnswer, Outcome, Target
from grader.trees import leaves, mapped, tensors
from grader.words import Text


class Probe:
    """`probe.softmax(x, dim=1)` runs `probe` on the function softmax; subclasses say what for."""

    def __init__(self, target: Target, script: Script, device: str) -> None:
        self._target = target
        self._script = script
        self._device = device
        self._made: Made | None = None

    def made(
        self, *args: Any, state: Mapping[str, torch.Tensor] | None = None, train: bool = False, **kwargs: Any
    ) -> Any:
        """This probe for objects of a class: made with these arguments, weights loaded from `state`, then called.

        `probe.made(8, 2, state=weights).Block(x)` calls `Block(8, 2)` on x. `probe.made(...).turns.Block((x,), (y,))`
        calls one object on x, then on y, and takes both results for one.
        """
        probe = copy.copy(self)
        probe._made = Made(args, kwargs, state, train)
        return probe

    @property
    def turns(self) -> Any:
        """This probe of a made object, for several calls of it in a row."""
        probe = copy.copy(self)
        probe._made = dataclasses.replace(self._made or Made((), {}), turns=True)
        return probe

    def __getattr__(self, function: str) -> Callable[..., Any]:
        if function.startswith("_"):
            raise AttributeError(function)  # as copy.copy expects
        return lambda *args, **kwargs: self._run(Call(function, args, kwargs, device=self._device, made=self._made))

    def _run(self, call: Call) -> Any:
        known = self._script.know(call)
        return self._answer(known, self._target.call(known.call))

    def _answer(self, known: Known, outcome: Outcome) -> Any:
        """The value, once it has the form of the reference's."""
        expected = known.outcome
        if expected.raised:
            raise CourseError(f"the solution raises {expected.raised.types[0]} for {known.words().en}")
        if outcome.raised:
            if say.blocked(outcome.raised):
                raise NoAnswer("blocked", say.raised(outcome.raised))
            self._fail(known, say.raised(outcome.raised))
        where = {id(t): device for t, device in zip(tensors(outcome.value), outcome.devices, strict=True)}
        value = form.numbers_like(outcome.value, expected.value)
        devices = [where[id(t)] for t in tensors(value)]  # what became a number has none
        if wrong := self._wrong_form(value, devices, expected):
            self._fail(known, wrong)
        return mapped(_detached, tuple(value) if isinstance(value, list) else value)

    def _wrong_form(self, value: Any, devices: Sequence[str], expected: Outcome) -> Text | None:
        return form.wrong_form(value, devices, expected.value, expected.devices)

    def _fail(self, known: Known, problem: Text, detail: Shown | None = None) -> None:
        size = sum(t.numel() for t in known.call.tensors)
        raise CheckFailed(say.FOR_CALL.format(call=known.words(), problem=problem), detail, size)


def _detached(leaf: Any) -> Any:
    """A tensor that a suite may take for a number: torch warns of one that still waits for its gradient."""
    return leaf.detach() if isinstance(leaf, torch.Tensor) else leaf


class Student(Probe):
    """Returns the student's result, which has the right form."""


class Golden(Probe):
    """Returns the student's result, which has the right form and agrees with the reference in float64."""

    def _answer(self, known: Known, outcome: Outcome) -> Any:
        result = super()._answer(known, outcome)
        allowed = iter(known.allowed)
        wrong = []
        for index, (a, exact) in enumerate(zip(leaves(result), known.exact, strict=True)):
            if isinstance(exact, torch.Tensor):
                a = a.detach() if isinstance(a, torch.Tensor) else torch.as_tensor(a)
                values = a.double()
                right = (values - exact).abs_() <= next(allowed)
                if not right.all() and not (right := right | (values == exact)).all():  # inf where inf is due
                    wrong.append(Compared(form.part_of(known.outcome.value, index), a, exact, right))
            elif a != exact and not wrong:
                part = form.part_of(known.outcome.value, index)
                self._fail(known, say.WRONG_VALUE.format(part=part, got=repr(a)[:200], want=repr(exact)))
        if wrong:
            seen = excerpt(wrong)
            self._fail(known, say.differs(wrong[0]), Shown(say.values(known.call.tensors, wrong[0], bool(seen)), seen))
        return result


class Gradients(Probe):
    """Compares the gradients of all float inputs with the reference's, for one random direction of the results.

    `gradients.of(0).f(x)` differentiates the first result only; `gradients.wrt("q").f(q, cos)` compares q's only.
    """

    SLACK = 512  # units of epsilon of the largest entry: two chained products and a sum, see docs/tolerances.md
    _only: int | None = None
    _wrt: tuple[str, ...] = ()

    def of(self, result: int) -> Gradients:
        """This probe for one of several results."""
        probe = copy.copy(self)
        probe._only = result
        return probe

    def wrt(self, *inputs: str) -> Gradients:
        """This probe for some of the inputs, where honest solutions differ in how the others are used."""
        probe = copy.copy(self)
        probe._wrt = inputs
        return probe

    def _run(self, call: Call) -> Any:
        return super()._run(dataclasses.replace(call, gradients=True, only=self._only))

    def _answer(self, known: Known, outcome: Outcome) -> Any:
        result = super()._answer(known, outcome)
        actual = [*(outcome.gradients or []), *[None] * len(known.gradients)]  # what is missing is None
        for (name, tensor), a, expected in zip(known.inputs(), actual, known.gradients, strict=False):
            sound = a is not None and (a.dtype, a.device.type) == (tensor.dtype, "cpu")
            if expected is not None and (not self._wrt or name in self._wrt):
                self._compare(known, name, a if sound else None, expected)
        return result

    def _compare(self, known: Known, name: str, actual: torch.Tensor | None, expected: torch.Tensor) -> None:
        if actual is None:
            self._fail(known, say.NO_GRADIENT.format(name=name))
        elif actual.shape != expected.shape:
            self._fail(known, say.WRONG_GRADIENT.format(name=name, difference="?"))
        else:
            largest = float(expected.abs().max()) if expected.numel() else 0.0
            difference = (actual.double() - expected).abs()
            if not bool((difference <= tolerance(actual.dtype, self.SLACK * max(largest, 1e-3))).all()):
                self._fail(known, say.WRONG_GRADIENT.format(name=name, difference=say.number(difference.max())))


class Loose(Probe):
    """Returns a result of the same kinds as the reference's, of any shapes, for a suite that checks what was built."""

    def _wrong_form(self, value: Any, devices: Sequence[str], expected: Outcome) -> Text | None:
        return form.wrong_kinds(value, devices, expected.value, expected.devices)


class Largest(Probe):
    """Returns how many entries the largest tensor has that the student's code made on the way, as the worker claims."""

    def _run(self, call: Call) -> Any:
        return super()._run(dataclasses.replace(call, watch=True))

    def _answer(self, known: Known, outcome: Outcome) -> int:
        super()._answer(known, outcome)
        return outcome.largest


class Untouched(Probe):
    """Fails where an input was changed in place."""

    def _run(self, call: Call) -> Any:
        return super()._run(dataclasses.replace(call, watch=True))

    def _answer(self, known: Known, outcome: Outcome) -> Any:
        value = super()._answer(known, outcome)
        if outcome.changed:
            names = [name for name, _ in known.inputs()]
            changed = [names[i] for i in outcome.changed if 0 <= i < len(names)]
            self._fail(known, say.CHANGED.format(names=", ".join(changed) or "?"))
        return value


class Refuses(Probe):
    """Fails unless the student raises ValueError, as the reference does."""

    def _answer(self, known: Known, outcome: Outcome) -> Any:
        if not (expected := known.outcome.raised) or "ValueError" not in expected.types:
            raise CourseError(f"the solution does not raise ValueError for {known.words().en}")
        if outcome.raised is None:
            self._fail(known, say.NO_ERROR)
        elif "ValueError" not in outcome.raised.types:
            problem = say.raised(outcome.raised)
            self._fail(known, problem if problem == say.NOT_STARTED else say.OTHER_ERROR.format(problem=problem))


class Contract(Probe):
    """Runs under the rules of a GPU, pretended on the CPU: finds what would break on one, needs none.

    On CUDA the call is made for real. What the pretended device cannot follow is skipped, not failed.
    """

    def _run(self, call: Call) -> Any:
        return super()._run(dataclasses.replace(call, contract=True) if self._device == "cpu" else call)

    def _answer(self, known: Known, outcome: Outcome) -> Any:
        if known.call.contract and outcome.raised and outcome.raised.types[0] == "NotFollowed":
            raise NotChecked(say.NOT_FOLLOWED)
        return super()._answer(known, outcome)


class NotChecked(Exception):
    """The check could not be made here; it takes its points out of the maximum."""

    def __init__(self, reason: Text) -> None:
        super().__init__(reason.en)
        self.reason = reason
