"""Results in another form than the reference's that a course accepts: they are judged as if they had the expected form.

The one place for it: where a student's answer is decoded, before a probe, a law or a diagnosis sees it. What is not
accepted is left as it came.
"""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from grader import arrays, parts, pytree
from grader.arrays import Array, Numpy, Tensor, torch
from grader.closeness import within
from grader.course import ACCEPTED, cannot_accept
from grader.suites.reference import ExpectedCall, Reference
from grader.suites.result_form import MOST_BUILT
from grader.suites.target import Call, Outcome
from grader.texts import Text

LIST, NUMBER, SINGLE, DOUBLE, INTEGERS, EXTRA, MISSING = ACCEPTED
OTHER_DTYPES = {
    ("float32", "float64"): SINGLE, ("complex64", "complex128"): SINGLE,
    ("float64", "float32"): DOUBLE, ("complex128", "complex64"): DOUBLE,
}  # fmt: skip
NUMBERS = frozenset((int, float, complex))


@dataclasses.dataclass(frozen=True)
class Accepted:
    """Forms of results that are accepted from these functions or, if none is named, from all functions of the suite."""

    functions: tuple[str, ...]
    words: tuple[str, ...]


def accepts(*words: str, of: str | tuple[str, ...] = ()) -> Accepted:
    """A line of a suite, `ACCEPTS = accepts("list for array", "extra axis of length 1")`, accepts these forms.

    Results in these forms are judged as if they had the expected form, and the student is told. The line counts in
    place of what course.yaml accepts; with `of="f"` it is about one function, and counts for it in place of both.
    `accepts()` accepts nothing.

    Raises:
        ValueError: a text is none of those that docs/writing-an-exercise.md lists.
    """
    for said in filter(None, map(cannot_accept, words)):
        raise ValueError(f"accepts: {said}")
    return Accepted((of,) if isinstance(of, str) else tuple(of), words)


def told(calls: Iterable[tuple[Call, Outcome]]) -> tuple[Text, ...]:
    """Return what the student reads about accepted forms, once for each function and form."""
    found = dict.fromkeys((call.function, word) for call, outcome in calls for word in outcome.accepted)
    return tuple(ACCEPTED[word].format(function=function) for function, word in found)


def as_due(call: Call, outcome: Outcome, key: Reference | None) -> Outcome:
    """Return the outcome with its value in the expected form, as far as the function's results may have another one.

    Args:
        key: the expected form and those accepted in its place; None where nothing is judged.
    """
    words = key.accepted(call.function) if key and call.function in key.reference else ()
    if key is None or not words or outcome.raised:
        return outcome
    call_only = dataclasses.replace(call, gradients=False, watch=False, record="")
    due = call.replays.get(key) or call.replays.setdefault(key, ExpectedCall(call_only, key).outcome)
    if due.raised:
        return outcome
    fitted = functools.partial(Fitting, key, frozenset(words))
    together = not call.turns or call.made or not isinstance(outcome.value, tuple | list)
    if together or len(outcome.value) != len(call.args):
        return fitted(call_only, due, outcome).outcome()
    turns = [dataclasses.replace(call_only, args=args, turns=False) for args in call.args]
    each = [fitted(*of).outcome() for of in zip(turns, _each(due), _each(outcome), strict=True)]
    return dataclasses.replace(
        outcome, value=type(outcome.value)(one.value for one in each),
        devices=tuple(device for one in each for device in one.devices),
        accepted=tuple(dict.fromkeys(word for one in each for word in one.accepted)),
    )  # fmt: skip


def _each(outcome: Outcome) -> Iterator[Outcome]:
    """Return the outcome of each of several calls."""
    left = iter(outcome.devices)
    for value in outcome.value:
        yield Outcome(value, tuple(next(left) for _ in pytree.arrays_of(value)))


