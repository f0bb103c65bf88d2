"""Values as trees: tuples, lists and dicts that hold arrays, numbers and texts; tables are branches, too."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

from grader import arrays, parts, tables
from grader.arrays import Array, Tensor

_LEAVES = frozenset((Tensor, int, float, bool, str, type(None)))  # what most values are: asked first, since it is quick
_TREES = (tuple, list, dict)


def leaves(value: Any, whole: bool = False) -> list[Any]:
    """Return the leaves of a value in order: an array, a number or a text, or with `whole` also a table."""
    if type(value) in _LEAVES or not isinstance(value, _TREES):
        inside = tables.opened(value) if parts.KINDS and not whole else ()
        return [leaf for _, leaf in inside] if inside else [value]
    return [leaf for item in (value.values() if isinstance(value, dict) else value) for leaf in leaves(item, whole)]


def of_arrays(values: Any, each: Sequence[Any], other: Any) -> list[Any]:
    """Return an item of `each` for each array among the leaves, and `other` for arrays of tables and for texts."""
    left = iter(each)
    found = [(leaf, arrays.is_array(leaf) and not arrays.holds_texts(leaf)) for leaf in leaves(values, whole=True)]
    return [one for leaf, plain in found for one in ([next(left)] if plain else [other] * len(arrays_of(leaf)))]


def opened(value: Any) -> Any:
    """Return the tree with a tuple of its fields in place of each dataclass that has several."""
    if type(value) in _LEAVES:
        return value
    if isinstance(value, tuple | list) and any(opened(item) is not item for item in value):
        return [opened(item) for item in value] if isinstance(value, list) else tuple(map(opened, value))
    if isinstance(value, dict) and any(opened(item) is not item for item in value.values()):
        return {key: opened(item) for key, item in value.items()}
    names = [f.name for f in dataclasses.fields(value)] if dataclasses.is_dataclass(type(value)) else []
    plain = isinstance(value, tuple | list | dict)
    return tuple(opened(getattr(value, name)) for name in names) if len(names) > 1 and not plain else value


def arrays_of(value: Any) -> list[Array]:
    """Return the arrays among the leaves, numpy's and torch's."""
    return [leaf for leaf in leaves(value) if arrays.is_array(leaf)]


def tensors(value: Any) -> list[Tensor]:
    """Return torch's tensors among the leaves."""
    return [leaf for leaf in leaves(value) if isinstance(leaf, Tensor)]


def form(value: Any) -> Any:
    """Return the structure of a value: equal before and after, unless something was put in, taken out or exchanged."""
    if isinstance(value, tuple | list):
        return [form(item) for item in value]
    if parts.KINDS and parts.kind(value):
        return tables.form(value)
    return {key: form(item) for key, item in value.items()} if isinstance(value, dict) else id(value)


def named(name: str, value: Any) -> list[tuple[str, Array]]:
    """Return the arrays with their names: `w[0]`, `cache['k']`."""
    if isinstance(value, tuple | list):
        return [pair for i, item in enumerate(value) for pair in named(f"{name}[{i}]", item)]
    if isinstance(value, dict):
        return [pair for key, item in value.items() for pair in named(f"{name}[{key!r}]", item)]
    if parts.KINDS and parts.kind(value):
        return [(f"{name}{place}", leaf) for place, leaf in tables.opened(value)]
    return [(name, value)] if arrays.is_array(value) else []


def mapped(function: Callable[[Any], Any], value: Any) -> Any:
    """Return the tree with `function` applied to each leaf; tuples of any kind become plain ones."""
    if isinstance(value, tuple | list):
        items = [mapped(function, item) for item in value]
        return tuple(items) if isinstance(value, tuple) else items
    if isinstance(value, dict):
        return {key: mapped(function, item) for key, item in value.items()}
    return tables.mapped(function, value) if parts.KINDS and parts.kind(value) else function(value)


def equal(one: Any, other: Any) -> bool:
    """Return True if two trees have the same structure and the same leaves; arrays also in dtype, layout and device."""
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    if isinstance(one, tuple | list):
        return len(one) == len(other) and all(map(equal, one, other))
    if isinstance(one, dict):
        return list(one) == list(other) and all(map(equal, one.values(), other.values()))
    if parts.KINDS and parts.kind(one):
        return tables.equal(one, other)
    return arrays.equal(one, other) if arrays.is_array(one) else bool(one == other)
