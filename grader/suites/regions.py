"""Regions of inputs: what a suite's checks of values try beyond the examples of a law, for the laws to try as well.

A right solution that is made wrong where there is one head, one query, or as many keys as queries is found by the
checks of values, whose calls reach these regions. The same slip may be in a promise beside the values: an input that
is changed, a gradient that is lost. So laws take some of those calls, those that lie in the most regions.
"""

from __future__ import annotations

import functools
import inspect
import itertools
from collections.abc import Callable, Hashable, Iterator, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from grader import arrays
from grader.suites.api import Make, MakeNumpy
from grader.suites.probes import MatchesReference, Probe
from grader.suites.reference import ExpectedCall, Reference
from grader.suites.script import Script
from grader.suites.target import Call

Check = Callable[..., object]
Region = tuple[Any, ...]
Reached = tuple[Call, set[Hashable]]
MOST_CALLS = 40
"""So many calls of each function are taken at most, unless fewer are asked for."""
SMALL = 4
"""Numbers below this are told apart."""
LATER = ("[1]", "[2]", "[3]")
"""The ends of the names of entries of lists that are mostly like the first one."""
MOST_ENTRIES = 2000
"""The arrays of such a call hold so many entries at most."""
ENTRIES_BEYOND = (16.0, 1000.0, np.finfo(np.float64).max)
"""Where the largest entry of an array lies beyond one of these, the call lies in a region of its own."""
SAME_SEED = 1
"""The seed of calls that are the same in every run."""


def beyond(reached: Sequence[Reached], key: Reference, asked: Sequence[Call], most: int, finite: bool) -> list[Call]:
    """Return `most` calls of each function in regions where none of those that were asked lies.

    reached: the calls to choose from. finite: only those with finite entries that are not all 0.
    """
    left = [(call, its) for call, its in reached if not finite or is_finite(call)]
    before = [(call, regions(ExpectedCall(call, key))) for call in asked]
    chosen: list[Call] = []
    for function in dict.fromkeys(map(_called, asked)):
        theirs, ours = ([reached for reached in some if _called(reached[0]) == function] for some in (left, before))
        chosen += _chosen(theirs, ours, most)
    return chosen


@functools.lru_cache(2)
def of_checks(checks: tuple[Check, ...], key: Reference, device: str, kind: str, dtype: Any) -> list[Reached]:
    """Return the plain calls of the checks with the regions that they lie in, for all laws of a dtype.

    Their inputs are drawn by a name of their own, so that no law depends on which was rehearsed before, and are the
    same in every run: which calls a law takes depends on their entries, and no verdict is to depend on the seed.
    """
    found, script = Collected(key), Script(key)
    make = (Make if kind == "torch" else MakeNumpy)(SAME_SEED, "regions", dtype)
    given = {"make": make, "dtype": dtype, "reference": SimpleNamespace(**key.reference)}
    probe = MatchesReference(script, script, device).counted_by(found)
    for check in checks:
        names = inspect.signature(check).parameters
        check(**{name: given.get(name, probe) for name in names})
    return [(known.call, regions(known)) for known in found.calls if _is_plain(known.call)]


def is_finite(call: Call) -> bool:
    """Return whether all entries are finite, and some of each array are not zero."""
    real = [arrays.exact(t) for t in call.arrays if arrays.is_real(t) and arrays.size(t)]
    return all(np.isfinite(t).all() and t.any() for t in real)


class Collected:
    """The calls of checks, none of which is made."""

    def __init__(self, key: Reference) -> None:
        self._key = key
        self.calls: list[ExpectedCall] = []
        self.failed: list[Any] = []

    def ask(self, probe: Probe, call: Call) -> Any:
        """Keep the call, and return the result that is due."""
        known = ExpectedCall(call, self._key)
        self.calls.append(known)
        return known.outcome.value


def _called(call: Call) -> tuple[str, str]:
    """Return the function, and the method of an object."""
    return call.function, call.made.method if call.made else ""


