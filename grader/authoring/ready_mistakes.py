"""Slips that any function can have, put around a solution: a suite must catch each, or say why it need not.

A suite that promises less says so, with the reason: `LETS_PASS = {"no_gradient": "whole numbers only"}`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch

from grader import trees
from grader.suites import Call, Outcome

Function = Callable[..., Any]
Around = Callable[[Function], Function]
LONG = 100  # an axis beyond this is cut by `long_rows_cut`


def float32_result(function: Function) -> Function:
    """Everything comes back in float32."""
    return lambda *args, **kwargs: _tensors(torch.Tensor.float, function(*args, **kwargs))


def no_gradient(function: Function) -> Function:
    """The results are cut out of the graph."""
    return lambda *args, **kwargs: _tensors(torch.Tensor.detach, function(*args, **kwargs), ())


def changes_input(function: Function) -> Function:
    """The first input is changed in place afterwards."""

    def wrong(*args: Any, **kwargs: Any) -> Any:
        result = function(*args, **kwargs)
        for t in trees.tensors([args, kwargs]):
            if t.numel():
                t.detach().copy_(~t if t.dtype == torch.bool else 2 * t + (not t.is_floating_point()))
                break
        return result

    return wrong


def remembers_by_shape(function: Function) -> Function:
    """The result of the first call with these shapes is given again."""
    kept: dict[str, Any] = {}

    def wrong(*args: Any, **kwargs: Any) -> Any:
        shapes = repr(trees.mapped(lambda t: (t.shape, t.dtype) if isinstance(t, torch.Tensor) else t, [args, kwargs]))
        if shapes not in kept:
            kept[shapes] = function(*args, **kwargs)
        return kept[shapes]

    return wrong


def reuses_buffer(function: Function) -> Function:
    """Results of one shape share their memory."""
    kept: dict[tuple[torch.Size, torch.dtype], torch.Tensor] = {}

    def stored(t: torch.Tensor) -> torch.Tensor:
        with torch.no_grad():
            return kept.setdefault((t.shape, t.dtype), t.detach().clone()).copy_(t)

    return lambda *args, **kwargs: _tensors(stored, function(*args, **kwargs), ())


def made_on_cpu(function: Function) -> Function:
    """Zeros made without a device are added."""
    return lambda *args, **kwargs: _tensors(
        lambda t: t + torch.zeros(t.shape, dtype=t.dtype), function(*args, **kwargs), ()
    )


def squeezed(function: Function) -> Function:
    """Sizes of 1 are dropped."""
    return lambda *args, **kwargs: _tensors(torch.Tensor.squeeze, function(*args, **kwargs), ())


def needs_contiguous(function: Function) -> Function:
    """Inputs must be contiguous."""

    def wrong(*args: Any, **kwargs: Any) -> Any:
        for t in trees.tensors([args, kwargs]):
            t.view(-1)
        return function(*args, **kwargs)

    return wrong


def other_names(function: Function) -> Function:
    """The parameters have other names."""
    return lambda *args: function(*args)


def long_rows_cut(function: Function) -> Function:
    """What lies beyond a fixed length is zero."""

    def cut(t: torch.Tensor) -> torch.Tensor:
        for dim, size in enumerate(t.shape):
            if size > LONG:
                t = torch.cat([t.narrow(dim, 0, LONG), torch.zeros_like(t.narrow(dim, LONG, size - LONG))], dim)
        return t

    return lambda *args, **kwargs: _tensors(cut, function(*args, **kwargs), ())


READY: Mapping[str, Around] = {
    f.__name__: f
    for f in (
        float32_result, no_gradient, changes_input, remembers_by_shape, reuses_buffer, made_on_cpu, squeezed,
        needs_contiguous, other_names, long_rows_cut,
    )
}  # fmt: skip


NEEDS_INPUT = ("changes_input", "remembers_by_shape")
NEEDS_REAL_RESULT = ("float32_result", "no_gradient")


def can_show(name: str, calls: Sequence[tuple[Call, Outcome]]) -> bool:
    """Whether the slip could show in calls of this kind: some need a tensor that is passed in, or a real result.

    A tensor of one dimension can always be viewed as one.
    """
    if name in NEEDS_INPUT:
        return any(call.tensors for call, _ in calls)
    if name == "needs_contiguous":
        return any(t.dim() > 1 for call, _ in calls for t in call.tensors)
    if name in NEEDS_REAL_RESULT:
        return any(t.is_floating_point() for _, outcome in calls for t in trees.tensors(outcome.value))
    return True


def around(name: str, function: Function) -> Function:
    """The function, or the class with its `forward`, with this slip."""
    if not isinstance(function, type):
        return READY[name](function)
    if not issubclass(function, torch.nn.Module):
        return function
    return type(function.__name__, (function,), {"forward": READY[name](function.forward)})


def _tensors(change: Callable[[torch.Tensor], torch.Tensor], value: Any, kinds: tuple[str, ...] = ("float",)) -> Any:
    """The value with its tensors changed; whole numbers and booleans only where `kinds` is empty."""

    def changed(leaf: Any) -> Any:
        return change(leaf) if isinstance(leaf, torch.Tensor) and (not kinds or leaf.is_floating_point()) else leaf

    return trees.mapped(changed, value)
