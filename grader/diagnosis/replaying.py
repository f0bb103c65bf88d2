"""Calls of a student's made once more, by functions of ours; what those answer is kept with the call."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from grader import arrays
from grader.arrays import Module, Tensor
from grader.suites import Call, LocalTarget, Outcome

ITEMSIZE = {"float16": 2, "bfloat16": 2, "float32": 4, "float64": 8}
MOST_REPLAYS = 256  # that are kept with a call; a grading process holds every call of a seed
Functions = Mapping[str, Callable[..., Any]]
Ask = Callable[[Call], Outcome]
"""One more call of the student's code, in a fresh process; raises NoAnswer."""


def replay(functions: Functions, call: Call, dtype: str | None = None) -> Outcome:
    """What trusted functions answer, computing in `dtype` inside where that is wider than the inputs."""
    function = functions[call.function]
    if dtype and (isinstance(function, type) or not widens(call, dtype)):
        dtype = None
    if outcome := call.replays.get((function, dtype)):
        return outcome
    outcome = LocalTarget({call.function: _wider(function, dtype) if dtype else function}).call(call)
    keep(call, function, outcome, dtype)
    return outcome


def passed(call: Call, functions: Functions) -> Mapping[str, Any]:
    """The arguments of a call by the names of the parameters; of an object's call those of its method."""
    return inspect.signature(call.called(functions)).bind(*call.args, **call.kwargs).arguments


def own_weights(call: Call, functions: Functions) -> bool:
    """Whether a made module computes with weights that it drew itself, so that the values are its own."""
    kind = functions[call.function]
    if call.made is None or call.made.state is not None or not (isinstance(kind, type) and issubclass(kind, Module)):
        return False
    try:
        return any(True for _ in kind(*call.made.args, **call.made.kwargs).parameters())
    except Exception:  # it is refused, which is the same for all
        return False


def keep(call: Call, function: Callable[..., Any], outcome: Outcome, dtype: str | None = None) -> None:
    """Have `replay` know what this function answers."""
    if len(call.replays) < MOST_REPLAYS:
        call.replays[function, dtype] = outcome


def widens(call: Call, dtype: str) -> bool:
    """Whether computing in `dtype` is wider than the first float input."""
    return precision(call) < ITEMSIZE[dtype]


def precision(call: Call) -> int:
    """Bytes an entry of the first float input, which says what to compute in; more than any, if there is none."""
    sizes = (a.dtype.itemsize for a in call.args if arrays.is_array(a) and arrays.is_real(a))
    return next(sizes, 16)


def _wider(function: Callable[..., Any], dtype: str) -> Callable[..., Any]:
    """The function, computing in `dtype` inside; its first float input is narrower."""

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
