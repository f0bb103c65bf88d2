"""The form of a result: its structure, kinds, shapes, dtypes and devices, compared with the reference's."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from grader import arrays, parts, pytree, tables
from grader.arrays import Array, Tensor
from grader.sandbox.worker import LEFT
from grader.suites import wording
from grader.texts import Text, plain, translated

MOST_LISTED = 200  # characters of the labels of columns
MOST_BUILT = 1 << 16  # entries of a tensor that a student builds: suites compute with them, in the grader's own time
RETURNS_NOTHING = translated("returns None (is a return missing?)")
WRONG_KIND = translated("returns {got}, expected {want}")
WRONG_KIND_WHY = translated("returns {got}, expected {want}; {why}")
CALL_MISSING = translated("are the parentheses of a call missing?")
WHY = {  # what made a value of another kind
    "generator": translated("`yield` makes a generator, `return` gives the result"),
    "coroutine": translated("write `def` without `async`"),
    "function": CALL_MISSING,
    "method": CALL_MISSING,
    "builtin_function_or_method": CALL_MISSING,
}
ONE_IN_TUPLE = translated("a tuple of one value: is there a comma after it, or is [0] missing?")
WRONG_COUNT = translated("returns {got} values, expected {want}")
WRONG_PART_COUNT = translated("{part} has {got} values, expected {want}")
WRONG_SHAPE = translated("{part} has shape {got}, expected {want}")
WRONG_DTYPE = translated("{part} has dtype {got}, expected {want}")
WRONG_DEVICE = translated("{part} is on the device {got}, expected on {want}")
TOO_LARGE = translated("{part} has shape {got}; results of more than {most} entries are not compared")
WRONG_KEYS = translated(
    "{part} has the wrong keys (missing: {missing}; not expected: {extra})",
    hint="{part} has the wrong keys (missing: {missing})",
)
WRONG_COLUMNS = translated(
    "{part} has the columns {got}, expected {want}", hint="{part} does not have the columns {want}"
)
WRONG_ROWS = translated("{part} has {got} rows, expected {want}")
WRONG_INDEX = translated("{part} has an index of {got} levels, expected {want}")


def wrong_form(value: Any, devices: Sequence[str], expected: Any, on: Sequence[str]) -> Text | None:
    """Say how the kind, number, shape, dtype or device of a result is wrong; None if it is right."""
    if wrong := _wrong_structure(value, expected, None):
        return wrong
    pairs = zip(pytree.leaves(value), pytree.leaves(expected), strict=True)
    found = [(v, e, i) for i, (v, e) in enumerate(pairs) if arrays.is_array(e)]
    for number, (v, e, index) in enumerate(found):
        if wrong := _wrong_array(v, devices[number], e, on[number], expected, index):
            return wrong
    return None


def wrong_kinds(value: Any, devices: Sequence[str], expected: Any, on: Sequence[str]) -> Text | None:
    """Say how a result has wrong kinds, is on another device or too large; None if it is right. Shapes may be any."""
    if wrong := _wrong_structure(value, expected, None):
        return wrong
    found = [(leaf, index) for index, leaf in enumerate(pytree.leaves(value)) if arrays.is_array(leaf)]
    for (tensor, index), device, due in zip(found, devices, on, strict=True):
        if device != due:
            return WRONG_DEVICE.format(part=part_of(expected, index), got=device, want=due)
        if arrays.size(tensor) > MOST_BUILT:
            return TOO_LARGE.format(part=part_of(expected, index), got=list(tensor.shape), most=MOST_BUILT)
    return None


def _wrong_structure(value: Any, expected: Any, part: Text | None) -> Text | None:
    """Say how the kinds of a result differ from the expected ones; shapes and values are not looked at."""
    if value is None and expected is not None and part is None:
        return RETURNS_NOTHING
    if isinstance(expected, tuple | list):
        if not isinstance(value, tuple | list):
            return _wrong_kind(value, _sequence_of(expected), part)
        if len(value) != len(expected):
            counts = {"got": len(value), "want": len(expected)}
            return WRONG_PART_COUNT.format(part=part, **counts) if part else WRONG_COUNT.format(**counts)
        for index, (v, e) in enumerate(zip(value, expected, strict=True)):
            if wrong := _wrong_structure(v, e, _deeper(part, index)):
                return wrong
        return None
    if isinstance(expected, dict):
        if not isinstance(value, dict):
            return _wrong_kind(value, plain("dict"), part)
        if set(value) != set(expected):
            keys = {"missing": _keys_without(expected, value), "extra": _keys_without(value, expected)}
            return WRONG_KEYS.format(part=part or wording.THE_RESULT, **keys)
        for key, e in expected.items():
            if wrong := _wrong_structure(value[key], e, _deeper(part or wording.THE_RESULT, key)):
                return wrong
        return None
    if parts.KINDS and parts.kind(expected):
        return _wrong_table(value, expected, part)
    wanted = next((kind for kind in (Tensor, np.ndarray) if isinstance(expected, kind)), type(expected))
    right = isinstance(value, wanted) and (wanted is bool) == isinstance(value, bool)
    return None if right else _wrong_kind(value, wording.kind(expected), part)


def _wrong_table(value: Any, expected: Any, part: Text | None) -> Text | None:
    """Say how a value of pandas or scipy differs in kind, columns, rows or dtypes, which are named.

    A sparse matrix may be in any format; what an index and its levels are called is not looked at.
    """
    if parts.kind(value) != parts.kind(expected):
        return _wrong_kind(value, wording.kind(expected), part)
    part, (labels, shape, dtypes), due = part or wording.THE_RESULT, tables.form(value), tables.form(expected)
    if labels != due[0]:
        return WRONG_COLUMNS.format(part=part, got=_listed(labels), want=_listed(due[0]))
    if shape != due[1]:
        said, of = (WRONG_SHAPE, list) if parts.kind(value) == "scipy.sparse" else (WRONG_ROWS, next)
        return said.format(part=part, got=of(iter(shape)), want=of(iter(due[1])))
    if len(dtypes) != len(due[2]):
        return WRONG_INDEX.format(part=part, got=len(dtypes) - len(labels), want=len(due[2]) - len(labels))
    for (name, got), want in zip(dtypes.items(), due[2].values(), strict=True):
        if got != want:
            return WRONG_DTYPE.format(part=_inside(part, name), got=got, want=want)
    return None


def _inside(part: Text, name: str) -> Text:
    return plain("{part}{name}").format(part=part, name=name)


def _listed(labels: Sequence[str]) -> str:
    return f"[{', '.join(labels)}]"[:MOST_LISTED]


def _keys_without(one: Mapping[Any, Any], other: Mapping[Any, Any]) -> str:
    keys = [repr(k)[:40] for k in one if k not in other]
    return ", ".join(keys[:8]) or "-"


def _wrong_kind(value: Any, want: Text, part: Text | None) -> Text:
    got = wording.kind(value)
    if part is not None:
        got = translated("{kind} as {part}").format(kind=got, part=part)
    why = ONE_IN_TUPLE if isinstance(value, tuple) and len(value) == 1 else WHY.get(wording.type_name(value))
    return WRONG_KIND_WHY.format(got=got, want=want, why=why) if why else WRONG_KIND.format(got=got, want=want)


def _sequence_of(expected: Sequence[Any]) -> Text:
    if all(isinstance(e, np.ndarray) for e in expected):
        return translated("a tuple of {count} arrays").format(count=len(expected))
    if all(isinstance(e, Tensor) for e in expected):
        return translated("a tuple of {count} tensors").format(count=len(expected))
    return translated("a tuple of {count} values").format(count=len(expected))


@functools.cache
def _deeper(part: Text | None, key: int | str) -> Text:
    if isinstance(key, str) and key.startswith(LEFT):
        name = key.removeprefix(LEFT)
        return wording.AFTERWARDS.format(name=name) if name else wording.THE_RESULT
    if part is None:
        return wording.RESULT_NUMBER.format(number=int(key) + 1)
    return plain("{part}[{key!r}]").format(part=part, key=key)


def part_of(expected: Any, index: int) -> Text:
    """Return the name of leaf `index` of a result."""
    names = list(_parts(expected, None))
    return names[index] or wording.THE_RESULT


def _parts(expected: Any, part: Text | None) -> Iterator[Text | None]:
    if isinstance(expected, tuple | list):
        for index, item in enumerate(expected):
            yield from _parts(item, _deeper(part, index))
    elif isinstance(expected, dict):
        for key, item in expected.items():
            yield from _parts(item, _deeper(part or wording.THE_RESULT, key))
    elif parts.kind(expected):
        yield from (_inside(part or wording.THE_RESULT, name) for name, _ in tables.opened(expected))
    else:
        yield part


def _wrong_array(value: Array, device: str, due: Array, on: str, whole: Any, index: int) -> Text | None:
    """Say how leaf `index` of the expected `whole` is wrong."""
    if value.shape != due.shape:
        return WRONG_SHAPE.format(part=part_of(whole, index), got=list(value.shape), want=list(due.shape))
    kinds = {array.dtype.kind for array in (value, due) if isinstance(array, np.ndarray)}
    loose = len(kinds) == 1 and kinds <= {"m", "M", "U"}  # times in any unit, or texts of any lengths
    if value.dtype != due.dtype and not loose:
        return WRONG_DTYPE.format(part=part_of(whole, index), got=arrays.dtype_name(value), want=arrays.dtype_name(due))
    return None if device == on else WRONG_DEVICE.format(part=part_of(whole, index), got=device, want=on)


def numbers_like(value: Any, expected: Any) -> Any:
    """Return the value with numbers in the reference's form: a tensor of one entry or 2.0 is as good as 2."""
    if isinstance(expected, tuple | list) and isinstance(value, tuple | list) and len(value) == len(expected):
        return type(value)(numbers_like(v, e) for v, e in zip(value, expected, strict=True))
    if isinstance(expected, dict) and isinstance(value, dict):
        order = expected if set(value) == set(expected) else value  # leaf by leaf, so in the reference's order
        return {k: numbers_like(value[k], expected.get(k)) for k in order}
    if type(expected) in (int, float):
        if isinstance(value, Tensor) and value.dim() == 0 and value.device.type == "cpu" and not value.is_complex():
            value = value.item()
        if type(value) in (int, float) and (type(expected) is float or value == value // 1):
            return type(expected)(value)
    if type(expected) is complex and type(value) in (int, float, complex):
        return complex(value)
    return value
