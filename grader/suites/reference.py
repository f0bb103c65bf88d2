"""What is known about a check's calls before any student answers, computed once for a seed.

The checks of a run draw the same inputs for every submission. The reference's results, the float64 values and the
errors allowed are therefore kept, call by call, and the calls of a check can be sent ahead to a worker in one go.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch

from grader import trees
from grader.errors import CourseError
from grader.sandbox.processes import Packed
from grader.sandbox.worker import in_turns, made_of
from grader.suites import wording
from grader.suites.target import Call, ExpectedAnswer, LocalTarget, Made, NothingAhead, Outcome
from grader.texts import Text, plain
from grader.trees import leaves

EXACT = torch.tensor(0.0, dtype=torch.float64)
FREE = torch.tensor(torch.inf, dtype=torch.float64)
"""Allowed where a bound says None: any number, but not NaN."""
NUMBER_UNITS = 64  # of float32's epsilon, relative: what a short formula in float32 may be off
Functions = Mapping[str, Callable[..., Any]]


class Reference:
    """An exercise's reference functions, their float64 oracles and their error bounds."""

    def __init__(self, reference: Functions, oracles: Functions, bounds: Functions) -> None:
        self.reference = reference
        self.oracles = oracles
        self.bounds = bounds
        self.local = LocalTarget(reference)

    def words(self, call: Call) -> Text:
        """The call as the student reads it."""
        return ExpectedCall(call, self).words()


class ExpectedCall:
    """One call and what the reference makes of it."""

    def __init__(self, call: Call, key: Reference) -> None:
        self.call = call
        self._key = key

    def words(self) -> Text:
        """The call as the student reads it. Raises CourseError if the suite passes wrong arguments."""
        made = self.call.made
        turns = [self._bound(self._called(), turn, {}) for turn in self.call.args] if self.call.turns else []
        if made is None and not turns:
            return wording.call(self.call.function, self._arguments())
        called = plain(self.call.function)
        if made:
            maker = self._key.reference[self.call.function]
            called = wording.call(self.call.function, self._bound(maker, made.args, made.kwargs))
        return wording.in_turns(called, turns if self.call.turns else [self._arguments()])

    def inputs(self) -> list[tuple[str, torch.Tensor]]:
        """The tensors among the arguments, then the weights, with their names."""
        weights = (self.call.made and self.call.made.state) or {}
        arguments = {"input": self.call.args} if self.call.turns else self._arguments()
        return [*(p for name, value in arguments.items() for p in trees.named(name, value)), *weights.items()]

    def _arguments(self) -> dict[str, Any]:
        return self._bound(self._called(), self.call.args, self.call.kwargs)

    def positional(self) -> tuple[Any, ...]:
        """All arguments in the order of the function's parameters. Raises CourseError for one by keyword only."""
        bound = inspect.signature(self._called()).bind(*self.call.args, **self.call.kwargs)
        bound.apply_defaults()
        if bound.kwargs:
            raise CourseError(f"{self.call.function}: a call in turns takes no argument by keyword only")
        return bound.args

    def by_keyword(self) -> dict[str, Any]:
        """All arguments by the names of the function's parameters."""
        return dict(self._arguments())

    def _called(self) -> Callable[..., Any]:
        """What takes the arguments: the function, or the method of an object that is made."""
        function = self._key.reference[self.call.function]
        if self.call.made and inspect.isclass(function):
            return functools.partial(getattr(function, "forward", function.__call__), None)
        return function

    def _bound(self, function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Any]:
        try:
            return inspect.signature(function).bind(*args, **kwargs).arguments
        except TypeError as error:
            raise CourseError(f"the suite calls {self.call.function} with wrong arguments: {error}") from error

    @functools.cached_property
    def expected(self) -> ExpectedAnswer:
        """The reference's answer to the very inputs that the student gets."""
        reply, parts = self._key.local.answer(self.call)
        return ExpectedAnswer(self.call, Packed(reply, parts), Outcome.decode(reply, bytearray(b"".join(parts))))

    @property
    def outcome(self) -> Outcome:
        """What the reference's answer comes to."""
        return self.expected.outcome

    @functools.cached_property
    def exact(self) -> list[Any]:
        """The leaves of the result, tensors and real numbers in float64."""
        function = self._key.oracles.get(self.call.function, self._key.reference[self.call.function])
        things = self._with(function)
        function = in_turns(things) if self.call.turns else things[0]
        results = leaves(function(*upcast(self.call.args), **upcast(dict(self.call.kwargs))))
        if any(isinstance(t, torch.Tensor) and bool(t.isnan().any()) for t in results):
            raise CourseError(f"the solution gives NaN for {self.words().en}")
        return [as_exact(t) for t in results]

    @functools.cached_property
    def allowed(self) -> list[torch.Tensor]:
        """The absolute error allowed for each entry of each tensor and real number of the result."""
        found = [t for t in leaves(self.outcome.value) if isinstance(t, torch.Tensor | float)]
        bound = self._key.bounds.get(self.call.function)
        if bound is None:
            return [tolerance(torch.float32, NUMBER_UNITS * abs(t)) if isinstance(t, float) else EXACT for t in found]
        args, kwargs = upcast(self.call.args), upcast(dict(self.call.kwargs))
        if self.call.made:
            args = (self._with(self._key.reference[self.call.function])[0], *args)
        units = [u.detach() if isinstance(u, torch.Tensor) else u for u in leaves(bound(*args, **kwargs))]
        dtypes = (t.dtype if isinstance(t, torch.Tensor) else torch.float32 for t in found)
        return [FREE if u is None else tolerance(dtype, u) for dtype, u in zip(dtypes, units, strict=True)]

    def _with(self, function: Callable[..., Any]) -> list[Callable[..., Any]]:
        """The function itself, or the objects made of a class, their weights in float64."""
        return made_of(function, upcast(self.call.made.as_dict()))[0] if self.call.made else [function]

    @functools.cached_property
    def gradients(self) -> list[torch.Tensor | None]:
        """The gradients of the inputs, in float64."""
        made = self.call.made and Made(**upcast(self.call.made.as_dict()))
        args, kwargs = upcast(self.call.args), upcast(dict(self.call.kwargs))
        call = Call(self.call.function, args, kwargs, gradients=True, turns=self.call.turns, made=made)
        return list(self._key.local.call(call.of(self.call.only)).gradients or [])


