"""Slips that any function can have, put around a solution: a suite must catch each, or say why it need not.

A suite that promises less says so, with the reason: `LETS_PASS = {"no_gradient": "whole numbers only"}`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from grader import arrays, pytree
from grader.arrays import Array, Module, Tensor, torch
from grader.suites import Call, Outcome

Function = Callable[..., Any]
Around = Callable[[Function], Function]
Region = Callable[[Any], bool]
LONG = 100  # an axis beyond this is cut by `long_rows_cut`


def _of_results(change: Callable[[Any], Any]) -> Around:
    """Return the slip that changes each array of the results."""

    def changed(leaf: Any) -> Any:
        return change(leaf) if arrays.is_array(leaf) else leaf

    return lambda function: lambda *args, **kwargs: pytree.mapped(changed, function(*args, **kwargs))


no_gradient = _of_results(lambda t: t.detach())
"""Cuts the results out of the graph."""
made_on_cpu = _of_results(lambda t: t + torch.zeros(t.shape, dtype=t.dtype))
"""Adds zeros that are made without a device."""


def changes_input(function: Function) -> Function:
    """Change the first input in place afterwards."""

    def wrong(*args: Any, **kwargs: Any) -> Any:
        result = function(*args, **kwargs)
        for t in pytree.arrays_of([args, kwargs]):
            if arrays.size(t):
                inside: Any = t.detach() if isinstance(t, Tensor) else t
                inside[...] = ~inside if arrays.dtype_name(t) == "bool" else 2 * inside + (not arrays.is_real(t))
                break
        return result

    return wrong


def remembers_by_shape(function: Function) -> Function:
    """Return the result of the first call with these shapes again."""
    kept: dict[str, Any] = {}

    def wrong(*args: Any, **kwargs: Any) -> Any:
        shapes = repr(pytree.mapped(lambda t: (t.shape, t.dtype) if arrays.is_array(t) else t, [args, kwargs]))
        if shapes not in kept:
            kept[shapes] = function(*args, **kwargs)
        return kept[shapes]

    return wrong


def reuses_buffer(function: Function) -> Function:
    """Let results of one shape share their memory."""
    kept: dict[tuple[Any, Any], Any] = {}

    def stored(t: Any) -> Any:
        if isinstance(t, np.ndarray):
            kept.setdefault((t.shape, t.dtype), t.copy())[...] = t
            return kept[t.shape, t.dtype]
        with torch.no_grad():
            return kept.setdefault((t.shape, t.dtype), t.detach().clone()).copy_(t)

    return _of_results(stored)(function)


def needs_contiguous(function: Function) -> Function:
    """Require contiguous inputs."""

    def wrong(*args: Any, **kwargs: Any) -> Any:
        for t in pytree.tensors([args, kwargs]):
            t.view(-1)
        return function(*args, **kwargs)

    return wrong


def _cut(t: Any) -> Any:
    """Return the array with zeros for everything beyond a fixed length."""
    for dim, size in enumerate(t.shape):
        if size > LONG and isinstance(t, np.ndarray):
            t = np.where(np.arange(size).reshape([-1 if d == dim else 1 for d in range(t.ndim)]) < LONG, t, 0)
        elif size > LONG:
            t = torch.cat([t.narrow(dim, 0, LONG), torch.zeros_like(t.narrow(dim, LONG, size - LONG))], dim)
    return t


def wrong_values(function: Function) -> Function:
    """Make real numbers a fifth too large, whole ones wrong, every bool the other one."""

    def off(leaf: Any) -> Any:
        if arrays.is_array(leaf):
            return 1.2 * leaf if arrays.is_real(leaf) else leaf == 0 if arrays.dtype_name(leaf) == "bool" else leaf + 1
        if isinstance(leaf, int | float):
            return not leaf if isinstance(leaf, bool) else leaf * 2 + 1
        return leaf

    return lambda *args, **kwargs: pytree.mapped(off, function(*args, **kwargs))


def scaled_input(function: Function) -> Function:
    """Make the first input of real numbers a fifth too large."""

    def wrong(*args: Any, **kwargs: Any) -> Any:
        first = next(filter(arrays.is_real, pytree.arrays_of([args, kwargs])), None)
        args, kwargs = pytree.mapped(lambda leaf: leaf * 1.2 if id(leaf) == id(first) else leaf, (args, kwargs))
        return function(*args, **kwargs)

    return wrong


def refused(function: Function) -> Function:
    """Raise an error."""

    def wrong(*args: Any, **kwargs: Any) -> Any:
        raise RuntimeError("not implemented")

    return wrong


def _to_float32(array: Array) -> Array:
    """Return an array of real numbers in float32."""
    if not arrays.is_real(array):
        return array
    return array.float() if isinstance(array, Tensor) else array.astype("float32")


def _sizes(values: Any) -> list[int]:
    """Return the sizes of all arrays, and, if none is of real numbers, the whole numbers."""
    found = pytree.arrays_of(values)
    whole = [] if any(map(arrays.is_real, found)) else pytree.leaves(values)
    return [size for t in found for size in t.shape] + [n for n in whole if type(n) is int]


def _some_size(holds: Callable[[int], bool]) -> Region:
    return lambda values: any(map(holds, _sizes(values)))


def _of_dtype(name: str) -> Region:
    return lambda values: any(arrays.dtype_name(t) == name for t in pytree.arrays_of(values))


def _batch_of_one(values: Any) -> bool:
    found = pytree.arrays_of(values)
    first = [t for t in found if arrays.is_real(t)] or found
    return bool(first) and first[0].ndim > 1 and first[0].shape[0] == 1


def _of_equal_shapes(values: Any) -> bool:
    found = [t.shape for t in pytree.arrays_of(values) if arrays.is_real(t) and t.ndim > 1 and max(t.shape) > 1]
    return len({*found}) < len(found)


REGIONS: Mapping[str, tuple[Around, Region]] = {
    "wrong_above_256": (wrong_values, _some_size(lambda n: n > 256)),
    "wrong_above_600": (wrong_values, _some_size(lambda n: n > 600)),
    "wrong_at_size_1": (wrong_values, _some_size(lambda n: n == 1)),
    "wrong_at_batch_1": (wrong_values, _batch_of_one),
    "wrong_in_five_dimensions": (wrong_values, lambda values: any(t.ndim >= 5 for t in pytree.arrays_of(values))),
    "wrong_in_float16": (wrong_values, _of_dtype("float16")),
    "wrong_in_bfloat16": (wrong_values, _of_dtype("bfloat16")),
    "input_scaled_in_bfloat16": (scaled_input, _of_dtype("bfloat16")),
    "refused_in_float16": (refused, _of_dtype("float16")),
    "refused_in_bfloat16": (refused, _of_dtype("bfloat16")),
    "changes_input_in_float16": (changes_input, _of_dtype("float16")),
    "changes_input_at_size_1": (changes_input, _some_size(lambda n: n == 1)),
    "changes_input_at_batch_1": (changes_input, _batch_of_one),
    "no_gradient_at_batch_1": (no_gradient, _batch_of_one),
    "no_gradient_at_size_1": (no_gradient, _some_size(lambda n: n == 1)),
    "changes_input_above_256": (changes_input, _some_size(lambda n: n > 256)),
    "no_gradient_above_256": (no_gradient, _some_size(lambda n: n > 256)),
    "changes_input_at_equal_shapes": (changes_input, _of_equal_shapes),
    "no_gradient_at_equal_shapes": (no_gradient, _of_equal_shapes),
    "made_on_cpu_above_256": (made_on_cpu, _some_size(lambda n: n > 256)),
    "no_gradient_in_float16": (no_gradient, _of_dtype("float16")),
    "no_gradient_in_bfloat16": (no_gradient, _of_dtype("bfloat16")),
}
"""Slips that show in one region of the inputs only, and those regions."""


def _within(slip: Around, region: Region) -> Around:
    def around(function: Function) -> Function:
        wrong = slip(function)
        return lambda *args, **kwargs: (wrong if region([args, kwargs]) else function)(*args, **kwargs)

    return around


READY: Mapping[str, Around] = {
    "float32_result": _of_results(_to_float32),
    "no_gradient": no_gradient,
    "changes_input": changes_input,
    "remembers_by_shape": remembers_by_shape,
    "reuses_buffer": reuses_buffer,
    "made_on_cpu": made_on_cpu,
    "squeezed": _of_results(lambda t: t.squeeze()),
    "needs_contiguous": needs_contiguous,
    "other_names": lambda function: lambda *args: function(*args),  # of the parameters
    "long_rows_cut": _of_results(_cut),
} | {name: _within(*found) for name, found in REGIONS.items()}
NEEDS_INPUT = ("changes_input", "remembers_by_shape", "made_on_cpu_")
NEEDS_REAL_RESULT = ("float32_result", "no_gradient")
NEEDS_TORCH = ("no_gradient", "made_on_cpu")


def can_show(name: str, calls: Sequence[tuple[Call, Outcome]]) -> bool:
    """Return True if the slip could show in calls of this kind: some need a tensor as an argument, or a real result.

    A tensor of one dimension can always be viewed as one. Whether five dimensions are asked for shows in the first
    tensor: if any shape will do, a suite tries three numbers of dimensions or more.
    """
    tensors = [t for call, _ in calls for t in pytree.tensors(call.arrays)]
    if name == "needs_contiguous":
        return any(t.ndim > 1 for t in tensors)
    if name == "wrong_in_five_dimensions":
        return len({call.arrays[0].ndim for call, _ in calls if call.arrays}) > 2
    if "equal_shapes" in name and not any(
        _of_equal_shapes(call.arrays) for call, outcome in calls if not (call.turns or outcome.raised)
    ):
        return False
    if "batch_1" in name and not any(t.ndim > 1 for call, _ in calls for t in call.arrays):
        return False
    if "float16" in name and not any(map(arrays.is_real, tensors)):
        return False
    if name.startswith(NEEDS_INPUT):
        return any(call.arrays for call, _ in calls)
    results = [t for _, outcome in calls for t in pytree.arrays_of(outcome.value)]
    if name.startswith(NEEDS_TORCH) and not pytree.tensors(results):
        return False
    if name.startswith(NEEDS_REAL_RESULT):
        return any(map(arrays.is_real, results))
    return True


def around(name: str, function: Function) -> Function:
    """Return the function, or the class with its `forward`, with this slip."""
    if not isinstance(function, type):
        return READY[name](function)
    if not issubclass(function, Module):
        return function
    return type(function.__name__, (function,), {"forward": READY[name](function.forward)})
