"""Makes a student's calls once more, by trusted functions, and keeps their answers with the call."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from grader import arrays
from grader.arrays import Module, Tensor
from grader.diagnosis.comparing import WHOLE, Part, agree, parts_of
from grader.suites import Call, LocalTarget, Outcome

ITEMSIZE = {"float16": 2, "bfloat16": 2, "float32": 4, "float64": 8}
MOST_REPLAYS = 256  # that are kept with a call; a grading process holds every call of a seed
Functions = Mapping[str, Callable[..., Any]]
Ask = Callable[[Call], Outcome]
"""One more call of the student's code, in a fresh process; raises NoAnswer."""


def replay(functions: Functions, call: Call, dtype: str | None = None) -> Outcome:
    """Return the answer of trusted functions, computing in `dtype` inside if that is wider than the inputs."""
    function = functions[call.function]
    if dtype and (isinstance(function, type) or not widens(call, dtype)):
        dtype = None
    if outcome := call.replays.get((function, dtype)):
        return outcome
    outcome = LocalTarget({call.function: _wider(function, dtype) if dtype else function}, traced=False).call(call)
    keep(call, function, outcome, dtype)
    return outcome


def right(functions: Functions, call: Call, due: Outcome, part: Part = WHOLE) -> bool:
    """Return whether trusted functions give the value that is due; it is found out once for all submissions."""
    key = functions[call.function], frozenset(call.free), part
    if (found := call.judged.get(key)) is None:
        found = call.judged[key] = agree("value", call, replay(functions, call), due, part=part)
    return found


def known_wrong(functions: Functions, call: Call, due: Outcome) -> bool:
    """Return True if it was found out already that trusted functions give another value than the one that is due."""
    key = functions.get(call.function), frozenset(call.free)
    return any(call.judged.get((*key, part)) is False for part in (WHOLE, *parts_of(due)))


def passed(call: Call, functions: Functions) -> Mapping[str, Any]:
    """Return the arguments of a call by the names of the parameters; for an object's call, those of its method.

    Of several calls in a row: those of the first, and all as `turns`.
    """
    bound = inspect.signature(call.called(functions)).bind
    if call.turns:
        return {**bound(*call.args[0]).arguments, "turns": call.args}
    return bound(*call.args, **call.kwargs).arguments


def inputs(call: Call, functions: Functions) -> tuple[Any, ...]:
    """Return what a call passes, by position or by name, and to what object; `pytree.equal` compares it."""
    made = call.made and {**call.made.as_dict(), "kwargs": dict(call.made.kwargs)}
    return dict(passed(call, functions)), made, call.device


def own_weights(call: Call, functions: Functions) -> bool:
    """Return True if a made module computes with weights that it drew itself, so that the values are its own."""
    kind, made = functions[call.function], call.made
    if made is None or made.state is not None or not (isinstance(kind, type) and issubclass(kind, Module)):
        return False
    if replay(functions, call).raised:  # sizes that are refused, which is the same for all
        return False
    if (found := call.judged.get((kind, "parameters"))) is None:
        found = call.judged[kind, "parameters"] = any(True for _ in kind(*made.args, **made.kwargs).parameters())
    return found


def keep(call: Call, function: Callable[..., Any], outcome: Outcome, dtype: str | None = None) -> None:
    """Record the answer of this function, so that `replay` knows it."""
    if len(call.replays) < MOST_REPLAYS:
        call.replays[function, dtype] = outcome


def widens(call: Call, dtype: str) -> bool:
    """Return True if `dtype` is wider than the first float input."""
    return precision(call) < ITEMSIZE[dtype]


def precision(call: Call) -> int:
    """Return the bytes per entry of the first float input, a sort key; larger than any if there is none."""
    sizes = (a.dtype.itemsize for a in call.args if arrays.is_array(a) and arrays.is_real(a))
    return next(sizes, 16)


def is_plain(call: Call) -> bool:
    """Return True if a call asks only for the value, on the CPU, in float32 or a longer dtype."""
    special = call.gradients or call.watch or call.contract or call.turns or call.memory is not None
    return not special and call.device == "cpu" and precision(call) >= ITEMSIZE["float32"]


def size(call: Call) -> int:
    """Return the bytes of all arrays of a call: small ones are tried first."""
    return sum(array.nbytes for array in call.arrays)


def _wider(function: Callable[..., Any], dtype: str) -> Callable[..., Any]:
    """Return the function, computing in `dtype` inside, for a narrower first float input."""

    def cast(value: Any, to: str, narrower: bool) -> Any:
        if isinstance(value, tuple | list):
            return type(value)(cast(v, to, narrower) for v in value)
        if not arrays.is_array(value) or not arrays.is_real(value):
            return value
        if narrower and value.dtype.itemsize >= ITEMSIZE[to]:
            return value
        return value.to(arrays.dtype("torch", to)) if isinstance(value, Tensor) else value.astype(to)

    def computed(*args: Any, **kwargs: Any) -> Any:
        first = next(arrays.dtype_name(a) for a in args if arrays.is_array(a) and arrays.is_real(a))
        result = function(*cast(args, dtype, True), **{k: cast(v, dtype, True) for k, v in kwargs.items()})
        return cast(result, first, False)

    return computed
