"""What a check can do with a student's function: call it, compare it, differentiate it, see it refuse.

Each probe calls the student and the reference with the same arguments and first compares the form of the results
(kind, shape, dtype, device), so that whatever a suite gets back can be computed with.
"""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch

from grader import say
from grader.errors import CourseError
from grader.suitekit import CheckFailed
from grader.target import Call, LocalTarget, NoAnswer, Outcome, Target
from grader.words import Text

Functions = Mapping[str, Callable[..., Any]]
Bounds = Mapping[str, Callable[..., Any]]


class Probe:
    """`probe.softmax(x, dim=1)` runs `probe` on the function softmax; subclasses say what for."""

    def __init__(self, target: Target, reference: Functions, oracles: Functions, bounds: Bounds, device: str) -> None:
        self._target = target
        self._reference = reference
        self._local = LocalTarget(reference)
        self._oracles = oracles
        self._bounds = bounds
        self._device = device

    def __getattr__(self, function: str) -> Callable[..., Any]:
        if function.startswith("_"):
            raise AttributeError(function)  # as copy.copy expects
        if function not in self._reference:
            raise CourseError(f"the suite calls {function!r}, which the solution does not define")
        return lambda *args, **kwargs: self._run(function, args, kwargs)

    def _run(self, function: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        call = Call(function, args, kwargs, device=self._device)
        return self._answer(call, self._target.call(call))

    def _answer(self, call: Call, outcome: Outcome) -> Any:
        """The value, once it has the form of the reference's."""
        expected = self._local.call(call)
        if expected.raised:
            raise CourseError(f"the solution raises {expected.raised.types[0]} for {self._words(call).en}")
        if outcome.raised:
            if say.blocked(outcome.raised):
                raise NoAnswer("blocked", say.raised(outcome.raised))
            self._fail(call, say.raised(outcome.raised))
        wrong = say.wrong_form(outcome.value, outcome.devices, expected.value, expected.devices)
        if wrong:
            self._fail(call, wrong)
        if not isinstance(outcome.value, torch.Tensor):
            return tuple(outcome.value)
        return outcome.value

    def _words(self, call: Call) -> Text:
        try:
            bound = inspect.signature(self._reference[call.function]).bind(*call.args, **call.kwargs)
        except TypeError as error:
            raise CourseError(f"the suite calls {call.function} with wrong arguments: {error}") from error
        return say.call(call.function, bound.arguments)

    def _fail(self, call: Call, problem: Text, detail: Text | None = None) -> None:
        size = sum(t.numel() for t in call.tensors)
        raise CheckFailed(say.FOR_CALL.format(call=self._words(call), problem=problem), detail, size)


class Student(Probe):
    """Returns the student's result, which has the right form."""


class Golden(Probe):
    """Returns the student's result, which has the right form and agrees with the reference in float64."""

    def _answer(self, call: Call, outcome: Outcome) -> Any:
        result = super()._answer(call, outcome)
        actual = [result] if isinstance(result, torch.Tensor) else list(result)
        exact = self._oracles.get(call.function, self._reference[call.function])
        args, kwargs = upcast(call.args), upcast(dict(call.kwargs))
        expected = as_list(exact(*args, **kwargs))
        bound = self._bounds.get(call.function)
        units = as_list(bound(*args, **kwargs)) if bound else [0.0] * len(expected)
        for index, (a, e, u) in enumerate(zip(actual, expected, units, strict=True)):
            self._compare(call, a, e, tolerance(a.dtype, u), index if len(actual) > 1 else None)
        return result

    def _compare(
        self, call: Call, actual: torch.Tensor, expected: torch.Tensor, allowed: torch.Tensor, index: int | None
    ) -> None:
        difference = (actual.double() - expected.double()).abs()
        right = (difference <= allowed) | (actual.double() == expected.double())
        if not bool(right.all()):
            problem = say.differs(actual, expected, difference, right, index)
            self._fail(call, problem, say.values(call.tensors, actual, expected))


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

    def _run(self, function: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        plain = Call(function, args, kwargs, device=self._device)
        results = as_list(self._reference[function](*args, **kwargs))
        generator = torch.Generator().manual_seed(sum(t.numel() for t in plain.tensors))
        directions = [
            torch.randn(r.shape, generator=generator, dtype=torch.float64)
            if self._only is None or i == self._only
            else None
            for i, r in enumerate(results)
        ]
        call = Call(function, args, kwargs, cotangents=directions, device=self._device)
        outcome = self._target.call(call)
        result = self._answer(plain, outcome)
        exact = Call(function, upcast(args), upcast(kwargs), cotangents=directions)
        expected = self._local.call(exact).gradients or []
        actual = [*(outcome.gradients or []), *[None] * len(expected)]  # what is missing is None
        inputs = [(n, v.dtype) for n, v in self._arguments(plain) if isinstance(v, torch.Tensor)]
        for (name, dtype), a, e in zip(inputs, actual, expected, strict=False):
            if not self._wrt or name in self._wrt:
                self._compare(plain, name, a if a is None or (a.dtype, a.device.type) == (dtype, "cpu") else None, e)
        return result

    def _arguments(self, call: Call) -> Sequence[tuple[str, Any]]:
        return list(inspect.signature(self._reference[call.function]).bind(*call.args, **call.kwargs).arguments.items())

    def _compare(self, call: Call, name: str, actual: torch.Tensor | None, expected: torch.Tensor | None) -> None:
        if expected is None:
            return
        if actual is None:
            self._fail(call, say.NO_GRADIENT.format(name=name))
        elif actual.shape != expected.shape:
            self._fail(call, say.WRONG_GRADIENT.format(name=name, difference="?"))
        else:
            largest = float(expected.abs().max()) if expected.numel() else 0.0
            difference = (actual.double() - expected).abs()
            if not bool((difference <= tolerance(actual.dtype, self.SLACK * max(largest, 1e-3))).all()):
                self._fail(call, say.WRONG_GRADIENT.format(name=name, difference=say.number(difference.max())))


class Untouched(Probe):
    """Fails where an input was changed in place."""

    def _run(self, function: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        call = Call(function, args, kwargs, watch=True, device=self._device)
        outcome = self._target.call(call)
        value = self._answer(call, outcome)
        if outcome.changed:
            names = inspect.signature(self._reference[function]).bind(*args, **kwargs).arguments
            tensors = [n for n, v in names.items() if isinstance(v, torch.Tensor)]
            changed = [tensors[i] for i in outcome.changed if 0 <= i < len(tensors)]
            self._fail(call, say.CHANGED.format(names=", ".join(changed) or "?"))
        return value


class Refuses(Probe):
    """Fails unless the student raises ValueError, as the reference does."""

    def _answer(self, call: Call, outcome: Outcome) -> Any:
        if not (expected := self._local.call(call).raised) or "ValueError" not in expected.types:
            raise CourseError(f"the solution does not raise ValueError for {self._words(call).en}")
        if outcome.raised is None:
            self._fail(call, say.NO_ERROR)
        elif "ValueError" not in outcome.raised.types:
            problem = say.raised(outcome.raised)
            self._fail(call, problem if problem == say.NOT_STARTED else say.OTHER_ERROR.format(problem=problem))


class Contract(Probe):
    """Runs under the rules of a GPU, pretended on the CPU: finds what would break on one, needs none.

    On CUDA the call is made for real. What the pretended device cannot follow is skipped, not failed.
    """

    def _run(self, function: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        real = Call(function, args, kwargs, device=self._device)
        if self._device != "cpu":
            return self._answer(real, self._target.call(real))
        call = Call(function, args, kwargs, contract=True)
        outcome = self._target.call(call)
        if outcome.raised and outcome.raised.types[0] == "NotFollowed":
            raise NotChecked(say.NOT_FOLLOWED)
        return self._answer(call, outcome)


class NotChecked(Exception):
    """The check could not be made here; it takes its points out of the maximum."""

    def __init__(self, reason: Text) -> None:
        super().__init__(reason.en)
        self.reason = reason


def as_list(result: Any) -> list[Any]:
    """The parts of a result, one for a single tensor."""
    return list(result) if isinstance(result, tuple | list) else [result]


def upcast(values: Any) -> Any:
    """The same arguments with every float tensor in float64 on the CPU."""
    if isinstance(values, torch.Tensor):
        return values.detach().cpu().double() if values.is_floating_point() else values.cpu()
    if isinstance(values, torch.device):
        return torch.device("cpu")
    if isinstance(values, dict):
        return {k: upcast(v) for k, v in values.items()}
    return type(values)(upcast(v) for v in values) if isinstance(values, tuple | list) else values


def tolerance(dtype: torch.dtype, units: torch.Tensor | float) -> torch.Tensor:
    """Absolute error allowed: `units` of epsilon, float32's at least, since computing in float32 inside is honest.

    Where nothing may be rounded (`units` is the number 0) nothing is allowed. Else the smallest subnormal is added,
    for what underflows.
    """
    if isinstance(units, float) and units == 0.0:
        return torch.tensor(0.0, dtype=torch.float64)
    if not dtype.is_floating_point:
        dtype = torch.float32
    epsilon = max(torch.finfo(dtype).eps, torch.finfo(torch.float32).eps)
    floor = 2 * torch.finfo(dtype).smallest_normal * torch.finfo(dtype).eps
    return torch.as_tensor(units, dtype=torch.float64) * epsilon + max(floor, 1e-30)
