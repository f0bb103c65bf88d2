"""Values that a student's code computes, as pictures, the expected ones beside."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any, Literal

import msgspec
import numpy as np

from grader import arrays
from grader.arrays import Numpy
from grader.diagnosis import SAME, Beside
from grader.report import Picture
from grader.sandbox.processes import ShownValue
from grader.sandbox.worker import wire
from grader.suites import Compared, ExpectedCall, excerpts, result_form, within, wording
from grader.texts import Text, one_line, plain
from grader.trees import leaves

MOST_MATRICES = 4  # of one value
MOST_RESULTS = 32
LARGEST = 1 << 53  # a whole number that float64 still has exactly
MOST_LETTERS = 80
ABSENT = object()
State = Literal["right", "wrong", "other", "unknown"]


def of_step(found: Beside) -> ShownValue:
    """The value of a step, beside the one of the solution's step that it stands for."""
    name, value = plain(found.step.operation), found.step.value
    if found.expected is None or (actual := _numbers(value)) is None:
        return _alone(name, value, found.state)
    expected, right = arrays.exact(found.expected), np.ones(actual.shape, bool)
    if found.state == "wrong":
        most = SAME * np.abs(expected[np.isfinite(expected)]).max(initial=1e-6)
        right = np.isclose(arrays.exact(actual), expected, rtol=0.0, atol=most, equal_nan=True)
    pictures = excerpts(Compared(name, actual, expected, right), MOST_MATRICES)
    return ShownValue(name, found.state, actual.shape, _kind(value), pictures)


def inputs(known: ExpectedCall) -> Iterator[ShownValue]:
    """The arrays that a call is given, with their names."""
    for name, array in known.inputs()[:MOST_RESULTS]:
        yield _alone(plain(name), array, "unknown")


def results(value: Any, known: ExpectedCall) -> Iterator[ShownValue]:
    """What a call gives, part by part, beside what is expected."""
    if known.outcome.raised:
        for number, leaf in enumerate(leaves(value)[:MOST_RESULTS]):
            yield _alone(result_form.part_of(value, number), leaf, "unknown")
        return
    due, allowed = known.outcome.value, iter(known.allowed)
    value = result_form.numbers_like(value, due)
    found = itertools.zip_longest(leaves(value), leaves(due), known.exact, fillvalue=ABSENT)
    for number, (leaf, wanted, exact) in enumerate(itertools.islice(found, MOST_RESULTS)):
        name = result_form.part_of(value if wanted is ABSENT else due, number)
        most = next(allowed) if isinstance(exact, np.ndarray) else 0.0
        beside = wanted, exact, most, known.call.nan
        yield _alone(name, leaf, "other") if wanted is ABSENT else _result(name, leaf, *beside)


def _result(name: Text, leaf: Any, wanted: Any, exact: Any, most: Any, nan: bool) -> ShownValue:
    actual, expected, alike = _numbers(leaf), _numbers(exact), _form(leaf) == _form(wanted)
    state: State = "wrong"
    pictures = tuple[Picture, ...]()
    if actual is not None and expected is not None and actual.shape == expected.shape:
        expected = arrays.exact(expected)
        right = np.asarray(within(arrays.exact(actual), expected, most, nan))
        state = "right" if right.all() and alike else state
        pictures = _pictures(leaf, Compared(name, actual, expected, right))
    elif actual is None and expected is None and alike and _kind(leaf) == _kind(wanted):
        state = "right"
    if state == "right" or (alike and pictures):
        return ShownValue(name, state, _shape(leaf), _kind(leaf), pictures)
    return msgspec.structs.replace(_alone(name, leaf, state), expected=_alone(name, wanted, "unknown"))


def _alone(name: Text, value: Any, state: State) -> ShownValue:
    numbers, pictures = _numbers(value), tuple[Picture, ...]()
    if numbers is not None:
        right = np.ones(numbers.shape, bool)
        pictures = _pictures(value, Compared(name, numbers, arrays.exact(numbers), right))
    return ShownValue(name, state, _shape(value), _kind(value), pictures)


def _pictures(value: Any, compared: Compared) -> tuple[Picture, ...]:
    """Those of an array; a bare number is said."""
    return excerpts(compared, MOST_MATRICES) if arrays.is_array(value) else ()


def _numbers(value: Any) -> Numpy | None:
    """A number or an array with its values known, as an array."""
    if arrays.is_array(value):
        return None if arrays.device(value) == "meta" else arrays.shown(value)
    if isinstance(value, bool | int | float | complex) and not (type(value) is int and abs(value) > LARGEST):
        return np.asarray(value)
    return None


def _shape(value: Any) -> tuple[int, ...]:
    return tuple(value.shape) if arrays.is_array(value) else ()


def _form(value: Any) -> Any:
    """The dtype and shape of an array, the type of anything else."""
    return (arrays.dtype_name(value), _shape(value)) if arrays.is_array(value) else type(value)


def _kind(value: Any) -> str:
    """The dtype of an array; anything else as it is written."""
    if arrays.is_array(value):
        return arrays.dtype_name(value)
    if isinstance(value, wire.Opaque):
        return one_line(wording.type_name(value), MOST_LETTERS)
    return "" if value is ABSENT else one_line(repr(value), MOST_LETTERS)
