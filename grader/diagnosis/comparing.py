"""Whether two answers to one call agree but for rounding, promise by promise: value, gradient, inputs, device."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any, Literal

import torch

from grader.suites import Call, Outcome

Promise = Literal["value", "gradient", "input", "device", "refusal"]
PROMISES: tuple[Promise, ...] = ("value", "gradient", "input", "device", "refusal")

LOOSE = {torch.float16: 2e-2, torch.bfloat16: 6e-2}
CLOSE = 2e-4  # float32's reach, in units of the largest entry: a float64 call may have been computed in float32
# Of the largest gradient of a call: where a gradient is 0 by mathematics, what is left of it is rounding.
NO_GRADIENT = 1e-3
WORDED = 60  # characters of an exception's message
Same = Callable[[torch.Tensor, torch.Tensor], bool]


def tested(call: Call, due: Outcome) -> tuple[Promise, ...]:
    """Which promises a call puts to the test."""
    if due.raised:
        return ("refusal",)
    if call.contract:
        return ("device",)
    return ("value", *(("gradient",) if call.gradients else ()), *(("input",) if call.watch else ()))


def agree(promise: Promise, call: Call, one: Outcome, other: Outcome, same: Same | None = None) -> bool:
    """Whether two answers keep or break this promise alike; `same` compares tensors, `equal` unless told otherwise."""
    same = same or equal
    if promise == "refusal":
        return _refuses(one) == _refuses(other) and (_refuses(one) or _alike(one, other, same))
    if one.raised or other.raised:
        # Where only a gradient was asked for, it is the backward pass that may have failed.
        return (promise == "value" and call.gradients) or _raised_alike(one, other)
    if promise == "gradient":
        ours, theirs = gradients(one), gradients(other)
        largest = max(map(_largest, (*ours, *theirs)), default=0.0)
        return all(_gradients_alike(a, b, largest) for a, b in itertools.zip_longest(ours, theirs))
    if promise == "input":
        return one.changed == other.changed
    return one.devices == other.devices and _close(one.value, other.value, same)


def gradients(outcome: Outcome) -> list[torch.Tensor | None]:
    """Those that one can compute with; what else a worker claims for one counts as missing."""
    return [
        g if g is not None and g.dtype.is_floating_point and not g.is_meta else None for g in outcome.gradients or ()
    ]


def _refuses(outcome: Outcome) -> bool:
    return outcome.raised is not None and "ValueError" in outcome.raised.types


def _alike(one: Outcome, other: Outcome, same: Same) -> bool:
    return _raised_alike(one, other) if one.raised or other.raised else _close(one.value, other.value, same)


def _raised_alike(one: Outcome, other: Outcome) -> bool:
    """Whether both raise the same kind of exception; that torch words it otherwise for other sizes is no difference.

    ValueError is what functions refuse with, in words of their own.
    """
    if one.raised is None or other.raised is None or one.raised.types[0] != other.raised.types[0]:
        return False
    if one.raised.types[0] == "ValueError":
        return True
    return one.raised.message[:WORDED].split(":")[0] == other.raised.message[:WORDED].split(":")[0]


def _gradients_alike(one: torch.Tensor | None, other: torch.Tensor | None, largest: float) -> bool:
    """Whether two gradients agree, NaN and infinities in the same places; one that is missing is one of zeros."""
    if one is None or other is None:
        left = one if other is None else other
        return left is None or _largest(left) <= NO_GRADIENT * largest
    if one.shape != other.shape:
        return False
    a, b = one.detach().double(), other.detach().double()
    finite = b.isfinite()
    return torch.equal(a.isfinite(), finite) and _within(
        a[finite], b[finite], _reach(one, other), NO_GRADIENT * largest
    )


def _largest(tensor: torch.Tensor | None) -> float:
    if tensor is None or not tensor.numel():
        return 0.0
    finite = tensor.detach().double().nan_to_num(0.0, 0.0, 0.0)
    return float(finite.abs().max())


def _reach(one: torch.Tensor, other: torch.Tensor) -> float:
    return max(LOOSE.get(t.dtype, CLOSE) for t in (one, other))


def _close(one: Any, other: Any, same: Same) -> bool:
    if isinstance(one, tuple | list) and isinstance(other, tuple | list):
        return len(one) == len(other) and all(_close(a, b, same) for a, b in zip(one, other, strict=True))
    if isinstance(one, dict) and isinstance(other, dict):
        return set(one) == set(other) and all(_close(one[key], other[key], same) for key in one)
    if isinstance(one, torch.Tensor) and isinstance(other, torch.Tensor):
        return same(one, other)
    if isinstance(one, float) and isinstance(other, float):
        return same(torch.tensor(one, dtype=torch.float64), torch.tensor(other, dtype=torch.float64))
    return type(one) is type(other) and bool(one == other)


def equal(one: torch.Tensor, other: torch.Tensor) -> bool:
    """The same dtype, shape, device and, but for rounding, entries; NaN and infinities in the same places."""
    return one.dtype == other.dtype and equal_but_for_dtype(one, other)


def equal_but_for_dtype(one: torch.Tensor, other: torch.Tensor) -> bool:
    """As `equal`, where one of them may have been returned in another dtype."""
    if one.shape != other.shape or one.device != other.device:
        return False
    if one.device.type == "meta":
        return True
    if not (one.dtype.is_floating_point and other.dtype.is_floating_point):
        return one.dtype == other.dtype and torch.equal(one, other)
    a, b = one.detach().double(), other.detach().double()
    if torch.equal(a, b):
        return True
    finite = b.isfinite()
    return torch.equal(a.isfinite(), finite) and _within(a[finite], b[finite], _reach(one, other))


def equal_where_finite(one: torch.Tensor, other: torch.Tensor) -> bool:
    """As `equal`, in the entries that are finite in both, of which there must be some."""
    if one.dtype != other.dtype or one.shape != other.shape or one.device != other.device or one.is_meta:
        return False
    if not one.dtype.is_floating_point:
        return torch.equal(one, other)
    a, b = one.detach().double(), other.detach().double()
    both = a.isfinite() & b.isfinite()
    return bool(both.any()) and _within(a[both], b[both], _reach(one, other))


def _within(one: torch.Tensor, other: torch.Tensor, reach: float, floor: float = 0.0) -> bool:
    """Whether the entries differ by no more than rounding, measured by the largest of them."""
    if not one.numel():
        return True
    most, off = float(other.abs().max()), float((one - other).abs().max())
    return math.isfinite(off) and off <= reach * max(most, floor, 1e-6)
