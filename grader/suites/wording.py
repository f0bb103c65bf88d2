"""The sentences of checks for students, built from shapes, dtypes and differences."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from grader import arrays, parts
from grader.arrays import Numpy, Tensor, torch
from grader.sandbox.processes import GeneratorForm
from grader.sandbox.worker import wire
from grader.suites.excerpt import Compared
from grader.texts import NOTHING, Text, either, one_line, plain, translated

FOR_CALL = translated("{call}: {problem}")
NO_GRADIENT = translated("no gradient reaches {name}")
NO_GRADIENT_OF_NUMBERS = translated(
    "no gradient reaches {name}: plain numbers, also in a list, carry none; return a tensor"
)
WRONG_GRADIENT = translated("the gradient of {name} is off by {difference}")
NAN_GRADIENT = translated("the gradient of {name} holds NaN")
CHANGED = translated("changes its input {names} in place")
CHANGED_FORM = translated("modifies a list or dict that it was given, or the names in its state_dict")
CHANGED_TABLE = translated("modifies a table, list or dict that it was given")
OFF_ON_AVERAGE = translated(
    "{function}: over all calls in half precision the results are off by {off} on average; rounding explains {most}"
)
OTHER_THAN_ON_CPU = translated("gives another result there than on the CPU")
THE_RESULT = translated("the result")
OTHER_KIND = translated("something else")
RESULT_NUMBER = translated("result {number}")
DIFFERS = translated(
    "{part} is off by up to {difference} ({wrong} of {total} entries; at {where} it is {got}, expected {want})",
    hint="{part} is off by up to {difference} ({wrong} of {total} entries)",
)
ONE_DIFFERS = translated(
    "{part} is off by {difference}: it is {got}, expected {want}", hint="{part} is off by {difference}"
)
OTHERS = translated(
    "{part} is wrong in {wrong} of {total} entries; at {where} it is {got}, expected {want}",
    hint="{part} is wrong in {wrong} of {total} entries",
)
IS_NAN = translated(
    "{part} holds NaN ({wrong} of {total} entries are wrong; at {where} expected {want})",
    hint="{part} holds NaN ({wrong} of {total} entries are wrong)",
)
WRONG_VALUE = translated("{part} is {got}, expected {want}", hint="{part} is wrong")
TOO_OFTEN = translated("{name} was called {count:,} times; at most {most:,} are needed")
STOPPED = translated("{name} was called more than {most:,} times, after which it is not computed any more")
OTHER_STATE = translated(
    "{part} is in the wrong state: draw all random numbers from it, in the order that the statement names"
)
AFTERWARDS = translated("{name} after the call")
AGAIN = translated("{problem} when called repeatedly: the function keeps state between calls")
IN_TURNS = translated("{called} called with {turns}")
MORE_TURNS = translated("{shown} ... ({count} calls)")
BY_TURNS = translated("{objects} objects {called} called by turns with {turns}")
INPUTS = translated("input:\n{inputs}")
VALUES = translated("input:\n{inputs}\nexpected:\n{want}\ngot:\n{got}")
SHOWN_ELEMENTS = 48
SHOWN_TURNS = 3
MOST_QUOTED = 80  # characters of a text


def call(function: str, arguments: Mapping[str, Any]) -> Text:
    """`softmax(x [2, 3, 5] float32, dim=1)`."""
    return plain(f"{function}({', '.join(f'{name}{_argument(value)}' for name, value in arguments.items())})")


def in_turns(called: Text, turns: Sequence[Mapping[str, Any]], objects: int = 1) -> Text:
    """`Block(8, 2) called with (x [2, 3, 8] float32), (x [2, 1, 8] float32)`; without turns, how it is made."""
    if not turns:
        return called
    said = [f"({', '.join(f'{name}{_argument(value)}' for name, value in turn.items())})" for turn in turns]
    shown = plain(", ".join(said[:SHOWN_TURNS]))
    shown = MORE_TURNS.format(shown=shown, count=len(said)) if len(said) > SHOWN_TURNS else shown
    return (BY_TURNS if objects > 1 else IN_TURNS).format(called=called, turns=shown, objects=objects)


def _argument(value: Any) -> str:
    if arrays.is_array(value) or parts.kind(value):
        return f" {_literal(value)}"
    return f"={_literal(value)}"


def _literal(value: Any) -> str:
    if arrays.is_array(value):
        return f"{list(value.shape)} {arrays.dtype_name(value)}"
    if whole := parts.kind(value):
        return f"{list(value.shape)} {whole}"
    if isinstance(value, list | tuple):
        said = [_literal(v) for v in value]
        if len(said) > 1 and len({*said}) == 1 and arrays.is_array(value[0]):
            return f"{len(said)} x {said[0]}"
        inside = ", ".join(said)
        return f"[{inside}]" if isinstance(value, list) else f"({inside})"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{k!r}: {_literal(v)}' for k, v in value.items())}}}"
    return str(value) if torch is not None and isinstance(value, torch.device) else repr(value)


def kind(value: Any) -> Text:
    """Return the kind of a value, in a word."""
    if isinstance(value, wire.Opaque):
        return either(one_line(type_name(value), wire.MAX_TYPE), OTHER_KIND)
    if whole := parts.kind(value):
        return plain(whole)
    if arrays.is_array(value):
        return plain("torch.Tensor" if isinstance(value, Tensor) else "numpy.ndarray")
    return plain("None" if value is None else type_name(value))


def type_name(value: Any) -> str:
    """Return the name of a value's type, as people know it, also of a value that did not cross."""
    if isinstance(value, GeneratorForm):
        return "Generator"
    return value.type.removeprefix("builtins.") if isinstance(value, wire.Opaque) else type(value).__name__


