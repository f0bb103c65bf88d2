"""Finds what tests leave open: they run again with wrong results, then with changed inputs.

A test that passes with other results than the solution's, such as one of a law, asks for less than a comparison does.
"""

from __future__ import annotations

import copy
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
        for item, right, did in _runs([i for test, i in own if not test.doubt], notebook, begin, Turning(turned)):
            if did:
                passed[notebook.key(item)] = right and passed.get(notebook.key(item), True)
        for key in (key for key, right in passed.items() if right):
            tests[key].doubt = said
        yield
    for item, right, did in _runs([item for _, item in own], notebook, begin, Spoiling()):
        tests[notebook.key(item)].minds |= did and not right
    yield


def _runs(
    items: Sequence[pytest.Item], notebook: CallNotes, begin: Callable[[str], object], instead: Turning | Spoiling
) -> Iterator[tuple[pytest.Item, bool, bool]]:
    """Yield each test, True if it passes when calls are made in this other way, and True if that made a difference."""
    for item, following in zip(items, [*items[1:], None], strict=False):
        begin(item.nodeid)
        notebook.test, notebook.instead, instead.did = item.nodeid, instead, False
        reports = runtestprotocol(item, log=False, nextitem=following)
        notebook.test, notebook.instead = "", None
        instead.undo()
        yield item, not any(report.failed for report in reports), instead.did


class Turning:
    """Makes calls and returns something else than their results."""

    did = False

    def __init__(self, turned: Callable[[Any], Any]) -> None:
        self._turned = turned

    def __call__(self, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        result = function(*args, **kwargs)
        try:
            other = self._turned(result)
            self.did |= not alike(crossed(other), crossed(result))
        except (Unwritable, BadValue, TypeError, ValueError):
            return result
        return other

    def undo(self) -> None:
        """Do nothing: nothing is left behind."""


class Spoiling:
    """Makes calls and then changes the lists, dicts and arrays that they were given, until `undo`."""

    did = False

    def __init__(self) -> None:
        self._undo: list[Callable[[], object]] = []

    def __call__(self, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        result = function(*args, **kwargs)
        for value in (*args, *kwargs.values()):
            self._spoil(value)
        self.did |= bool(self._undo)
        return result

    def _spoil(self, value: Any) -> None:
        if isinstance(value, list):
            value.append(None)
            self._undo.append(value.pop)
        elif isinstance(value, dict) or hasattr(value, "columns"):
            value["?"] = 0
            self._undo.append(lambda: value.pop("?"))
        elif arrays.is_array(value) and arrays.holds_numbers(value):
            held: Any = value.detach() if isinstance(value, Tensor) else value
            before = copy.deepcopy(held)
            if isinstance(held, Tensor) or held.flags.writeable:
                held[...] = held == 0 if arrays.dtype_name(held) == "bool" else held + 1
                self._undo.append(lambda: held.__setitem__(..., before))

    def undo(self) -> None:
        """Put everything back, the last change first."""
        while self._undo:
            self._undo.pop()()