class Script(NothingAhead):
    """The calls of one check in the order in which it makes them.

    They are learned from a rehearsal in which the script itself answers, with the reference's outcomes. What a
    student's answers lead to is never learned: nothing of one student's reaches the next.
    """

    def __init__(self, key: Reference) -> None:
        self._key = key
        self._known: list[ExpectedCall] = []
        self._aside: list[ExpectedCall] = []
        self._next = 0
        self._rehearsing = True

    def call(self, call: Call) -> Outcome:
        """As a target: the reference's outcome."""
        return self._known[-1].outcome

    def rewind(self) -> list[ExpectedAnswer]:
        """Start again; the calls of the rehearsal, with the reference's answers."""
        self._next = 0
        self._rehearsing = False
        return [known.expected for known in self._known]

    def aside(self, call: Call) -> ExpectedCall:
        """What is known about a call that is not made by itself; kept as those that are."""
        kept = next((known for known in self._aside if known.call.same(call)), None)
        if kept is None:
            kept = ExpectedCall(call, self._key)
            if self._rehearsing:
                self._aside.append(kept)
        return kept

    def know(self, call: Call) -> ExpectedCall:
        """What is known about the next call, computed anew where it differs from the rehearsal's."""
        position, self._next = self._next, self._next + 1
        if position < len(self._known) and self._known[position].call.same(call):
            return self._known[position]
        if call.function not in self._key.reference:
            raise CourseError(f"the suite calls {call.function!r}, which the solution does not define")
        known = ExpectedCall(call, self._key)
        if self._rehearsing:
            self._known.append(known)
        return known


def as_exact(leaf: Any) -> Any:
    """A tensor or a real number as a float64 tensor; anything else as it is."""
    if isinstance(leaf, torch.Tensor):
        return leaf.detach().double()
    return torch.tensor(leaf, dtype=torch.float64) if isinstance(leaf, float) else leaf


def upcast(values: Any) -> Any:
    """The same arguments with every float tensor in float64 on the CPU."""
    return trees.mapped(_upcast, values)


def _upcast(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return value.detach().cpu().double() if value.is_floating_point() else value.cpu()
    return torch.device("cpu") if isinstance(value, torch.device) else value


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