def _chosen(left: Sequence[Reached], asked: Sequence[Reached], most: int) -> list[Call]:
    """Return the calls that lie in the most new regions, one after another; before pairs only single ones count."""
    seen = {region for _, its in asked for region in its}
    found: list[Call] = []
    while len(found) < most:
        left = [(call, new) for call, its in left if (new := its - seen)]
        if not left:
            break
        best, seen = max(left, key=lambda pair: (sum(map(_is_single, pair[1])), len(pair[1])))
        found.append(best)
    return found


def _is_single(region: Hashable) -> bool:
    """Return whether this is no pair of regions, nor one of a later entry of a list."""
    name = region[0] if isinstance(region, tuple) else None
    return isinstance(name, str) and not name.endswith(LATER)


def _is_plain(call: Call) -> bool:
    """Return whether this is one call of a function whose arguments are data, small but not all of size 1.

    Where all sizes are 1, a call lies in many regions and shows little: softmax over one key has no gradient.
    """
    sizes = [arrays.size(t) for t in call.arrays]
    small = sum(sizes) <= MOST_ENTRIES and (not sizes or max(sizes) > 1)
    return small and not (call.turns or call.given or call.picks or call.nan)


def regions(known: ExpectedCall) -> set[Hashable]:
    """Return the regions that a call lies in: sizes of 1, equal sizes, options, large entries, and pairs of them.

    Of a list only the first entry is in pairs.
    """
    if known.call.turns:
        return set()
    made = known.call.made
    values = {**known.by_keyword(), **({f"made {n}": v for n, v in enumerate(made.args)} if made else {})}
    named = [pair for name, value in values.items() for pair in _leaves(name, value)]
    own: set[Region] = {(name, "none") for name in known.left_out()}
    own |= {region for name, value in named for region in (*_option(name, value), *_sizes(name, value))}
    equal = {region for one, other in itertools.combinations(named, 2) for region in _equal(one, other)}
    first = [region for region in own if not region[0].endswith(LATER)]
    both = itertools.product((region for region in equal if region[-1] in (0, "alike")), first)
    paired = (pair for pair in both if pair[1][0] in pair[0][:2])
    return {*own, *equal, *map(frozenset, itertools.combinations(first, 2)), *paired}


def _leaves(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    yield name, len(value) if isinstance(value, list | tuple) else value
    if isinstance(value, list | tuple):
        for number, leaf in enumerate(value[:4]):
            yield f"{name}[{number}]", leaf


def _option(name: str, value: Any) -> Iterator[Region]:
    """Yield what is given, where it is no array and no large number."""
    yield name, "none" if value is None else str(value) if isinstance(value, bool | str) else "given"
    if type(value) is int and abs(value) < SMALL:
        yield name, value


def _sizes(name: str, value: Any) -> Iterator[Region]:
    if arrays.is_array(value):
        yield name, "axes", value.ndim
        if not arrays.is_real(value):
            yield name, "dtype", str(value.dtype)
        if value.ndim > 1 and value.shape[-1] == value.shape[-2]:
            yield name, "square"
        yield from ((name, "axis", axis - value.ndim) for axis, n in enumerate(value.shape) if n == 1)
        if arrays.is_real(value) and arrays.size(value):
            largest = np.fmax.reduce(np.abs(arrays.exact(value)), axis=None)
            yield from ((name, "entries", most) for most in ENTRIES_BEYOND if largest > most)
    elif type(value) is int:
        yield name, "number", min(value, SMALL)


def _equal(one: tuple[str, Any], other: tuple[str, Any]) -> Iterator[Region]:
    (name, a), (beside, b) = one, other
    if type(a) is int and type(b) is int:
        yield name, beside, (a > b) - (a < b)
    elif arrays.is_array(a) and arrays.is_array(b) and min(a.ndim, b.ndim) > 1:
        yield name, beside, "alike" if a.shape == b.shape else "not alike"
        for axis in range(-min(a.ndim, b.ndim, 3), 0):
            n, m = a.shape[axis], b.shape[axis]
            yield name, beside, axis, (n > m) - (n < m)
