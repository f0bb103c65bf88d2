"""Functions that a suite passes to a student's function: computed and counted here, and never shown to it."""

from __future__ import annotations

import contextlib
import functools
import inspect
import itertools
import math
import signal
import sys
import threading
import time
import types
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from grader import arrays, pytree
from grader.arrays import torch
from grader.errors import GraderError
from grader.sandbox.processes import BadValue, Evaluate, Evaluated, FunctionForm, Value, arrays_in
from grader.sandbox.worker import MESSAGE_CAP, callbacks, wire
from grader.texts import WithReason

MOST_CALLS = 5_000  # of one function in one call, unless the suite allows more
MOST_ENTRIES = 10_000  # of the arrays, and items of the lists, that one evaluation gets, unless the suite allows more
LARGEST_WHOLE = 1_000  # of a larger one `range(n)` or 2**n may make endless work: it gets LARGE_SECONDS and LARGE_ROOM
LARGEST_CROSSING, LARGEST_FLOAT = 2**63 - 1, 10**308
LARGE_SECONDS = 1.0  # of processor time for what is computed of large whole numbers in one call
LARGE_ROOM = 1 << 30  # bytes beside what the process has
AGAIN = 0.1  # seconds after which a function that caught its end is ended once more
DEEPEST = 8
ANSWER_BYTES = 64 << 20


