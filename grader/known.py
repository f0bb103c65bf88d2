"""What is known about a check's calls before any student answers, computed once for a seed.

The checks of a run draw the same inputs for every submission. The reference's results, the float64 values and the
errors allowed are therefore kept, call by call, and the calls of a check can be announced to a worker in one go.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch

from grader import say
from grader.errors import CourseError
from grader.target import Call, LocalTarget, Outcome
from grader.words import Text

Functions = Mapping[str, Callable[..., Any]]


class AnswerKey:
    """An exercise's reference functions, their float64 oracles and their error bounds."""

    def __init__(self, reference: Functions, oracles: Functions, bounds: Functions) -> None:
        self.reference = reference
        self.oracles = oracles
        self.bounds = bounds
        self.local = LocalTarget(reference)


class Known:
    """One call and what the reference makes of it."""

    def __init__(self, call: Call, key: AnswerKey) -> None:
        self.call = call
        self._key = key

    def words(self) -> Text:
        """The call as the student reads it. Raises CourseError if the suite passes wrong arguments."""
        return say.call(self.call.function, self._arguments())

    def inputs(self) -> list[tuple[str, torch.Tensor]]:
        """The tensors among the arguments, with their names."""
        return [(name, value) for name, value in self._arguments().items() if isinstance(value, torch.Tensor)]

    def _arguments(self) -> dict[str, Any]:
        try:
            signature = inspect.signature(self._key.reference[self.call.function])
            return signature.bind(*self.call.args, **self.call.kwargs).arguments
        except TypeError as error:
            raise CourseError(f"the suite calls {self.call.function} with wrong arguments: {error}") from error

    @functools.cached_property
    def outcome(self) -> Outcome:
        """The reference's outcome for the very inputs that the student gets."""
        return self._key.local.call(self.call)

    @functools.cached_property
    def exact(self) -> list[torch.Tensor]:
        """The results in float64."""
        function = self._key.oracles.get(self.call.function, self._key.reference[self.call.function])
        results = as_list(function(*upcast(self.call.args), **upcast(dict(self.call.kwargs))))
        if any(bool(t.isnan().any()) for t in results):
            raise CourseError(f"the solution gives NaN for {self.words().en}")
        return [t.double() for t in results]

    @functools.cached_property
    def allowed(self) -> list[torch.Tensor]:
        """The absolute error allowed for each entry of each result."""
        bound = self._key.bounds.get(self.call.function)
        if bound is None:
            return [torch.tensor(0.0, dtype=torch.float64)] * len(self.exact)
        units = as_list(bound(*upcast(self.call.args), **upcast(dict(self.call.kwargs))))
        return [tolerance(r.dtype, u) for r, u in zip(as_list(self.outcome.value), units, strict=True)]

    @functools.cached_property
    def gradients(self) -> list[torch.Tensor | None]:
        """The gradients of the inputs, in float64."""
        call = Call(self.call.function, upcast(self.call.args), upcast(dict(self.call.kwargs)), gradients=True)
        return list(self._key.local.call(call.of(self.call.only)).gradients or [])


class Script:
    """The calls of one check in the order in which it makes them.

    They are learned from a rehearsal in which the script itself answers, with the reference's outcomes. What a
    student's answers lead to is never learned: nothing of one student's reaches the next.
    """

    def __init__(self, key: AnswerKey) -> None:
        self._key = key
        self._known: list[Known] = []
        self._next = 0
        self._rehearsing = True

    def announce(self, calls: Sequence[Call]) -> None:
        """As a target: nothing is to be done beforehand."""

    def call(self, call: Call) -> Outcome:
        """As a target: the reference's outcome."""
        return self._known[-1].outcome

    def rewind(self) -> list[Call]:
        """Start again; the calls of the rehearsal."""
        self._next = 0
        self._rehearsing = False
        return [known.call for known in self._known]

    def know(self, call: Call) -> Known:
        """What is known about the next call, computed anew where it differs from the rehearsal's."""
        position, self._next = self._next, self._next + 1
        if position < len(self._known) and self._known[position].call.same(call):
            return self._known[position]
        if call.function not in self._key.reference:
            raise CourseError(f"the suite calls {call.function!r}, which the solution does not define")
        known = Known(call, self._key)
        if self._rehearsing:
            self._known.append(known)
        return known


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