class Fitting:
    """Bring the result of one call, or of an object's calls in a row, into the expected form."""

    def __init__(self, key: Reference, words: frozenset[str], call: Call, due: Outcome, came: Outcome) -> None:
        self._known, self._due, self._came, self._words = ExpectedCall(call, key), due, came, words
        bounded = call.turns and call.function in key.bounds  # a bound is of one call
        self._rounds = SINGLE in words and not (call.contract or bounded)
        pairs = [pair for o in (came, due) for pair in zip(pytree.arrays_of(o.value), o.devices, strict=True)]
        self._placed = {id(array): (array, device) for array, device in pairs}
        self._accepted: dict[str, None] = {}

    def outcome(self) -> Outcome:
        """Return the outcome in the expected form, with the words for what was accepted."""
        value = self._tree(self._came.value, self._due.value, 0)
        if not self._accepted:
            return self._came
        devices = tuple(map(self._device, pytree.arrays_of(value)))
        return dataclasses.replace(self._came, value=value, devices=devices, accepted=tuple(self._accepted))

    def _device(self, array: Array) -> str:
        return self._placed.get(id(array), (array, "cpu"))[1]

    def _tree(self, value: Any, due: Any, at: int) -> Any:
        """Fit a part of the result to the expected one; `at` is the number of its first leaf."""
        if isinstance(due, tuple | list):
            if not isinstance(value, tuple | list) or len(value) != len(due):
                return value
            return type(value)(self._tree(v, *place) for v, place in zip(value, _places(due, at), strict=True))
        if isinstance(due, dict):
            places = dict(zip(due, _places(due.values(), at), strict=True))
            fits = isinstance(value, dict) and set(value) == set(due)
            return {k: self._tree(v, *places[k]) for k, v in value.items()} if fits else value
        if parts.KINDS and parts.kind(due):
            return value
        found, words = formed(value, due, self._words)
        if words:
            self._note(found, value, due, words)
        return self._rounded(found, due, at) if self._rounds else found

    def _note(self, found: Any, value: Any, due: Any, words: Iterable[str]) -> None:
        """Note the device of a part: that of its arrays, or the one expected if it holds numbers."""
        self._accepted.update(dict.fromkeys(words))
        if arrays.is_array(found):
            wanted = self._device(due) if arrays.is_array(due) else "cpu"
            places = [self._device(array) for array in pytree.arrays_of(value)]
            self._placed[id(found)] = found, next((place for place in places if place != wanted), wanted)

    def _rounded(self, value: Any, due: Any, at: int) -> Any:
        """Return float64 numbers in place of those of float32 that are right up to its rounding.

        A number crosses without its dtype: any that float32 has, too, may be one of those.
        """
        precise = arrays.dtype_name(due) in ("float64", "complex128") if arrays.is_array(due) else type(due) is float
        pair = [(t.dtype, tuple(t.shape)) if arrays.is_array(t) else type(t) for t in (value, due)]
        if not precise or pair[0] != pair[1] or not _is_single(came := arrays.exact(value)):
            return value
        known, exact = self._known, self._known.exact[at]
        place = sum(isinstance(leaf, np.ndarray) for leaf in known.exact[:at])
        most = known.allowed_in_float32[place]
        near = within(came, exact, most, known.call.nan) & np.isfinite(most)
        if not (near & ~within(came, exact, known.allowed[place], known.call.nan)).any():
            return value
        values = np.where(near, exact, came)
        found: Any = torch.from_numpy(values) if isinstance(value, Tensor) else values
        found = found if arrays.is_array(value) else float(values)
        self._note(found, value, due, (SINGLE,))
        return found


@np.errstate(all="ignore")
def _is_single(values: Numpy) -> bool:
    """Return whether float32 can represent all of these numbers."""
    return np.array_equal(values, values.astype(np.complex64), equal_nan=True)


def _places(due: Iterable[Any], at: int) -> Iterator[tuple[Any, int]]:
    """Yield each part of the expected result, with the number of its first leaf."""
    for part in due:
        yield part, at
        at += len(pytree.leaves(part))


def formed(value: Any, due: Any, words: frozenset[str]) -> tuple[Any, list[str]]:
    """Bring a result for an array or number nearer to the expected form; return it and the words for that."""
    if not arrays.is_array(due):
        return (value, []) if EXTRA not in words else _without_axes(value, due)
    found, said = value, list[str]()
    stray_comma = isinstance(value, tuple) and len(value) == 1 and arrays.is_array(value[0])
    if LIST in words and isinstance(value, tuple | list) and not stray_comma:
        found, said = stacked(value, due), [LIST]
    elif NUMBER in words and type(value) in (bool, *NUMBERS) and arrays.size(due) == 1:
        found, said = of_numbers([value], due.shape, due), [NUMBER]
    if not arrays.is_array(found) or isinstance(found, Tensor) != isinstance(due, Tensor):
        return value, []
    word = EXTRA if found.ndim > due.ndim else MISSING
    longer, shorter = sorted([tuple(found.shape), tuple(due.shape)], key=len, reverse=True)
    if word in words and len(longer) > len(shorter) and _but_for_ones(longer, shorter):
        found, said = arrays.detached(found).reshape(due.shape), [*said, word]
    names = arrays.dtype_name(found), arrays.dtype_name(due)
    whole = names[0].startswith(("int", "uint")) and arrays.is_real(due)
    word = INTEGERS if whole else OTHER_DTYPES.get(names, "")
    if word in words and arrays.size(found) <= _most(due):
        found, said = _cast(found, due), [*said, word]
    return found, said