class Given:
    """A function, or an object with methods, as an argument of a call; see `given`."""

    def __init__(
        self, what: Any, methods: Sequence[str], name: str, says: str, at_most: int | None, entries: int
    ) -> None:
        self.what = what
        self.methods = {m: getattr(what, m) if m else what for m in methods or ("",)}
        own = getattr(what, "__name__", type(what).__name__ if methods else "f")
        self.name = name or ("f" if own == "<lambda>" else own)
        self.__name__ = self.name
        self.says, self.at_most, self.entries = says, at_most, entries
        self.stops_at = max(MOST_CALLS, 10 * (at_most or 0))
        self.calls = 0
        """How often the last call that got this function called it."""
        self.signatures = {name: _signature(method) for name, method in self.methods.items()}
        if told := self.signatures.get(""):
            self.__signature__ = told

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.methods[""](*args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        if name not in self.__dict__.get("methods", ()):
            raise AttributeError(name)
        return self.methods[name]

    def __eq__(self, other: object) -> bool:
        """Return whether both compute the same, as far as their code and what it refers to show."""
        return isinstance(other, Given) and _alike(
            (self.what, self.at_most, self.entries), (other.what, other.at_most, other.entries)
        )

    def __repr__(self) -> str:
        return self.says or ("<function>" if self.name == "f" else self.name)

    def form(self, number: int) -> FunctionForm:
        """Return the form in which the function crosses to a worker."""
        return FunctionForm(number, self.name, tuple((n, _parameters(s)) for n, s in self.signatures.items()))


def given(
    what: Any, *, methods: Sequence[str] = (), name: str = "", says: str = "", at_most: int | None = None,
    entries: int = MOST_ENTRIES,
) -> Given:  # fmt: skip
    """Describe a function that is passed as an argument: `student.bisect(given(f, at_most=60), 0.0, 2.0)`.

    Args:
        what: called with what the student's code passes, for the solution too; a plain function needs no `given`.
            It must be a function of its arguments alone. Numbers come as Python's own; a whole number of over 64 bits
            that it gives goes as a float. What it raises, the student's code sees as Python's class of exception with
            the same message; an `expect` in it fails the check. With whole numbers over a thousand it may compute for
            one second of a call, in one GB. Nothing ends a loop in C, such as `sum(range(n))`: refuse such n in it.
        methods: of an object, which can be called; "" is calling the object itself.
        name: what it is called where it is spoken of and in the student's process; its own name, `f` for a lambda.
        says: how the report shows it, such as "x**2 - 2", which students read.
        at_most: how often the student's code may call it, all methods together.
        entries: how many entries the arrays and lists of one evaluation may have together.
    """
    return Given(what, methods, name, says, at_most, entries)


def excess(functions: Sequence[Given], counts: Sequence[int]) -> tuple[Given, int] | None:
    """Return the first function that was called more often than it may be, and how often."""
    found = zip(functions, counts, strict=False)
    return next(((f, n) for f, n in found if n > (f.stops_at if f.at_most is None else f.at_most)), None)


def taken(value: Any) -> Any:
    """Return an argument as a call keeps it: functions as `given`, generators in the state in which they are now."""
    if type(value) in wire.PLAIN or isinstance(value, Given) or arrays.is_array(value):
        return value
    function = callable(value) and not isinstance(value, type) and not (torch and isinstance(value, torch.device))
    return given(value) if function else callbacks.form_of(value) or value


def crossing() -> Callable[[Any], Value | None]:
    """Return an encoder that gives functions, numbered in order, and generators a form."""
    numbers = itertools.count()
    return lambda value: value.form(next(numbers)) if isinstance(value, Given) else callbacks.form_of(value)


class Answering:
    """The answers of the functions that were passed to one call, while it runs; `counts` how often each was called."""

    def __init__(self, functions: Sequence[Given]) -> None:
        self._functions = functions
        self._left = LARGE_SECONDS
        self.counts = [0] * len(functions)
        self.running = False
        """True if a function is being computed, or ended the check."""

    def __call__(self, asked: Evaluate, payload: bytearray) -> tuple[Evaluated, list[bytes]]:
        """Return the value, or what the function raised. Raises BadValue if no worker of ours sent this."""
        if not 0 <= asked.number < len(self.counts):
            raise BadValue("no such function")
        function = self._functions[asked.number]
        self.counts[asked.number] += 1
        if self.counts[asked.number] > function.stops_at:
            said = f"{function.name} was called more than {function.stops_at:,} times"
            return Evaluated(None, "RuntimeError", said), []
        if max(map(_size, (asked.args, asked.kwargs))) > function.entries:
            return Evaluated(None, "TypeError", f"{function.name} takes at most {function.entries:,} numbers"), []
        args, kwargs = (wire.decode(part, payload) for part in (asked.args, asked.kwargs))
        if asked.method not in function.methods or not isinstance(args, list) or not isinstance(kwargs, dict):
            raise BadValue("not the arguments of a function")
        told = function.signatures[asked.method]
        try:
            if told:
                told.bind(*args, **kwargs)
        except TypeError as error:  # Python's own words would say where in the suite the function stands
            return Evaluated(None, "TypeError", f"{asked.method or function.name}(): {error}"), []
        self.running = True
        found = self._computed(function.name, function.methods[asked.method], args, kwargs)
        self.running = False
        return found

    def _computed(
        self, name: str, function: Callable[..., Any], args: list[Any], kwargs: dict[str, Any]
    ) -> tuple[Evaluated, list[bytes]]:
        """Compute the value, in bounded time and memory if a whole number is large."""
        if not any(type(leaf) is int and abs(leaf) > LARGEST_WHOLE for leaf in pytree.leaves([args, kwargs])):
            return _computed(function, args, kwargs)
        begun = time.process_time()
        try:
            with bounded(self._left):
                found = _computed(function, args, kwargs)
        except TooMuch:
            found = Evaluated(None, "MemoryError"), []
        self._left -= time.process_time() - begun
        if found[0].error == "MemoryError":
            said = f"{name} is not computed for whole numbers so large: it takes over {LARGE_SECONDS:g} s or 1 GB"
            return Evaluated(None, "RuntimeError", said), []
        return found

    def here(self, asked: Evaluate, parts: list[bytes]) -> tuple[Evaluated, bytearray]:
        """Answer code of ours in this process in the same way."""
        answer, made = self(asked, bytearray(b"".join(parts)))
        return answer, bytearray(b"".join(made))


def _computed(function: Callable[..., Any], args: list[Any], kwargs: dict[str, Any]) -> tuple[Evaluated, list[bytes]]:
    encoder = wire.Encoder(ANSWER_BYTES)
    try:
        with np.errstate(all="ignore"):
            value = encoder.encode(pytree.mapped(_crossing, function(*args, **kwargs)))
    except Exception as error:
        if isinstance(error, GraderError | WithReason):  # `expect` of the suite's, a fault of the course or the machine
            raise
        kind = next(c.__name__ for c in type(error).__mro__ if c.__module__ == "builtins")
        return Evaluated(None, kind, str(error)[:MESSAGE_CAP]), []
    if encoder.opaque:
        return Evaluated(None, "TypeError", f"the function gives {encoder.opaque[0]}, which does not cross"), []
    return Evaluated(value), encoder.parts


def _size(form: Value) -> int:
    """Count the entries of arrays, lists and dicts and the letters of texts in a value."""
    return sum(math.prod(array.shape) for array in arrays_in(form)) + sum(map(_items, _parts_of(form)))


def _items(form: Any) -> int:
    parts = _parts_of(form)
    return len(form) if isinstance(form, str) else len(parts) + sum(map(_items, parts))


def _parts_of(form: Any) -> list[Any]:
    return [part[-1] if isinstance(part, tuple) else part for part in getattr(form, "items", ())]


def _crossing(leaf: Any) -> Any:
    """Return the nearest float for a whole number that is too large to cross, such as the cube of a million."""
    return float(leaf) if type(leaf) is int and LARGEST_CROSSING < abs(leaf) < LARGEST_FLOAT else leaf


class TooMuch(BaseException):
    """The time is over. An `except Exception` in a suite's function does not catch this."""


@contextlib.contextmanager
def bounded(seconds: float) -> Iterator[None]:
    """End the computation inside after so many seconds of processor time, or when it wants LARGE_ROOM.

    Nothing is bounded on other systems than Linux, nor in another thread than the first.

    Raises:
        TooMuch: the time is over.
        MemoryError: there is no room.
    """
    if sys.platform != "linux" or threading.current_thread() is not threading.main_thread():
        yield
        return
    import resource

    def over(number: int, frame: Any) -> None:
        raise TooMuch

    if seconds <= 0:
        raise TooMuch
    least, most = resource.getrlimit(resource.RLIMIT_AS)
    held = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
    room = min(limit for limit in (held + LARGE_ROOM, least, most) if limit != resource.RLIM_INFINITY)
    before = signal.signal(signal.SIGPROF, over)
    resource.setrlimit(resource.RLIMIT_AS, (room, most))
    try:
        signal.setitimer(signal.ITIMER_PROF, seconds, AGAIN)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)  # once more: it may have come again on the way here
        resource.setrlimit(resource.RLIMIT_AS, (least, most))
        signal.signal(signal.SIGPROF, before)


