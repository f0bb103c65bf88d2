"""Finds what tests leave open: they run again with wrong results, then with changed inputs.

A test that passes with other results than the solution's, such as one of a law, asks for less than a comparison does.
"""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pytest
from _pytest.runner import runtestprotocol

from grader import arrays, pytree
from grader.arrays import Tensor
from grader.authoring.literals import Unwritable
from grader.authoring.recorded import Test
from grader.authoring.recorded_calls import CallNotes, crossed
from grader.errors import BadValue
from grader.suites import alike

Change = Callable[[list[Callable[[], object]], Any, Sequence[Any]], tuple[Any, bool]]
"""Takes what puts everything back, the result of a call and its arguments; returns another result, and True if that
or an argument differs now."""


def _of_numbers(other: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return a function that replaces the numbers in a value by others; True becomes False."""

    def turned(leaf: Any) -> Any:
        if isinstance(leaf, bool):
            return not leaf
        if isinstance(leaf, int | float) or (arrays.is_array(leaf) and arrays.holds_numbers(leaf)):
            return leaf == 0 if str(getattr(leaf, "dtype", "")).endswith("bool") else other(leaf)
        return leaf

    return lambda value: pytree.mapped(turned, value)


def _reversed(value: Any) -> Any:
    if isinstance(value, Tensor):
        return value.flip(0)
    return value[::-1] if isinstance(value, list | tuple | np.ndarray) else value


OTHERS: Mapping[str, Callable[[Any], Any]] = {
    "with the other sign": _of_numbers(lambda n: -n),
    "twice as large": _of_numbers(lambda n: n * 2),
    "in reverse order": _reversed,
}


def found(
    items: Sequence[pytest.Item], tests: Mapping[str, Test], notebook: CallNotes, begin: Callable[[str], object]
) -> Iterator[None]:
    """Run the tests that become checks again, and record in each what it leaves open; each time it may be kept."""
    own = [(tests[notebook.key(item)], item) for item in items if isinstance(item, pytest.Function)]
    own = [(test, i) for test, i in own if test.asked and not test.why and not hasattr(i.obj, "hypothesis")]
    for said, turned in OTHERS.items():
        passed = dict[str, bool]()
        undoubted = [item for test, item in own if not test.doubt]
        for item, right, differed in _runs(undoubted, notebook, begin, functools.partial(_turn, turned)):
            if differed:
                passed[notebook.key(item)] = right and passed.get(notebook.key(item), True)
        for key in (key for key, right in passed.items() if right):
            tests[key].doubt = said
        yield
    for item, right, differed in _runs([item for _, item in own], notebook, begin, _spoil):
        tests[notebook.key(item)].minds |= differed and not right
    yield


def _runs(
    items: Sequence[pytest.Item], notebook: CallNotes, begin: Callable[[str], object], change: Change
) -> Iterator[tuple[pytest.Item, bool, bool]]:
    """Yield each test, True if it passes with this change after each call, and True if that made a difference."""
    for item, following in zip(items, [*items[1:], None], strict=False):
        begin(item.nodeid)
        undo: list[Callable[[], object]] = []
        notebook.test, notebook.change, notebook.differed = item.nodeid, functools.partial(change, undo), False
        reports = runtestprotocol(item, log=False, nextitem=following)
        notebook.test, notebook.change = "", None
        while undo:
            undo.pop()()  # the last change first
        yield item, not any(report.failed for report in reports), notebook.differed


def _turn(
    turned: Callable[[Any], Any], _undo: list[Callable[[], object]], result: Any, _given: Sequence[Any]
) -> tuple[Any, bool]:
    """Return something else than a call's result, and True if it differs."""
    try:
        other = turned(result)
        return other, not alike(crossed(other), crossed(result))
    except (Unwritable, BadValue, TypeError, ValueError):
        return result, False


def _spoil(undo: list[Callable[[], object]], result: Any, given: Sequence[Any]) -> tuple[Any, bool]:
    """Change the lists, dicts and arrays that a call was given, until `undo`; True if there are any."""
    for value in given:
        if isinstance(value, list):
            value.append(None)
            undo.append(value.pop)
        elif isinstance(value, dict) or hasattr(value, "columns"):
            value["?"] = 0
            undo.append(functools.partial(value.pop, "?"))
        elif arrays.is_array(value) and arrays.holds_numbers(value):
            held: Any = value.detach() if isinstance(value, Tensor) else value
            before = copy.deepcopy(held)
            if isinstance(held, Tensor) or held.flags.writeable:
                held[...] = held == 0 if arrays.dtype_name(held) == "bool" else held + 1
                undo.append(functools.partial(held.__setitem__, ..., before))
    return result, bool(undo)