def _without_axes(value: Any, due: Any) -> tuple[Any, list[str]]:
    """Return a value in the place of a number: an array of one entry has axes that were not asked for."""
    plain = type(due) in (bool, *NUMBERS) and arrays.is_array(value) and arrays.holds_numbers(value)
    if not plain or arrays.size(value) != 1 or not value.shape or arrays.device(value) == "meta":
        return value, []
    return value.reshape(()).item(), [EXTRA]


def _but_for_ones(longer: Sequence[int], shorter: Sequence[int]) -> bool:
    """Return whether one shape is the other with axes of length 1 inserted."""
    at = 0
    for n in longer:
        same = at < len(shorter) and n == shorter[at]
        if not same and n != 1:
            return False
        at += same
    return at == len(shorter)


def stacked(value: Sequence[Any], due: Array) -> Array | None:
    """Return the array that nested lists of numbers, or of arrays of one shape and dtype, stand for, or None."""
    nest = _nest(value)
    if nest is None:
        return None
    shape, flat = nest
    if not any(map(arrays.is_array, flat)):
        return of_numbers(flat, shape, due)
    first = flat[0]
    alike = {(type(t), t.dtype, tuple(t.shape)) if arrays.is_array(t) else None for t in flat}
    if len(alike) > 1 or len(flat) * arrays.size(first) > _most(due):
        return None
    shape = (*shape, *first.shape)
    if isinstance(first, Tensor):
        return torch.stack([t.detach() for t in flat]).reshape(shape)
    return np.stack(flat).reshape(shape)


def _nest(value: Any) -> tuple[tuple[int, ...], list[Any]] | None:
    """Return the shape of nested lists and their entries; None if the lengths differ."""
    if not isinstance(value, tuple | list):
        return (), [value]
    inside = [_nest(item) for item in value]
    found = [nest for nest in inside if nest]
    shapes = {shape for shape, _ in found}
    if len(found) < len(inside) or len(shapes) > 1:
        return None
    return (len(value), *next(iter(shapes), ())), [leaf for _, flat in found for leaf in flat]


def of_numbers(flat: Sequence[Any], shape: Sequence[int], due: Array) -> Array | None:
    """Python's numbers, or texts, as an array: in the dtype that is due, where each is such a number; None if others.

    As with bare numbers, 2.0 is as good as 2 and the other way round, and a truth value is no number.
    """
    kinds = {type(n) for n in flat}
    if not (kinds <= NUMBERS or kinds <= {bool} or (kinds == {str} and not arrays.holds_numbers(due))):
        return None
    plain = np.array(flat).reshape(tuple(shape))
    found: Array = torch.from_numpy(plain) if isinstance(due, Tensor) else plain
    name = arrays.dtype_name(due)
    if not arrays.holds_numbers(due) or (plain.dtype.kind == "c" and name not in arrays.REAL):
        return found
    cast, truth = _cast(found, due), kinds == {bool}
    floats = arrays.is_real(due) or name in arrays.REAL
    fits = truth == (name == "bool") and (floats or np.array_equal(arrays.exact(cast), arrays.exact(found)))
    return cast if fits or not flat else found


@np.errstate(all="ignore")
def _cast(array: Array, due: Array) -> Array:
    """Return the value in the expected dtype."""
    dtype: Any = due.dtype
    found: Array = array.detach().to(dtype) if isinstance(array, Tensor) else array.astype(dtype)
    return found


def _most(due: Array) -> int:
    """Bound the entries that are made of a student's result: a few bytes can stand for many."""
    return max(math.prod(due.shape), MOST_BUILT)
