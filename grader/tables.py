"""Values of pandas and scipy as they are compared: their form, and the named arrays of their entries.

Two columns have one dtype if they hold the same kind of entries: texts in any dtype for texts, times in any unit.
Missing entries are marked in a separate array of booleans, and are 0 among the entries.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from grader import parts
from grader.arrays import Numpy

MOST_DENSE = 1 << 22  # entries of a sparse matrix that is compared entry by entry
LOOSE = {"object": "text", "str": "text", "string": "text"}


def opened(value: Any) -> list[tuple[str, Numpy]]:
    """Return each array of a value, with the suffix that its name gets: `['price']`, and the array."""
    match parts.kind(value):
        case "scipy.sparse":
            return list(_of_sparse(value))
        case "":
            return []
    return [pair for name, column in _columns(value) for pair in _of_column(name, column)]


def _columns(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield the index, level by level, and the columns of a table, each with the suffix of its name."""
    index = value if isinstance(value, parts.pd.Index) else value.index
    place = "" if index is value else ".index"
    if index.nlevels > 1:
        yield from ((f"{place}.levels[{n}]", index.get_level_values(n)) for n in range(index.nlevels))
    else:
        yield place, index
    if isinstance(value, parts.pd.Series):
        yield "", value
    for number, label in enumerate(getattr(value, "columns", ())):
        yield f"[{label!r}]", value.iloc[:, number]


def _of_column(name: str, column: Any) -> Iterator[tuple[str, Numpy]]:
    dtype = column.dtype
    if isinstance(dtype, np.dtype) and dtype.kind in "biu":
        yield name, np.asarray(column)
        return
    missing, entries = parts.filled(column)
    yield f"{name}.isna()", missing
    yield name, entries


def _of_sparse(matrix: Any) -> Iterator[tuple[str, Numpy]]:
    if matrix.shape[0] * matrix.shape[1] <= MOST_DENSE:
        yield "", matrix.toarray()
        return
    triples = matrix.tocoo(copy=True)
    triples.sum_duplicates()
    triples.eliminate_zeros()
    yield from ((".row", triples.row), (".col", triples.col), (".data", triples.data))


def form(value: Any) -> tuple[list[str], tuple[int, ...], dict[str, str]]:
    """Return the columns of a value, its shape, and the dtype of each of its arrays by the array's name."""
    if parts.kind(value) == "scipy.sparse":
        return [], value.shape, {"": value.dtype.name}
    labels = [repr(label) for label in getattr(value, "columns", ())]
    return labels, value.shape, {name: _dtype(column.dtype) for name, column in _columns(value)}


def _dtype(dtype: Any) -> str:
    if isinstance(dtype, np.dtype) and dtype.kind in "mM":
        return dtype.type.__name__  # in whatever unit
    return LOOSE.get(str(dtype), str(dtype))


def equal(one: Any, other: Any) -> bool:
    """Return True if two values are of one kind and have the same parts, byte for byte."""
    try:
        return parts.kind(one) == parts.kind(other) and _same(parts.apart(one), parts.apart(other))
    except parts.NoParts:
        return False


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, tuple | list) and isinstance(other, tuple | list):
        return len(one) == len(other) and all(map(_same, one, other))
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return (one.dtype, one.shape, one.tobytes()) == (other.dtype, other.shape, other.tobytes())
    return type(one) is type(other) and bool(one == other)


def mapped(function: Callable[[Any], Any], value: Any) -> Any:
    """Apply `function` to the numbers in the columns of a table, or to the entries of a sparse matrix."""
    if parts.kind(value) == "scipy.sparse":
        dense = function(value.toarray()) if value.shape[0] * value.shape[1] <= MOST_DENSE else value
        return value if dense is value or dense.shape != value.shape else type(value)(dense)
    if not hasattr(value, "index"):
        return value
    found = value.copy()
    for number in range(value.shape[1] if value.ndim > 1 else 1):
        column = value.iloc[:, number] if value.ndim > 1 else value
        if not isinstance(column.dtype, np.dtype) or column.dtype.kind not in "biufc":
            continue
        before = np.array(column)
        entries = function(before)
        if entries is not before and isinstance(entries, np.ndarray) and entries.shape == column.shape:
            new = parts.pd.Series(entries, index=value.index, name=column.name)
            if value.ndim == 1:
                return new
            found.isetitem(number, new)
    return found
