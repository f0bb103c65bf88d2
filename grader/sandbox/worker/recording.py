"""Records what happens in a student's file during one call: its variables, line by line, or its steps."""

from __future__ import annotations

import dis
import functools
import sys
import types
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from grader.arrays import Tensor, torch
from grader.sandbox.processes import BadValue, CallFunction, Raised, Returned
from grader.sandbox.worker import wire
from grader.sandbox.worker.callbacks import Line
from grader.sandbox.worker.calls import Payload
from grader.sandbox.worker.calls import call as ordinary_call
from grader.sandbox.worker.source import describe

MOST_RECORDS = 200
MOST_ENTRIES = 4096  # of a tensor whose values are kept
MOST_LETTERS = 40  # of the name of an operation
UNFILLED = ("empty", "empty_like", "empty_strided", "new_empty")  # operations whose values say nothing
ELSEWHERE, BACKWARD = -1, -2
OWN = __name__.partition(".")[0]
if TYPE_CHECKING or torch is not None:
    from torch.overrides import TorchFunctionMode

    _CLONE, _DETACH, _COPY = Tensor.clone, Tensor.detach, Tensor.copy_
    _BACKWARD = (torch.autograd.grad, vars(torch._C.TensorBase)["grad"].__get__)
    _VERSION = vars(torch._C.TensorBase)["_version"].__get__
else:
    TorchFunctionMode = object


class VariableRecorder:
    """Records each tensor that a function of the file binds to a name or changes: the line, the name, the value."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._seen: dict[types.FrameType, tuple[int, dict[str, tuple[int, int]]]] = {}
        self._held: list[Tensor] = []  # so that no other tensor gets the id of one that was seen
        self.records: list[tuple[int, str, Tensor]] = []

    def __enter__(self) -> None:
        sys.settrace(self.trace)

    def __exit__(self, *_: object) -> None:
        sys.settrace(None)

    def trace(self, frame: types.FrameType, event: str, _argument: Any) -> Any:
        """Record a step, as `sys.settrace` calls it."""
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
        """Return the tensors that the names stand for now, and how often each was changed."""
        found, passing = {}, _of_comprehensions(frame.f_code)
        for name, value in frame.f_locals.items():
            if type(value) is Tensor and name not in passing and len(self._held) < 10 * MOST_RECORDS:
                found[name] = id(value), _VERSION(value)
                if not any(value is held for held in self._held):
                    self._held.append(value)
        return found


class Steps(TorchFunctionMode):
    """Records the result of each operation of torch that a line of the file asks for, directly or through other code.

    file: the file's name; "" for any file but those that make the call.
    instead: other values for some of the steps, by their numbers, with which the call goes on.
    """

    def __init__(self, file: str, instead: Mapping[int, Tensor] | None = None) -> None:
        super().__init__()
        self._file, self._instead = file, instead or {}
        self._held: dict[int, tuple[int, Tensor]] = {}  # the last step of each tensor, which lives on with its id
        self.records: list[tuple[int, int, Tensor, list[int], str]] = []
        """Of each step its line, the line of the file that led there first, the value, the numbers of the steps whose
        values it takes (ELSEWHERE for other values, BACKWARD for what a backward pass gives), and its operation."""

    def __torch_function__(
        self, function: Callable[..., Any], types: Any, args: Any = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        """Record an operation; torch calls this for each one."""
        result = function(*args, **(kwargs or {}))
        if not (lines := self._lines()):
            return result
        taken = [*args, *(kwargs or {}).values()]
        if result is None and args and type(args[0]) is Tensor:  # x[i] = value
            self._noted(lines, args[0], taken, function)
        elif type(result) is Tensor:
            return self._noted(lines, result, taken, function)
        elif isinstance(result, tuple | list) and any(type(part) is Tensor for part in result):
            given = [self._noted(lines, part, taken, function) if type(part) is Tensor else part for part in result]
            return result if all(a is b for a, b in zip(given, result, strict=True)) else tuple(given)
        return result

    def _lines(self) -> list[int]:
        """Return the lines of the file that lead here, the innermost first."""
        found: list[int] = []
        frame: types.FrameType | None = sys._getframe(2)
        if not self._file:
            while frame and _module(frame) == "torch":
                frame = frame.f_back
            return [frame.f_lineno] if frame and _module(frame) != OWN else []
        while frame:
            if frame.f_code.co_filename == self._file:
                found.append(frame.f_lineno)
            frame = frame.f_back
        return found

    def _noted(self, lines: list[int], value: Tensor, given: list[Any], function: Callable[..., Any]) -> Tensor:
        number = len(self.records)
        if value.numel() < 2 or number >= MOST_RECORDS:
            return value
        flat = [part for one in given for part in (one if isinstance(one, tuple | list) else [one])]
        if number in self._instead:
            other = self._instead[number]
            value = _COPY(value, other) if any(value is part for part in given) else _CLONE(other)
        tensors = [part for part in flat if isinstance(part, Tensor) and part.numel() > 1]
        taken = [*dict.fromkeys(self._held[id(t)][0] if id(t) in self._held else ELSEWHERE for t in tensors)]
        takes, name = [BACKWARD] if function in _BACKWARD else taken, _name(function)
        self.records.append((lines[0], lines[-1], _kept(value, name in UNFILLED), takes, name))
        self._held[id(value)] = number, value
        return value


def _module(frame: types.FrameType) -> str:
    """Return the first part of the name of a frame's module."""
    return str(frame.f_globals.get("__name__", "")).partition(".")[0]


def _kept(value: Tensor, unfilled: bool = False) -> Tensor:
    """Return the tensor as it is now; of a large one, or one that is not filled yet, the shape only."""
    if unfilled or value.numel() > MOST_ENTRIES:
        return torch.empty(value.shape, dtype=value.dtype, device="meta")
    return _CLONE(_DETACH(value))


def _name(function: Callable[..., Any]) -> str:
    """Return the name of an operation of torch: `matmul` for an operator, `T` for an attribute."""
    name = getattr(function, "__name__", "")
    if name == "__get__":
        name = getattr(getattr(function, "__self__", None), "__name__", "")
    return name.strip("_")[:MOST_LETTERS] if type(name) is str else ""


@functools.cache
def _of_comprehensions(code: types.CodeType) -> set[str]:
    """Return the variables of a function's comprehensions, which Python 3.12 and later show among its own."""
    return {i.argval for i in dis.get_instructions(code) if i.opname == "LOAD_FAST_AND_CLEAR"}


def call(
    function: Callable[..., Any],
    request: CallFunction,
    payload: Payload,
    cap: int | None,
    name: str,
    line: Line,
) -> tuple[Returned | Raised, list[bytes]]:
    """Call as usual, with a record of what happened in the file of this name.

    Steps are recorded for a call that raises too; none if one of them cannot be sent or all together are too large.
    """
    file = f"{name}.py" if name else ""
    recorder = VariableRecorder(file) if request.record == "variables" else Steps(file)
    reply: Returned | Raised
    try:
        with recorder:
            reply, parts = ordinary_call(function, request, payload, cap, line)
    except BaseException as error:  # sys.exit() too
        if isinstance(recorder, VariableRecorder):
            raise
        reply, parts = describe(error, name), []
    encoder = wire.Encoder(cap, sum(map(len, parts)))
    try:
        recorded = encoder.encode([list(record) for record in recorder.records])
    except BadValue:
        if isinstance(recorder, VariableRecorder):
            raise
        return reply, parts
    return msgspec.structs.replace(reply, recorded=recorded), [*parts, *encoder.parts]
