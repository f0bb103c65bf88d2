"""What a suite is run against: a student in the sandbox, or functions of ours called through the same code."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import torch

from grader import trees, wire, worker
from grader.channel import Packed
from grader.words import Text, clean

NOTED_BYTES = 8 << 20  # of one check's results; how large they are is the student's choice


@dataclasses.dataclass(frozen=True)
class Made:
    """How an object of a class is made before it is called: the arguments of the class, then weights by name.

    With `turns` each positional argument of the call is a tuple: the arguments of one call; all go to one object.
    """

    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]
    state: Mapping[str, torch.Tensor] | None = None
    train: bool = False
    turns: bool = False

    def as_dict(self) -> dict[str, Any]:
        """The fields, not copied."""
        return {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}


@dataclasses.dataclass(frozen=True)
class Call:
    """One call, of a function or of an object `made` of a class.

    `gradients` asks for those of the inputs (of result `only`, if given), `watch` for the inputs that it changes and
    the operators that it runs, `contract` for a run on the pretended device.
    """

    function: str
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    gradients: bool = False
    only: int | None = None
    watch: bool = False
    contract: bool = False
    device: str = "cpu"
    made: Made | None = None

    def encode(self) -> worker.Reply:
        """The request for the worker: header and tensor bytes."""
        encoder = wire.Encoder()
        header: dict[str, Any] = {"op": "call", "function": self.function, "device": self.device}
        header["args"] = encoder.encode(list(self.args))
        header["kwargs"] = encoder.encode(dict(self.kwargs))
        if self.made:
            header["made"] = encoder.encode(self.made.as_dict())
        if self.gradients:
            header["gradients"] = {"only": self.only}
        return {**header, "watch": self.watch, "contract": self.contract}, encoder.parts

    @functools.cached_property
    def packed(self) -> Packed:
        """The request as bytes, written once for all workers."""
        return Packed(*self.encode())

    @functools.cached_property
    def replays(self) -> dict[object, Outcome]:
        """What trusted functions made of this call; a call of the suite's comes back with every submission."""
        return {}

    def of(self, only: int | None) -> Call:
        """This call, for the gradient of one result."""
        return dataclasses.replace(self, only=only)

    def same(self, other: Call) -> bool:
        """Whether both ask the same: equal arguments, values, layout and all."""
        if self is other:
            return True
        flags = [(c.function, c.gradients, c.only, c.watch, c.contract, c.device) for c in (self, other)]
        values = [(c.args, dict(c.kwargs), c.made and c.made.as_dict()) for c in (self, other)]
        return flags[0] == flags[1] and trees.equal(*values)

    @property
    def tensors(self) -> list[torch.Tensor]:
        """The tensors among the arguments, positional ones first."""
        return trees.tensors([self.args, self.kwargs])


@dataclasses.dataclass(frozen=True)
class Raised:
    """An exception of the student's: class names from the most derived up, message, line and column in the file."""

    types: tuple[str, ...]
    message: str
    line: int | None = None
    column: int | None = None


@dataclasses.dataclass(frozen=True)
class Outcome:
    """What one call came to. Everything in it is the worker's claim, decoded into memory of our own.

    `largest` counts the entries of the largest tensor made on the way, where the call was watched.
    """

    value: Any = None
    devices: tuple[str, ...] = ()
    raised: Raised | None = None
    gradients: Sequence[torch.Tensor | None] | None = None
    changed: tuple[int, ...] = ()
    operators: tuple[str, ...] = ()
    size: int = 0
    largest: int = 0

    @classmethod
    def decode(cls, header: Mapping[str, Any], payload: bytearray) -> Outcome:
        """Raises wire.BadValue for a reply that the worker's code would not have written."""
        operators = tuple(clean(n, 60) for n in _list_of(header.get("operators", []), str)[: worker.MAX_NAMES])
        if "raised" in header:
            return cls(raised=decode_raised(header["raised"]), operators=operators)
        if "ok" not in header:
            raise wire.BadValue("neither a value nor an exception")
        gradients = wire.decode(header.get("gradients"), payload)
        if gradients is not None:
            _list_of(gradients, torch.Tensor | None)
        changed = set(_list_of(header.get("changed", []), int))
        value = wire.decode(header["ok"], payload)
        devices = tuple(wire.tensor_devices(header["ok"]))
        largest = header.get("largest", 0)
        if type(largest) is not int or not 0 <= largest < 1 << 62:
            raise wire.BadValue("a size that is none")
        return cls(value, devices, None, gradients, tuple(sorted(changed)), operators, len(payload), largest)


def _list_of(value: Any, kind: Any) -> list[Any]:
    if not isinstance(value, list) or not all(isinstance(item, kind) for item in value):
        raise wire.BadValue("a list that is none")
    return value


def decode_raised(facts: Any) -> Raised:
    """Raises wire.BadValue unless `facts` is what `worker.describe` writes."""
    if not isinstance(facts, dict) or not isinstance(facts.get("message"), str):
        raise wire.BadValue("an exception that is none")
    types = tuple(clean(name, 100) for name in _list_of(facts.get("types"), str)[:8]) or ("Exception",)
    line, column = (n if type(n := facts.get(key)) is int and 0 <= n < 1 << 20 else None for key in ("line", "column"))
    return Raised(types, clean(facts["message"], worker.MESSAGE_CAP), line, column)


class NoAnswer(Exception):
    """A call came to nothing: the verdict (failed, timeout, crashed or blocked) and the reason."""

    def __init__(self, verdict: str, reason: Text) -> None:
        super().__init__(reason.en)
        self.verdict = verdict
        self.reason = reason


@dataclasses.dataclass(frozen=True)
class Likely:
    """A call that is about to come, what a right answer may well be, byte for byte, and what that comes to."""

    call: Call
    answer: Packed
    outcome: Outcome


class Target(Protocol):
    """Something that answers calls."""

    def announce(self, calls: Sequence[Likely]) -> bool:
        """These calls are about to come, in this order; a target may start on them.

        Returns: whether all have been answered already, each with the likely answer; then none is to come any more.
        """

    def call(self, call: Call) -> Outcome:
        """Raises NoAnswer when no valid answer came."""


class Recorder:
    """A target that notes every call with its outcome, with its values as long as there is room."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self._room = NOTED_BYTES
        self.calls: list[tuple[Call, Outcome]] = []

    def announce(self, calls: Sequence[Likely]) -> bool:
        answered = self._target.announce(calls)
        for likely in calls if answered else ():
            self._note(likely.call, likely.outcome)
        return answered

    def call(self, call: Call) -> Outcome:
        outcome = self._target.call(call)
        self._note(call, outcome)
        return outcome

    def _note(self, call: Call, outcome: Outcome) -> None:
        self._room -= outcome.size
        fits = self._room >= 0
        self.calls.append((call, outcome if fits else dataclasses.replace(outcome, value=None, gradients=None)))


class LocalTarget:
    """Trusted functions in this process (a solution, a misconception), answering as a worker would."""

    def __init__(self, functions: Mapping[str, Callable[..., Any]]) -> None:
        self._session = worker.Session(dict(functions))

    def announce(self, calls: Sequence[Likely]) -> bool:
        """Nothing to gain here."""
        return False

    def call(self, call: Call) -> Outcome:
        reply, parts = self.answer(call)
        return Outcome.decode(reply, bytearray(b"".join(parts)))

    def answer(self, call: Call) -> worker.Reply:
        """The reply that a worker would send."""
        header, parts = call.encode()
        return self._session.answer(header, bytearray(b"".join(parts)))