def number(value: Any) -> str:
    """Write a number with three digits."""
    return f"{value:.3g}"


def differs(compared: Compared) -> Text:
    """Say the largest difference, how many entries are wrong, and which is the worst; a number needs no place."""
    part, actual, expected, right = compared
    where = compared.worst()
    facts = {"part": part, "where": list(where), "total": right.size, "wrong": int((~right).sum())}
    if not arrays.holds_numbers(actual):
        came, due = (repr(str(t[where]))[:MOST_QUOTED] for t in (actual, expected))
        return (OTHERS if actual.shape else WRONG_VALUE).format(got=came, want=due, **facts)
    got, want = actual[where].item(), expected[where].item()
    truth, lost = actual.dtype.kind == "b", bool(np.isnan(actual[~right]).any())
    one, other = (bool(got), bool(want)) if truth else ("NaN", number(want)) if lost else apart(got, want)
    if truth or lost:
        shown = (DIFFERS if truth else IS_NAN) if actual.shape else WRONG_VALUE
        return shown.format(difference=1, got=one, want=other, **facts)
    shown = DIFFERS if actual.shape else ONE_DIFFERS
    return shown.format(difference=number(compared.apart()[where]), got=one, want=other, **facts)


def wrong_gradient(name: str, difference: Numpy) -> Text:
    """Say by how much a gradient is off, entry by entry."""
    if np.isnan(difference).any():
        return NAN_GRADIENT.format(name=name)
    return WRONG_GRADIENT.format(name=name, difference=number(difference.max()))


def apart(one: Any, other: Any) -> tuple[str, str]:
    """Write two numbers with as many digits as it takes to tell them apart, at least three."""
    for digits in range(3, 17):
        a, b = f"{one:.{digits}g}", f"{other:.{digits}g}"
        if a != b:
            break
    return a, b


def values(inputs: Sequence[Any], compared: Compared, pictured: bool) -> Text:
    """Write the inputs and, unless they are pictured, the expected and actual values, if these are few."""
    if compared.actual.size > SHOWN_ELEMENTS or sum(map(arrays.size, inputs)) > 2 * SHOWN_ELEMENTS:
        return NOTHING
    shown = "\n".join(_table(t) for t in inputs) or "-"
    if pictured:
        return INPUTS.format(inputs=shown)
    return VALUES.format(inputs=shown, want=_table(compared.expected), got=_table(compared.actual))


def _table(array: Any) -> str:
    if parts.kind(array):
        dense = array.toarray() if hasattr(array, "toarray") else np.asarray(array)
        return str(array.to_string()) if hasattr(array, "to_string") else _table(dense)
    if torch is None or not arrays.holds_numbers(array):
        return np.array2string(np.asarray(array), precision=4, separator=", ", suppress_small=True)
    shown = torch.as_tensor(array).detach().cpu()
    text = re.sub(r",\s+dtype=torch\.\w+", "", str(shown.double() if shown.is_floating_point() else shown))
    return text.removeprefix("tensor(").removesuffix(")").replace("\n       ", "\n")
