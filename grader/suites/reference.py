"""The expected results of a check's calls, computed once for a seed, before any student's code answers.

The checks of a run draw the same inputs for every submission. The reference's results, the float64 values and the
errors allowed are therefore kept, call by call, and the calls of a check can be sent ahead to a worker in one go.
"""

from __future__ import annotations

import copy
import dataclasses
import functools
import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from grader import arrays, closeness, pytree
from grader.arrays import Array, Numpy, Tensor, torch
from grader.errors import CourseError
from grader.pytree import leaves
from grader.sandbox.processes import Packed
from grader.sandbox.worker import callbacks, made_of, performing
from grader.suites import wording
from grader.suites.api import Tolerance
from grader.suites.excerpt import shows_pattern
from grader.suites.local import LocalTarget
from grader.suites.target import Answers, Call, ExpectedAnswer, Made, Outcome
from grader.texts import Text, plain

Functions = Mapping[str, Callable[..., Any]]


@dataclasses.dataclass(frozen=True, eq=False)
class Reference:
    """An exercise's reference functions, their float64 oracles, error bounds and tolerances.

    tolerances: by function, "" for all that have neither one of their own nor a bound.
    kind: of arrays, torch or numpy; it says how precise a bare number is. accepts: forms of results, as tolerances.
    """

    reference: Functions
    oracles: Functions
    bounds: Functions
    tolerances: Mapping[str, Tolerance] = dataclasses.field(default_factory=dict)
    kind: str = "torch"
    accepts: Mapping[str, frozenset[str]] = dataclasses.field(default_factory=dict)

    @functools.cached_property
    def local(self) -> LocalTarget:
        """The reference as something that answers calls."""
        return LocalTarget(self.reference)

    def tolerance_of(self, function: str) -> Tolerance | None:
        """The suite's tolerance for this function; that of the whole suite where there is no bound either."""
        return self.tolerances.get(function) or (None if function in self.bounds else self.tolerances.get(""))

    def accepted(self, function: str) -> frozenset[str]:
        """The forms of its results that are accepted beside the expected one, see `suite_texts.ACCEPTED`."""
        return self.accepts.get(function, self.accepts.get("", frozenset()))

    def free(self, call: Call) -> set[int]:
        """Return the leaves of a result that the function's bound leaves to the student, in a call that is allowed."""
        bound = None if self.tolerance_of(call.function) or call.made else self.bounds.get(call.function)
        if bound is None:
            return set()
        units = leaves(bound(*upcast(call.args), **upcast(dict(call.kwargs))))
        return {number for number, unit in enumerate(units) if unit is None}

    def words(self, call: Call) -> Text:
        """The call as the student reads it."""
        return ExpectedCall(call, self).words()


class Judge(Protocol):
    """A probe: it asks for a call, and judges the answer."""

    compares: bool
    """True if every result has to agree with the reference's."""

    def judge(self, known: ExpectedCall, target: Answers) -> None:
        """Have the call made, and judge the answer by itself. Raises CheckFailed or NoAnswer."""


