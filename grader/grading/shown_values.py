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
from grader.sandbox.processes import ShownValue
from grader.sandbox.worker import wire
from grader.suites import Compared, ExpectedCall, excerpts, result_form, within, wording
from grader.texts import Text, one_line, plain
from grader.trees import leaves

MOST_MATRICES = 4  # of one value
MOST_RESULTS = 16
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
        yield _alone(name, leaf, "other") if wanted is ABSENT else _result(name, leaf, wanted, exact, most)


def _result(name: Text, leaf: Any, wanted: Any, exact: Any, most: Any) -> ShownValue:
    actual, expected, alike = _numbers(leaf), _numbers(exact), _kind(leaf) == _kind(wanted)
    if actual is None and expected is None and alike:
        return _alone(name, leaf, "right")
    if actual is None or expected is None or actual.shape != expected.shape:
        return msgspec.structs.replace(_alone(name, leaf, "wrong"), expected=_alone(name, wanted, "unknown"))
    expected = arrays.exact(expected)
    right = np.asarray(within(arrays.exact(actual), expected, most))
    pictures = excerpts(Compared(name, actual, expected, right), MOST_MATRICES)
    state: State = "right" if right.all() and alike else "wrong"
    return ShownValue(name, state, actual.shape, _kind(leaf), pictures, None if alike else _alone(name, wanted, state))


def _alone(name: Text, value: Any, state: State) -> ShownValue:
    numbers = _numbers(value)
    if numbers is None:
        return ShownValue(name, state, tuple(value.shape) if arrays.is_array(value) else (), _kind(value))
    right = np.ones(numbers.shape, bool)
    pictures = excerpts(Compared(name, numbers, arrays.exact(numbers), right), MOST_MATRICES)
    return ShownValue(name, state, numbers.shape, _kind(value), pictures)


def _numbers(value: Any) -> Numpy | None:
    """A number or an array with its values known, as an array."""
    if arrays.is_array(value):
        return None if arrays.device(value) == "meta" else arrays.shown(value)
    if isinstance(value, bool | int | float | complex) and not (type(value) is int and abs(value) > LARGEST):
        return np.asarray(value)
    return None


def _kind(value: Any) -> str:
    """The dtype of an array; of a number its type; of anything else what it is."""
    if arrays.is_array(value):
        return arrays.dtype_name(value)
    if isinstance(value, wire.Opaque) or (type(value) in (bool, int, float, complex) and _numbers(value) is not None):
        return one_line(wording.type_name(value), MOST_LETTERS)
    return "" if value is ABSENT else one_line(repr(value), MOST_LETTERS)
