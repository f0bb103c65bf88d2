"""Calls of a solution's functions by tests: recorded, written as lines of a check, and made again alone."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import inspect
import itertools
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from grader import arrays, parts, pytree
from grader.arrays import Tensor
from grader.authoring.literals import SOLUTION, LiteralWriter, Unwritable
from grader.errors import BadValue
from grader.sandbox.processes import GeneratorForm
from grader.sandbox.worker import LEFT, wire
from grader.suites import Call, Reference, alike, crossing, taken

AGAIN = (
    "gives something else when it is called on its own, without what the test sets up around it, such as a patch, a "
    "file, a seed or an earlier call"
)


@dataclasses.dataclass
class Noted:
    """One call. `why`: the reason why students are not asked for it. `changed`: the arguments that it changes.

    given: the arguments themselves, which have their gradients when the test has ended.
    """

    test: str
    file: Path
    name: str
    function: Callable[..., Any]
    given: list[Any]
    text: str = ""
    call: Call | None = None
    result: Any = None
    crossed: Any = None
    raised: str = ""
    changed: tuple[str, ...] = ()
    why: str = ""

    @property
    def says_nothing(self) -> bool:
        """True if its outcome shows nothing."""
        return not self.raised and self.crossed is None and not self.changed

    @property
    def lines(self) -> list[str]:
        """Return the lines of the check."""
        if self.raised:
            return [f"raises_value_error.{self.name}({self.text})"]
        values = [v for v in map(arrays.as_exact, pytree.leaves(self.crossed)) if isinstance(v, np.ndarray)]
        nan = any(np.isnan(v).any() for v in values if v.dtype.kind in "fc")
        shown = [*self.changed, *([""] if self.result is not None else [])]
        left = f".in_place({', '.join(map(repr, shown))})" if self.changed else ""
        slope = any(tensor.is_leaf and tensor.grad is not None for tensor in pytree.tensors(self.given))
        asked = [f"matches_reference{'.with_nan' if nan else ''}{left}.{self.name}({self.text})"]
        return [*asked, f"matches_gradients.{self.name}({self.text})"] if slope else asked

    @property
    def untouched(self) -> str:
        """Return the line that asks for unchanged inputs; "" if they change, or cannot be changed."""
        held = any(isinstance(v, list | dict) or arrays.is_array(v) or parts.kind(v) for v in self.given)
        return f"does_not_mutate.{self.name}({self.text})" if held and not self.changed and not self.raised else ""


class CallNotes:
    """Records the calls that tests themselves make of the solutions' functions.

    test: the one that runs, "" if none does. change: gets the result and the arguments of each call, of which then
    nothing is recorded, and returns another result. differed: True once that made a difference.
    """

    def __init__(self) -> None:
        self.test = ""
        self.calls: list[Noted] = []
        self.writer = LiteralWriter()
        self.change: Callable[[Any, Sequence[Any]], tuple[Any, bool]] | None = None
        self.differed = False
        self.allowed: dict[str, dict[str, tuple[float, float]]] = {}
        self._inside = False
        self._files = set[str]()

    def noting(self, file: Path, name: str, function: Callable[..., Any], why: str = "") -> Callable[..., Any]:
        """Return the function with its calls recorded, except a solution's own; `why` excludes all of them."""
        self._files.add(str(file))

        @functools.wraps(function)
        def noted(*args: Any, **kwargs: Any) -> Any:
            if self._inside or not self.test or sys._getframe(1).f_code.co_filename in self._files:
                return function(*args, **kwargs)
            self._inside = True
            try:
                given = [*args, *kwargs.values()]
                if self.change:
                    result, differs = self.change(function(*args, **kwargs), given)
                    self.differed |= differs
                    return result
                return self._note(Noted(self.test, file, name, function, given, why=why), args, kwargs)
            finally:
                self._inside = False

        setattr(noted, SOLUTION, True)
        return noted

    @staticmethod
    def key(item: pytest.Item) -> str:
        """Return the name of a test, whatever its parameters are."""
        return item.nodeid.partition("[")[0]

    def compared(self, values: Sequence[Any], relative: float, absolute: float) -> None:
        """Record that a test compares these values and allows so much; for a function the largest counts."""
        own = [noted for noted in reversed(self.calls) if noted.test == self.test]
        of = next((noted for noted in own if any(noted.result is v for v in values)), own[0] if own else None)
        if of and not self.change:
            allowed = self.allowed.setdefault(str(of.file), {})
            before = allowed.get(of.name, (0.0, 0.0))
            allowed[of.name] = max(before[0], float(relative)), max(before[1], float(absolute))

    def _note(self, noted: Noted, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        self.calls.append(noted)
        if noted.why:
            return noted.function(*args, **kwargs)
        try:
            names = itertools.chain(inspect.signature(noted.function).parameters, itertools.repeat("value"))
            said = [self.writer.argument(name, a) for name, a in zip(names, args, strict=False)]
            noted.text = ", ".join([*said, *(f"{k}={self.writer.argument(k, v)}" for k, v in kwargs.items())])
            crossed([list(args), kwargs])
            noted.call = Call(noted.name, pytree.mapped(_kept, args), pytree.mapped(_kept, kwargs))
        except (Unwritable, BadValue) as what:
            noted.why = f"gets {what}, which a check cannot hand over"
        before = _states(noted.function, args, kwargs)
        try:
            noted.result = noted.function(*args, **kwargs)
        except Exception as error:
            noted.raised = type(error).__name__
            if not isinstance(error, ValueError):
                noted.why = noted.why or f"raises {noted.raised}; a check asks for ValueError alone"
            raise
        self._look(noted, before, _states(noted.function, args, kwargs))
        return noted.result

    def _look(self, noted: Noted, before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
        """Inspect the outcome of the call."""
        noted.changed = tuple(name for name in before if before[name] != after.get(name))
        try:
            value = crossed(noted.result)
            left = {LEFT + name: crossed_back(after[name]) for name in noted.changed}
            noted.crossed = {**left, **({LEFT: value} if value is not None else {})} if left else value
        except (Unwritable, BadValue) as what:
            noted.why = noted.why or f"returns {what}, which does not cross"

    def look_again(self) -> None:
        """Make each call on its own, as the course will; calls with another outcome then cannot be asked."""
        telling = {(noted.file, noted.name) for noted in self.calls if not noted.says_nothing}
        for noted in self.calls:
            if not noted.why and noted.says_nothing and (noted.file, noted.name) not in telling:
                noted.why = "returns nothing and changes no input; what it prints or writes is not seen"
            noted.why = noted.why or self._again(noted)

    def _again(self, noted: Noted) -> str:
        assert noted.call
        key = Reference({noted.name: noted.function}, {}, {})
        names = [name.removeprefix(LEFT) for name in noted.crossed] if noted.changed else []
        order = ["", *inspect.signature(noted.function).parameters] if names else []
        if not {*names} <= {*order}:
            return "changes an argument that has no name of its own"
        left = tuple((name, order.index(name) - 1) for name in names)
        outcome = key.local.call(dataclasses.replace(noted.call, left=left))
        if noted.raised:
            return "" if outcome.raised and noted.raised in outcome.raised.types else AGAIN
        if outcome.raised:
            return AGAIN
        same = encoded(outcome.value) == encoded(noted.crossed) or alike(outcome.value, noted.crossed)
        return "" if same else AGAIN


def _kept(leaf: Any) -> Any:
    """Return an argument as it is now."""
    if isinstance(leaf, Tensor):
        return leaf.detach().clone().requires_grad_(leaf.requires_grad)
    return leaf.copy() if isinstance(leaf, np.ndarray) else taken(leaf)


def encoded(value: Any) -> tuple[Any, bytes]:
    """Return a value in the form in which it is sent. Raises Unwritable if it has none, BadValue if it is too large."""
    encoder = wire.Encoder(other=crossing())
    form = encoder.encode(pytree.mapped(taken, pytree.opened(value)))
    if encoder.opaque:
        raise Unwritable(f"a value of type {encoder.opaque[0].removeprefix('builtins.')}")
    return form, b"".join(encoder.parts)


def crossed(value: Any) -> Any:
    """Return a copy of a value as it arrives on the other side. Raises Unwritable, BadValue."""
    return crossed_back(encoded(value))


def crossed_back(form: tuple[Any, bytes]) -> Any:
    return wire.decode(form[0], bytearray(form[1]), made=lambda form: form)


def _states(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
    """Return the current arguments by name, if their state is known, without generators of random numbers."""
    try:
        bound = inspect.signature(function).bind(*args, **kwargs).arguments
    except (TypeError, ValueError):
        return {}
    found = {}
    for name, value in bound.items():
        with contextlib.suppress(Unwritable, BadValue):
            found[name] = encoded(value)
    return {name: state for name, state in found.items() if not isinstance(state[0], GeneratorForm)}
