"""Finds the condition under which calls come out wrong: a visible property that separates them from right ones."""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from grader import arrays
from grader.arrays import Array, Tensor, torch
from grader.diagnosis.comparing import Promise, tested
from grader.diagnosis.evidence import Evidence
from grader.diagnosis.replaying import Ask, Functions, passed, replay
from grader.suites import Call, NoAnswer, wording
from grader.texts import Text, joined, translated

RIGHT = 4  # calls, at least
TOLD = 2  # things that all wrong calls have and no right one
FEW = 2  # wrong calls, of which more things would say nothing
MOST = 48  # calls that are made once more
AXES_ASKED = (-1, -2, -3)  # whose lengths are compared
Rehearsed = Callable[[], Mapping[str, Sequence[Call]]]
"""All calls of each check, of which one that failed made some only."""
SAID: Mapping[Promise, Text] = {
    "value": translated("{right} of {calls} calls are right: all but those in which {condition}."),
    "gradient": translated("{right} of {calls} calls have the right gradients: all but those in which {condition}."),
    "input": translated("{right} of {calls} calls leave their inputs unchanged: all but those in which {condition}."),
}
BOTH = translated("{one}, and {other}")
DTYPE = translated("the inputs are {value}")
LONG = translated("a size is {value} or more (at most {other} in the right ones)", hint="a size is large")
SHORTEST = {0: translated("a size is 0"), 1: translated("a size is 1")}
PASSED = {True: translated("{name} is passed"), False: translated("{name} is left out")}
IS = translated("{name} is {value}", hint="{name} has one certain value")
AT_LEAST = translated("{name} is {value} or more (at most {other} in the right ones)", hint="{name} is large")
AT_MOST = translated("{name} is {value} or less (at least {other} in the right ones)", hint="{name} is small")
AXES = translated("{name} has {value} axes")
MORE_AXES = translated("{name} has {value} axes or more (at most {other} in the right ones)")
FEWER_AXES = translated("{name} has {value} axes or fewer (at least {other} in the right ones)")
IN_ORDER = {
    True: translated("{name} is contiguous in memory"),
    False: translated("{name} is not contiguous in memory"),
}
ALIKE = {
    True: translated("axis {axis} of {name} is as long as axis {axis2} of {name2}"),
    False: translated("axis {axis} of {name} is not as long as axis {axis2} of {name2}"),
}
ODD = {
    True: translated("axis {axis} of {name} has an odd length"),
    False: translated("axis {axis} of {name} has an even length"),
}
ALL_TRUE = {
    True: translated("every entry of {name} is True"),
    False: translated("some entries of {name} are False"),
}
FINITE = {
    True: translated("every entry of {name} is finite"),
    False: translated("{name} has entries that are infinite or NaN"),
}
LARGE = translated(
    "{name} has entries of {value} or beyond (at most {other} in the right ones)", hint="{name} has large entries"
)


class Seen(NamedTuple):
    """A visible property of a call, with sentences for wrong calls that all share, exceed or fall below its value."""

    value: Any
    names: Mapping[str, Any]
    same: Text | Mapping[Any, Text] | None = None
    more: Text | None = None
    fewer: Text | None = None


def told(
    evidence: Sequence[Evidence], functions: Functions, promises: Sequence[Promise], rehearsed: Rehearsed, ask: Ask
) -> Text | None:
    """Return the condition for the first promise and function that are broken in some calls only.

    If a check fails although none of its calls is wrong, calls give no evidence, and the result is None.
    """
    shown = {e.check for e in evidence if any(map(e.broken, e.promises))}
    if not shown.issuperset(e.check for e in evidence if e.failed):
        return None
    for promise in promises:
        for function in dict.fromkeys(e.call.function for e in evidence if e.broken(promise)):
            right, wrong = _parted(promise, function, evidence)
            if len(right) < RIGHT:
                continue
            more_right, more_wrong = _parted(promise, function, _asked(function, evidence, functions, rehearsed, ask))
            right, wrong = [*right, *more_right], [*wrong, *more_wrong]
            if wrong and (condition := _condition(wrong, right, functions)):  # not only wrong in a row
                return SAID[promise].format(calls=len(right) + len(wrong), right=len(right), condition=condition)
    return None


def _parted(promise: Promise, function: str, evidence: Sequence[Evidence]) -> tuple[list[Call], list[Call]]:
    """Return the single calls of a function that keep a promise, and those that break it.

    Of a call that asks for gradients and raises, nothing is known about the value: the backward pass may have failed.
    Of one that raises, nothing is known about what it would have changed, or where.
    """
    right, wrong = dict[int, Call](), dict[int, Call]()
    for e in evidence:
        ended = e.student.raised and (promise not in ("value", "gradient") or (promise == "value" and e.call.gradients))
        unknown = e.call.turns or ended
        if e.call.function == function and promise in e.promises and not unknown:
            (right if e.agrees(promise, e.due) else wrong)[id(e.call)] = e.call
    return list(right.values()), list(wrong.values())


