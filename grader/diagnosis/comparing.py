"""Compares two answers to one call up to rounding, promise by promise: value, gradient, inputs, device."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from grader import arrays, closeness, parts, pytree, tables
from grader.arrays import Array, Tensor, torch
from grader.closeness import NEARLY, NO_GRADIENT, NUMPY_FLOAT64, SHARE, SHARE_HALF, close
from grader.suites import Call, Outcome, excess, lenient

Promise = Literal["value", "gradient", "input", "device", "refusal"]

LOWEST = {name: -(2 - closeness.EPSILON[name]) * (2 / tiny) for name, tiny in closeness.TINY.items()}
WORDED = 72  # characters of an exception's message
Same = Callable[[Array, Array], bool]
Part = tuple[int, int]  # one of several results: its number, and how many there are
WHOLE: Part = (0, 1)
MOST_PARTS = 6  # a tuple of more is compared as a whole


def tested(call: Call, due: Outcome) -> tuple[Promise, ...]:
    """Return the promises that a call tests: none where the reference fails and refuses nothing."""
    if due.raised:
        return ("refusal",) if due.raised.refuses else ()
    if call.contract:
        return ("device",)
    return ("value", *(("gradient",) if call.gradients else ()), *(("input",) if call.watch else ()))


def parts_of(due: Outcome) -> list[Part]:
    """Return the parts of the result of a single call: one, unless it is a tuple (of tuples, maybe) of a few."""
    number = len(pytree.leaves(due.value)) if isinstance(due.value, tuple) else 1
    return [(n, number) for n in range(number)] if number <= MOST_PARTS else [WHOLE]


def agree(
    promise: Promise, call: Call, one: Outcome, other: Outcome, same: Same | None = None, part: Part = WHOLE
) -> bool:
    """Return True if two answers keep or break this promise alike; `same` compares tensors, by default `equal`.

    What is on the CPU, where it should not be, says so whatever its values are.
    part: of the values, the one that is compared; all of them if an answer has another number of results.
    """
    same = same or (of_one_form if promise == "device" and "cpu" in one.devices else equal)
    if promise == "refusal":
        raised = one.raised or other.raised
        alike = _raised_alike(one, other) if raised else _close(one.value, other.value, same)
        return _refuses(one) == _refuses(other) and (_refuses(one) or alike)
    if one.raised or other.raised:
        # Where only a gradient was asked for, it is the backward pass that may have failed.
        return (promise == "value" and call.gradients) or _raised_alike(one, other)
    if promise == "gradient":
        ours, theirs = gradients(one), gradients(other)
        largest = max(map(_largest, (*ours, *theirs)), default=0.0)
        return all(_gradients_alike(a, b, largest) for a, b in itertools.zip_longest(ours, theirs))
    if promise == "input":
        return one.changed == other.changed
    if promise == "value" and call.given and len({excess(call.given, o.evaluations) is None for o in (one, other)}) > 1:
        return False
    ours, theirs = (_without_choice(call, o.value) for o in (one, other))
    if lenient.SINGLE in (*one.accepted, *other.accepted):
        ours, theirs = (pytree.mapped(_in_float32, value) for value in (ours, theirs))
    return one.devices == other.devices and _close(_part(ours, *part), _part(theirs, *part), same)


def _part(value: Any, number: int, most: int) -> Any:
    """Return this one of so many results; the whole if it has not so many."""
    leaves = pytree.leaves(value) if most > 1 else []
    return leaves[number] if most == len(leaves) else value


def _without_choice(call: Call, value: Any) -> Any:
    """Replace the student's choices by zeros, so that only their form is compared."""
    if not call.free:
        return value
    each = max(len(pytree.leaves(value)) // (len(call.args) if call.turns else 1), 1)
    numbers = itertools.count()

    def without(leaf: Any) -> Any:
        if next(numbers) % each not in call.free or not arrays.is_array(leaf) or arrays.device(leaf) == "meta":
            return leaf
        return leaf.new_zeros(()).expand(leaf.shape) if isinstance(leaf, Tensor) else np.zeros_like(leaf)

    return pytree.mapped(without, value)


@np.errstate(all="ignore")
def _in_float32(leaf: Any) -> Any:
    """Convert a float64 number or array to float32, to compare it with numbers that came in float32."""
    if isinstance(leaf, Tensor):
        return leaf.float() if leaf.dtype == torch.float64 else leaf
    double = isinstance(leaf, float) or (isinstance(leaf, np.ndarray) and leaf.dtype == np.float64)
    return np.asarray(leaf, np.float32) if double else leaf


def gradients(outcome: Outcome) -> list[Tensor | None]:
    """Return the gradients; a worker's claim that cannot be computed with counts as a missing gradient."""
    return [g if g is not None and g.is_floating_point() and not g.is_meta else None for g in outcome.gradients or ()]


def _refuses(outcome: Outcome) -> bool:
    return outcome.raised is not None and outcome.raised.refuses


def _raised_alike(one: Outcome, other: Outcome) -> bool:
    """Return True if both raise the same kind of exception, up to torch's wording for other sizes.

    The order of mismatched sizes does not matter either: `a * b` and `b * a` name them the other way round. Refusals
    may have any words.
    """
    if one.raised is None or other.raised is None or one.raised.types[0] != other.raised.types[0]:
        return False
    if one.raised.refuses or other.raised.refuses:
        return one.raised.refuses and other.raised.refuses
    ours, theirs = (sorted(o.message[:WORDED].split(":")[0].split()) for o in (one.raised, other.raised))
    return ours == theirs


def _gradients_alike(one: Tensor | None, other: Tensor | None, largest: float) -> bool:
    """Return True if two gradients agree, with NaN and infinities in the same places; a missing one equals zeros."""
    if one is None or other is None:
        left = one if other is None else other
        return left is None or _largest(left) <= NO_GRADIENT * largest
    if one.shape != other.shape:
        return False
    return close(arrays.exact_again(one), arrays.exact_again(other), _reach(one, other), NO_GRADIENT * largest)


def without_gradient(outcome: Outcome) -> list[bool]:
    """Return for each gradient whether it is missing, or zero beside the others."""
    sizes = [_largest(g) for g in gradients(outcome)]
    return [size <= NO_GRADIENT * max(sizes) for size in sizes]


def _largest(tensor: Tensor | None) -> float:
    return 0.0 if tensor is None else closeness.largest(arrays.exact_again(tensor))


def _reach(one: Array, other: Array) -> float:
    return max(map(_reach_of, (one, other)))


def _reach_of(array: Array) -> float:
    bare = torch is not None and array.ndim == 0  # with torch a bare number is float32's
    of_numpy = isinstance(array, np.ndarray) and not bare
    name = arrays.dtype_name(array)
    return NUMPY_FLOAT64 if of_numpy and name in ("float64", "complex128") else SHARE_HALF.get(name, SHARE)


def _close(one: Any, other: Any, same: Same) -> bool:
    if isinstance(one, tuple | list) and isinstance(other, tuple | list):
        return len(one) == len(other) and all(_close(a, b, same) for a, b in zip(one, other, strict=True))
    if isinstance(one, dict) and isinstance(other, dict):
        return set(one) == set(other) and all(_close(one[key], other[key], same) for key in one)
    if parts.KINDS and (name := parts.kind(one)):
        alike = parts.kind(other) == name and tables.form(one) == tables.form(other)
        return alike and _close(pytree.leaves(one), pytree.leaves(other), same)
    if arrays.is_array(one) and arrays.is_array(other):
        return same(one, other)
    if isinstance(one, float | complex) and type(one) is type(other):
        return same(np.asarray(one), np.asarray(other))
    return type(one) is type(other) and bool(one == other)


def equal(one: Array, other: Array) -> bool:
    """Return True if dtype, shape and device are the same, and the entries (NaN and infinity too) up to rounding."""
    return one.dtype == other.dtype and equal_but_for_dtype(one, other)


def equal_but_for_dtype(one: Array, other: Array) -> bool:
    """Compare as `equal` does, but allow one of them another dtype."""
    if one.shape != other.shape or not _beside(one, other):
        return False
    if arrays.device(one) == "meta":
        return True
    a, b, rounds = arrays.exact_again(one), arrays.exact_again(other), (_rounds(one), _rounds(other))
    if not all(rounds):
        return (one.dtype == other.dtype or not any(rounds)) and np.array_equal(a, b)
    return close(a, b, _reach(one, other))


def near(one: Array, other: Array, least: float = 1.0) -> bool:
    """Return True if they differ so little that an added or omitted number may be the only mistake.

    The measure is the largest entry of `other`, or `least`.
    """
    comparable = of_one_form(one, other) and _rounds(one) and arrays.device(one) != "meta"
    return comparable and close(arrays.exact_again(one), arrays.exact_again(other), NEARLY, least)


def _beside(one: Array, other: Array) -> bool:
    """Return True if both are of one kind and on one device."""
    return isinstance(one, Tensor) == isinstance(other, Tensor) and arrays.device(one) == arrays.device(other)


def of_one_form(one: Array, other: Array) -> bool:
    """Return True if dtype, shape, kind and device are the same."""
    return one.dtype == other.dtype and one.shape == other.shape and _beside(one, other)


def _rounds(array: Array) -> bool:
    return arrays.is_real(array) or arrays.dtype_name(array) in arrays.REAL


def equal_where_finite(one: Array, other: Array, least: int = 1) -> bool:
    """Compare as `equal` does, except entries that are NaN in one of them; `least` must be finite in both.

    The lowest number of a dtype counts as -inf.
    """
    if not of_one_form(one, other) or arrays.device(one) == "meta":
        return False
    a, b = arrays.exact_again(one), arrays.exact_again(other)
    if not _rounds(one):
        return np.array_equal(a, b)
    if arrays.is_real(one):
        a, b = (np.where(t <= LOWEST[arrays.dtype_name(one)], -np.inf, t) for t in (a, b))
    both = np.isfinite(a) & np.isfinite(b)
    infinite = ~(both | np.isnan(a) | np.isnan(b))
    same = np.array_equal(a[infinite], b[infinite])
    return same and int(both.sum()) >= least and close(a[both], b[both], _reach(one, other))


def equal_if_finite(one: Array, other: Array) -> bool:
    """Compare as `equal_where_finite` does, but allow no finite entry: one NaN in the weights may leave none."""
    return equal_where_finite(one, other, 0)


def equal_but_for_nan(one: Array, other: Array) -> bool:
    """Return True if the entries that are NaN in neither are the same, without any rounding, and so any part of them.

    `equal_if_finite` then holds too, also after `where_finite`.
    """
    if not of_one_form(one, other) or arrays.device(one) == "meta":
        return False
    a, b = arrays.exact_again(one), arrays.exact_again(other)
    known = ~(np.isnan(a) | np.isnan(b))
    return np.array_equal(a[known], b[known])


def loses_as_much(one: Outcome, other: Outcome, due: Outcome) -> bool:
    """Return True if `one` is wrong, too, at some of the numbers that are NaN or infinite in `other`."""
    if one.raised or other.raised or due.raised:
        return True
    found = []
    for leaves in zip(*(pytree.leaves(o.value) for o in (one, other, due)), strict=False):
        if all(map(_has_values, leaves)) and len({tuple(leaf.shape) for leaf in leaves}) == 1:
            a, b, exact = map(arrays.exact_again, leaves)
            lost = np.isfinite(exact) & ~np.isfinite(b)
            if lost.any():
                found.append(not close(a[lost], exact[lost], _reach(leaves[0], leaves[2])))
    return any(found) or not found


def _has_values(leaf: Any) -> bool:
    return arrays.is_array(leaf) and arrays.is_real(leaf) and arrays.device(leaf) != "meta"


def where_finite(one: Any, other: Any) -> Any:
    """Return `one` with NaN wherever `other`, of the same form, is not finite."""
    if isinstance(one, tuple | list) and isinstance(other, tuple | list):
        return type(one)(where_finite(a, b) for a, b in zip(one, other, strict=True))
    if isinstance(one, dict) and isinstance(other, dict):
        return {key: where_finite(value, other[key]) for key, value in one.items()}
    if not (arrays.is_array(one) and arrays.is_array(other) and arrays.is_real(one)) or one.shape != other.shape:
        return one
    if isinstance(one, Tensor) and isinstance(other, Tensor):
        return one.masked_fill(~other.isfinite(), math.nan)
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return np.where(np.isfinite(arrays.exact_again(other)), one, one.dtype.type(math.nan))
    return one


def in_finite_entries(one: Outcome, other: Outcome) -> Outcome:
    """Return an answer where the other is finite; the rest of it is NaN."""
    return dataclasses.replace(one, value=where_finite(one.value, other.value))


def finite(value: Any) -> bool:
    """Return True if the value consists of finite numbers only."""
    return all(map(_finite_leaf, pytree.leaves(value)))


def tells(value: Any) -> bool:
    """Return True if a value holds numbers, most of them not NaN: one NaN, or one of a few words, is like another."""
    leaves = [leaf for leaf in pytree.leaves(value) if arrays.is_array(leaf) or type(leaf) in (int, float)]
    unknown = [np.isnan(arrays.exact_again(t)) for t in leaves if arrays.is_array(t) and arrays.device(t) != "meta"]
    return bool(leaves) and 2 * sum(int(u.sum()) for u in unknown) <= sum(u.size for u in unknown)


def _finite_leaf(leaf: Any) -> bool:
    if arrays.is_array(leaf):
        return arrays.device(leaf) != "meta" and bool(np.isfinite(arrays.exact_again(leaf)).all())
    return isinstance(leaf, int) or (isinstance(leaf, float) and math.isfinite(leaf))
