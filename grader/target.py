"""What a suite is run against: a student in the sandbox, or functions of ours called through the same code."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import torch

from grader import wire, worker
from grader.words import Text


@dataclasses.dataclass(frozen=True)
class Call:
    """One call. `cotangents` asks for gradients, `watch` for the inputs that it changes and the operators that it runs,
    `contract` for a run on the pretended device.
    """

    function: str
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    cotangents: Sequence[torch.Tensor | None] | None = None
    watch: bool = False
    contract: bool = False
    device: str = "cpu"

    def encode(self) -> worker.Reply:
        """The request for the worker: header and tensor bytes."""
        encoder = wire.Encoder()
        header: dict[str, Any] = {"op": "call", "function": self.function, "device": self.device}
        header["args"] = encoder.encode(list(self.args))
        header["kwargs"] = encoder.encode(dict(self.kwargs))
        if self.cotangents is not None:
            header["cotangents"] = encoder.encode(list(self.cotangents))
        return {**header, "watch": self.watch, "contract": self.contract}, encoder.parts

    @property
    def tensors(self) -> list[torch.Tensor]:
        """The tensors among the arguments, positional ones first."""
        return [a for a in (*self.args, *self.kwargs.values()) if isinstance(a, torch.Tensor)]


@dataclasses.dataclass(frozen=True)
class Raised:
    """An exception of the student's: class names from the most derived up, message, line and column in the file."""

    types: tuple[str, ...]
    message: str
    line: int | None = None
    column: int | None = None


@dataclasses.dataclass(frozen=True)
class Outcome:
    """What one call came to. Everything in it is the worker's claim, decoded into memory of our own."""

    value: Any = None
    devices: tuple[str, ...] = ()
    raised: Raised | None = None
    gradients: Sequence[torch.Tensor | None] | None = None
    changed: tuple[int, ...] = ()
    operators: tuple[str, ...] = ()

    @classmethod
    def decode(cls, header: Mapping[str, Any], payload: bytearray) -> Outcome:
        """Raises wire.BadValue for a reply that the worker's code would not have written."""
        if "raised" in header:
            return cls(raised=decode_raised(header["raised"]))
        gradients = wire.decode(header.get("gradients"), payload)
        if gradients is not None and not (
            isinstance(gradients, list) and all(g is None or isinstance(g, torch.Tensor) for g in gradients)
        ):
            raise wire.BadValue("gradients that are none")
        changed = header.get("changed", [])
        if not isinstance(changed, list) or not all(type(i) is int for i in changed):
            raise wire.BadValue("a list of changed inputs that is none")
        operators = header.get("operators", [])
        if not isinstance(operators, list) or not all(isinstance(name, str) for name in operators):
            raise wire.BadValue("a list of operators that is none")
        value = wire.decode(header.get("ok"), payload)
        devices = tuple(wire.tensor_devices(header.get("ok")))
        return cls(value, devices, None, gradients, tuple(changed), tuple(operators[: worker.MAX_NAMES]))


def decode_raised(facts: Any) -> Raised:
    """Raises wire.BadValue unless `facts` is what `worker.describe` writes."""
    if not isinstance(facts, dict) or not isinstance(facts.get("types"), list):
        raise wire.BadValue("an exception that is none")
    types = tuple(str(t)[:100] for t in facts["types"][:8]) or ("Exception",)
    line, column = (n if type(n := facts.get(key)) is int else None for key in ("line", "column"))
    return Raised(types, str(facts.get("message", ""))[: worker.MESSAGE_CAP], line, column)


class NoAnswer(Exception):
    """A call came to nothing: the verdict (failed, timeout, crashed or blocked) and the reason."""

    def __init__(self, verdict: str, reason: Text) -> None:
        super().__init__(reason.en)
        self.verdict = verdict
        self.reason = reason


class Target(Protocol):
    """Something that answers calls."""

    def call(self, call: Call) -> Outcome:
        """Raises NoAnswer when no valid answer came."""


class LocalTarget:
    """Trusted functions in this process (a solution, a misconception), answering as a worker would."""

    def __init__(self, functions: Mapping[str, Callable[..., Any]]) -> None:
        self._session = worker.Session(dict(functions))

    def call(self, call: Call) -> Outcome:
        header, parts = call.encode()
        reply, parts = self._session.answer(header, bytearray(b"".join(parts)))
        return Outcome.decode(reply, bytearray(b"".join(parts)))
