"""What the variables of a student's file become while one call runs, line by line."""

from __future__ import annotations

import dis
import functools
import sys
import types
from collections.abc import Callable
from typing import Any

import msgspec

from grader.arrays import Tensor, torch
from grader.sandbox.processes import CallFunction, Returned
from grader.sandbox.worker import wire
from grader.sandbox.worker.calls import call as ordinary_call

MOST_RECORDS = 200
MOST_ENTRIES = 4096  # of a tensor whose values are kept
if torch is not None:
    _CLONE, _DETACH = Tensor.clone, Tensor.detach
    _VERSION = vars(torch._C.TensorBase)["_version"].__get__


class Recorder:
    """Notes each tensor that a function of the file binds to a name or changes: the line, the name, the value."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._seen: dict[types.FrameType, tuple[int, dict[str, tuple[int, int]]]] = {}
        self._held: list[Tensor] = []  # so that no other tensor gets the id of one that was seen
        self.records: list[tuple[int, str, Tensor]] = []

    def trace(self, frame: types.FrameType, event: str, _argument: Any) -> Any:
        """What `sys.settrace` wants."""
        if frame.f_code.co_filename != self._file or frame.f_code.co_name.startswith("<"):
            return None
        if event == "call":
            self._seen[frame] = frame.f_lineno, self._named(frame)
            return self.trace
        line, before = self._seen[frame]
        now = self._named(frame)
        for name, state in now.items():
            if before.get(name) != state and len(self.records) < MOST_RECORDS:
                self.records.append((line, name, _kept(frame.f_locals[name])))
        self._seen[frame] = frame.f_lineno, now
        return self.trace

    def _named(self, frame: types.FrameType) -> dict[str, tuple[int, int]]:
        """The tensors that the names stand for now, and how often each was changed."""
        found, passing = {}, _of_comprehensions(frame.f_code)
        for name, value in frame.f_locals.items():
            if type(value) is Tensor and name not in passing and len(self._held) < 10 * MOST_RECORDS:
                found[name] = id(value), _VERSION(value)
                if not any(value is held for held in self._held):
                    self._held.append(value)
        return found


@functools.cache
def _of_comprehensions(code: types.CodeType) -> set[str]:
    """The variables of a function's comprehensions, which Python 3.12 and later show among its own."""
    return {i.argval for i in dis.get_instructions(code) if i.opname == "LOAD_FAST_AND_CLEAR"}


def _kept(value: torch.Tensor) -> torch.Tensor:
    """The tensor as it is now; of a large one the shape only."""
    if value.numel() > MOST_ENTRIES:
        return torch.empty(value.shape, dtype=value.dtype, device="meta")
    return _CLONE(_DETACH(value))


def call(
    function: Callable[..., Any], request: CallFunction, payload: bytearray | memoryview, cap: int | None, file: str
) -> tuple[Returned, list[bytes]]:
    """As an ordinary call, with what was recorded in `file`."""
    recorder = Recorder(file)
    sys.settrace(recorder.trace)
    try:
        returned, parts = ordinary_call(function, request, payload, cap)
    finally:
        sys.settrace(None)
    encoder = wire.Encoder(cap, sum(map(len, parts)))
    recorded = encoder.encode([list(record) for record in recorder.records])
    return msgspec.structs.replace(returned, recorded=recorded), [*parts, *encoder.parts]