def _asked(
    function: str, evidence: Sequence[Evidence], functions: Functions, rehearsed: Rehearsed, ask: Ask
) -> list[Evidence]:
    """Make the calls of failed checks that were not made, or not recorded, since the check ended before; none if one is
    stopped.
    """
    made, calls, found = {id(e.call) for e in evidence}, rehearsed(), list[Evidence]()
    failed = dict.fromkeys(e.check for e in evidence if e.failed)
    asked = [(check, c) for check in failed for c in calls.get(check, ()) if c.function == function and not c.turns]
    try:
        for check, call in [(check, c) for check, c in asked if id(c) not in made][:MOST]:
            due = replay(functions, call)
            found.append(Evidence(check, True, call, ask(call), due, tested(call, due)))
    except NoAnswer:
        return []
    return found


def _condition(wrong: Sequence[Call], right: Sequence[Call], functions: Functions) -> Text | None:
    """Return the property of all wrong calls that no right one has: one of an argument, or else of its arrays' content.

    If few calls are wrong and they share more properties than are told, the result is None.
    """
    for look in (_seen, _inside):
        found: dict[Any, Text] = {}
        for key, said in _separating(*([look(call, functions) for call in calls] for calls in (wrong, right))):
            found.setdefault(key[1:], said)
        if len(wrong) <= FEW and len(found) > TOLD:
            return None
        if found:
            return joined(BOTH, [*found.values()][:TOLD])
    return None


def _separating(wrong: Sequence[Mapping[Any, Seen]], right: Sequence[Mapping[Any, Seen]]) -> Iterator[tuple[Any, Text]]:
    for key, (value, names, same, more, fewer) in wrong[0].items():
        if not all(key in seen for seen in wrong):
            continue
        here, there = ([seen[key].value for seen in calls if key in seen] for calls in (wrong, right))
        said = same if isinstance(same, Text) else (same or {}).get(value)
        if said and value not in there and all(v == value for v in here):
            yield key, said.format(value=_written(value), **names)
        elif more and len(there) == len(right) and min(here) > max(there):
            yield key, more.format(value=_written(min(here)), other=_written(max(there)), **names)
        elif fewer and len(there) == len(right) and max(here) < min(there):
            yield key, fewer.format(value=_written(max(here)), other=_written(min(there)), **names)


def _written(value: Any) -> Any:
    return wording.number(value) if isinstance(value, float) else value


def _arrays(given: Mapping[str, Any]) -> dict[str, Array]:
    return {name: value for name, value in given.items() if arrays.is_array(value)}


def _seen(call: Call, functions: Functions) -> dict[Any, Seen]:
    """Return the visible properties of a call, the likeliest reason first."""
    given = passed(call, functions)
    found = _arrays(given)
    seen: dict[Any, Seen] = {}
    if dtype := next((arrays.dtype_name(a) for a in found.values() if arrays.is_real(a)), None):
        seen["dtype", ""] = Seen(dtype, {}, DTYPE)
    for name in inspect.signature(call.called(functions)).parameters:
        seen["passed", name] = Seen(given.get(name) is not None, {"name": name}, PASSED)
    for name, value in given.items():
        if isinstance(value, bool | str):
            seen["value", name] = Seen(repr(value), {"name": name}, IS)
        elif isinstance(value, int | float):
            seen["number", name] = Seen(value, {"name": name}, IS, AT_LEAST, AT_MOST)
    for name, array in found.items():
        seen["axes", name] = Seen(array.ndim, {"name": name}, AXES, MORE_AXES, FEWER_AXES)
    sizes = [size for array in found.values() for size in array.shape]
    if sizes := sizes or [value for value in given.values() if type(value) is int]:
        seen["shortest", ""] = Seen(min(sizes), {}, SHORTEST)
        seen["longest", ""] = Seen(max(sizes), {}, more=LONG)
    return seen


def _inside(call: Call, functions: Functions) -> dict[Any, Seen]:
    """Return how long the axes of a call's arrays are, what the arrays hold, and how they lie in memory."""
    found, seen = _arrays(passed(call, functions)), dict[Any, Seen]()
    ends = [(name, axis, a.shape[axis]) for name, a in found.items() for axis in AXES_ASKED if a.ndim >= -axis]
    for (name, axis, size), (name2, axis2, size2) in itertools.combinations(ends, 2):
        names = {"name": name, "axis": axis, "name2": name2, "axis2": axis2}
        seen[("alike", *names.values())] = Seen(size == size2, names, ALIKE)
    for name, axis, size in ends:
        seen["odd", name, axis] = Seen(size % 2 == 1, {"name": name, "axis": axis}, ODD)
    for name, array in found.items():
        if isinstance(array, Tensor) and array.layout != torch.strided:
            continue
        in_order = array.is_contiguous() if isinstance(array, Tensor) else array.flags.c_contiguous
        seen["order", name] = Seen(bool(in_order), {"name": name}, IN_ORDER)
        if arrays.device(array) == "meta" or not arrays.size(array):
            continue
        if arrays.dtype_name(array) == "bool":
            seen["true", name] = Seen(bool(array.all()), {"name": name}, ALL_TRUE)
        elif arrays.is_real(array):
            entries = arrays.exact(array)
            finite = entries[np.isfinite(entries)]
            seen["finite", name] = Seen(finite.size == entries.size, {"name": name}, FINITE)
            seen["large", name] = Seen(float(np.abs(finite).max(initial=0.0)), {"name": name}, more=LARGE)
    return seen