class ExpectedCall:
    """One call and the reference's answer to it."""

    def __init__(self, call: Call, key: Reference) -> None:
        self.call = call
        self.probe: Judge | None = None
        self._key = key

    @property
    def compared(self) -> bool:
        """True if the result has to agree with the reference's."""
        return bool(self.probe and self.probe.compares)

    @property
    def shows_pattern(self) -> bool:
        """True if a picture of the result shows a pattern."""
        return any(arrays.is_array(leaf) and shows_pattern(leaf.shape) for leaf in leaves(self.outcome.value))

    def words(self) -> Text:
        """The call as the student reads it. Raises CourseError if the suite passes wrong arguments."""
        made = self.call.made
        taker = self.call.called(self._key.reference)
        turns = [self._bound(taker, turn, {}) for turn in self.call.args] if self.call.turns else []
        if made is None and not turns:
            return wording.call(self.call.function, self.by_keyword())
        called = plain(self.call.function)
        if made:
            maker = self._key.reference[self.call.function]
            called = wording.call(self.call.function, self._bound(maker, made.args, made.kwargs))
        return wording.in_turns(called, turns if self.call.turns else [self.by_keyword()], made.objects if made else 1)

    def inputs(self) -> list[tuple[str, Array]]:
        """The arrays among the arguments, then the weights, with their names."""
        weights = (self.call.made and self.call.made.state) or {}
        arguments = {"input": self.call.args} if self.call.turns else self.by_keyword()
        return [*(p for name, value in arguments.items() for p in pytree.named(name, value)), *weights.items()]

    def by_keyword(self) -> dict[str, Any]:
        """The arguments by the names of the function's parameters."""
        bound = self._bound(self.call.called(self._key.reference), self.call.args, self.call.kwargs)
        if torch is None or not self.call.contract:
            return bound
        return {k: torch.device("meta") if isinstance(v, torch.device) else v for k, v in bound.items()}  # as pretended

    def left_out(self) -> list[str]:
        """The names of the parameters that the call leaves to their defaults."""
        given = self.by_keyword()
        return [n for n in inspect.signature(self.call.called(self._key.reference)).parameters if n not in given]

    def places(self, names: Sequence[str]) -> tuple[tuple[str, int], ...]:
        """Return the places of these arguments among the parameters; "" is what the function returns."""
        order = ["", *inspect.signature(self.call.called(self._key.reference)).parameters]
        if unknown := [name for name in names if name not in order]:
            raise CourseError(f"{self.call.function} has no parameter {unknown[0]!r} to look at after the call")
        return tuple((name, order.index(name) - 1) for name in names)

    def positional(self) -> tuple[Any, ...]:
        """All arguments in the order of the function's parameters. Raises CourseError for one by keyword only."""
        bound = inspect.signature(self.call.called(self._key.reference)).bind(*self.call.args, **self.call.kwargs)
        bound.apply_defaults()
        if bound.kwargs:
            raise CourseError(f"{self.call.function}: a call in turns takes no argument by keyword only")
        return bound.args

    def _bound(self, function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Any]:
        try:
            return inspect.signature(function).bind(*args, **kwargs).arguments
        except TypeError as error:
            raise CourseError(f"the suite calls {self.call.function} with wrong arguments: {error}") from error

    @functools.cached_property
    def expected(self) -> ExpectedAnswer:
        """The reference's answer to the very inputs that the student gets."""
        reply, parts, counts = self._key.local.answer(self.call)
        outcome = Outcome.decode(reply, bytearray(b"".join(parts)), tuple(counts))
        return ExpectedAnswer(self.call, Packed(reply, parts), outcome, self.compared)

    @property
    def outcome(self) -> Outcome:
        """The outcome of the reference's answer."""
        return self.expected.outcome

    @functools.cached_property
    def exact(self) -> list[Any]:
        """The leaves of the result, arrays and real numbers as numpy arrays, see `arrays.exact`."""
        function = self._key.oracles.get(self.call.function, self._key.reference[self.call.function])
        things = self._with(function)
        function = performing(things, self.call.turns, self.call.take, self.call.left)
        args, kwargs = upcast(self.call.args), upcast(dict(self.call.kwargs))
        if self.call.left:  # what the suite holds stays as it is
            args, kwargs = pytree.mapped(lambda a: copy.deepcopy(a) if arrays.is_array(a) else a, (args, kwargs))
        results = leaves(function(*args, **kwargs))
        found = [as_exact(t) for t in results]
        if not self.call.nan and any(isinstance(t, np.ndarray) and np.isnan(t).any() for t in found):
            raise CourseError(f"the solution gives NaN for {self.words().to('en')}")
        return found

    @functools.cached_property
    def allowed(self) -> list[Numpy]:
        """The absolute error allowed for each entry of each array and real number of the result."""
        return self._allowed(self._key.tolerance_of(self.call.function))

    @functools.cached_property
    def allowed_in_float32(self) -> list[Numpy]:
        """Return the error allowed in a result that was computed in float32, whatever the tolerance is."""
        exact = [np.abs(t) for t in self.exact if isinstance(t, np.ndarray)]
        rounded = [closeness.allowed("float32", np.where(np.isfinite(t), t, 0.0)) for t in exact]
        return [np.maximum(a, b) for a, b in zip(self._allowed(None, "float32"), rounded, strict=True)]

    def _allowed(self, said: Tolerance | None, least: str = "") -> list[Numpy]:
        """Return the error that `said` allows, else the function's bound, else the usual one for work in `least`."""
        found = [t for t in leaves(self.outcome.value) if arrays.is_array(t) or isinstance(t, float | complex)]
        bound = self._key.bounds.get(self.call.function)
        if said or bound is None:
            exact = [t for t in self.exact if isinstance(t, np.ndarray)]
            pairs = zip(found, exact, strict=True)
            return [said.allowed(e) if said and arrays.rounds(t) else self._usual(t, e, least) for t, e in pairs]
        args, kwargs = upcast(self.call.args), upcast(dict(self.call.kwargs))
        if self.call.made:
            args = (self._with(self._key.reference[self.call.function])[0], *args)
        units = [u if u is None or isinstance(u, float) else arrays.exact(u) for u in leaves(bound(*args, **kwargs))]
        return [
            closeness.FREE
            if u is None
            else closeness.allowed(self._precision(t), u, least or self._least(t))
            if arrays.rounds(t)
            else closeness.STRICT
            for t, u in zip(found, units, strict=True)
        ]

    def _precision(self, leaf: Any) -> str:
        """The dtype that limits how precise an array or a bare number of the result can be."""
        if arrays.is_array(leaf):
            return arrays.precision(leaf)
        if self._key.kind == "torch":
            return "float32"
        real = [arrays.precision(a) for a in self.call.arrays if arrays.dtype_name(a)[0] in "fbc"]
        return max(real, key=closeness.EPSILON.__getitem__, default="float64")

    def _least(self, leaf: Any) -> str:
        """The dtype that honest work may compute in whatever it returns: float32 with torch."""
        of_torch = isinstance(leaf, Tensor) or (self._key.kind == "torch" and not arrays.is_array(leaf))
        return "float32" if of_torch else "float64"

    def _usual(self, leaf: Any, exact: Numpy, least: str) -> Numpy:
        """Return the error that is allowed where the suite says nothing, see docs/tolerances.md.

        It grows with the epsilon of the dtype, with the root of how many entries are summed, and with the largest entry
        of result and inputs. Whole numbers and booleans are exact.
        """
        if arrays.is_array(leaf) and not (arrays.is_real(leaf) or np.iscomplexobj(exact)):
            return closeness.STRICT
        if not arrays.is_array(leaf) and self._key.kind == "torch":
            return closeness.allowed("float32", closeness.NUMBER_UNITS * abs(leaf))
        inputs = [arrays.exact(a) for a in self.call.arrays if arrays.size(a) and arrays.holds_numbers(a)]
        summed = max([sum(a.size for a in inputs) / max(exact.size, 1), *(n for a in inputs for n in a.shape), 1.0])
        largest = max(closeness.largest(a) for a in (exact, *inputs))
        units = (closeness.USUAL_UNITS + closeness.USUAL_GROWTH * math.sqrt(summed)) * largest
        return np.broadcast_to(closeness.allowed(self._precision(leaf), units, least or self._least(leaf)), exact.shape)

    def _with(self, function: Callable[..., Any]) -> list[Callable[..., Any]]:
        """The function itself, or the objects made of a class, their weights in float64."""
        return made_of(function, upcast(self.call.made.as_dict()))[0] if self.call.made else [function]

    @functools.cached_property
    def gradients(self) -> list[Tensor | None]:
        """The gradients of the inputs, in float64."""
        made = self.call.made and Made(**upcast(self.call.made.as_dict()))
        args, kwargs = upcast(self.call.args), upcast(dict(self.call.kwargs))
        call = Call(self.call.function, args, kwargs, True, self.call.only, turns=self.call.turns, made=made)
        return list(self._key.local.call(call).gradients or [])


def as_exact(leaf: Any) -> Any:
    """Convert as `arrays.as_exact` does; a generator of random numbers becomes its state."""
    return callbacks.form_of(leaf) or arrays.as_exact(leaf)


def upcast(values: Any) -> Any:
    """The same arguments with every array of real numbers in float64 on the CPU, and generators that can draw."""
    return pytree.mapped(_upcast, values)


def _upcast(value: Any) -> Any:
    if torch is not None and isinstance(value, torch.device):
        return torch.device("cpu")
    return arrays.widened(callbacks.drawable(value))
