"""Recorded examples in place of a solution: what the suites of a student's copy compare with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from grader import arrays, parts, pytree, tables
from grader.suites.side_effects import NotChecked
from grader.texts import translated

NOT_SHOWN = translated("there is no visible example")
Recorded = Sequence[tuple[Mapping[str, Any], Any]]


def find(examples: Recorded, **given: Any) -> Any:
    """The recorded result for these arguments, in float64 if they are.

    Raises:
        LookupError: no example has these arguments.
    """
    wide = any(arrays.dtype_name(t) == "float64" for t in pytree.arrays_of(list(given.values())))
    for arguments, result in examples:
        if all(_same(given[name], value) for name, value in arguments.items()):
            return pytree.mapped(arrays.widened, result) if wide else result
    raise LookupError("no example has these arguments")


def _same(one: Any, other: Any) -> bool:
    if callable(other):  # what the suite hands over, which arrives as another function of its name
        return bool(getattr(one, "__name__", "") == other.__name__)
    if arrays.is_array(one) and arrays.is_array(other):
        return np.array_equal(arrays.exact(one), arrays.exact(other))
    if isinstance(one, tuple | list) and isinstance(other, tuple | list):
        return len(one) == len(other) and all(map(_same, one, other))
    return tables.equal(one, other) if parts.kind(one) else bool(one == other)


def not_shown() -> None:
    """Skip a check: there is nothing to show."""
    raise NotChecked(NOT_SHOWN)