def _signature(function: Any) -> inspect.Signature | None:
    try:
        return inspect.signature(function)
    except (TypeError, ValueError):  # of code that is not Python's
        return None


def _parameters(told: inspect.Signature | None) -> tuple[tuple[str, int, bool], ...] | None:
    if told is None:
        return None
    return tuple((p.name, int(p.kind), p.default is not p.empty) for p in told.parameters.values())


def _alike(one: Any, other: Any, depth: int = 0) -> bool:
    """Return whether two functions or values are the same but for their place in memory."""
    if one is other:
        return True
    if type(one) is not type(other) or depth > DEEPEST:
        return False
    if isinstance(one, tuple | list):
        return len(one) == len(other) and all(_alike(a, b, depth + 1) for a, b in zip(one, other, strict=True))
    if isinstance(one, dict):
        return [*one] == [*other] and _alike([*one.values()], [*other.values()], depth + 1)
    if isinstance(one, types.FunctionType | types.MethodType | functools.partial):
        return _alike(_parts(one), _parts(other), depth + 1)
    if arrays.is_array(one) or not hasattr(one, "__dict__"):
        return pytree.equal(one, other)
    return pytree.equal(one, other) or _alike(vars(one), vars(other), depth + 1)


def _parts(function: Any) -> Any:
    if isinstance(function, types.MethodType):
        return function.__func__, function.__self__
    if isinstance(function, functools.partial):
        return function.func, function.args, function.keywords
    cells = [cell.cell_contents for cell in function.__closure__ or ()]
    return function.__code__, cells, function.__defaults__, function.__kwdefaults__
