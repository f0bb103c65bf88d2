"""Makes visible examples: a few short calls of each function with the reference's results, written as Python.

They are made, not copied: a suite shows the form of a call, the numbers are rounded to be readable, and the reference
answers again. So they are right by construction and reveal nothing of the suite.
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
import itertools
import math
from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np

from grader import arrays, parts, pytree, tables
from grader.arrays import Tensor, torch
from grader.authoring import written_functions
from grader.authoring.written_functions import WrittenFunction
from grader.sandbox.processes import ExampleCall
from grader.suites import Call, ExpectedAnswer, LocalTarget, Suites

SEED = 0  # everybody may know it: no submission is graded with these numbers
A_FUNCTION = 2  # examples
ENTRIES = range(1, 65)  # that an argument or result may have
PLEASANT = 20  # entries of all arguments and results that a reader takes in at a glance
LARGE = 20.0  # inputs beyond this are for tests, not for reading
PLAIN = {
    "tensor": ("float32", "int64", "bool"),
    "array": ("float64", "complex128", "int64", "bool"),
}  # dtypes that need no name
DIGITS = {"input": 2, "result": 4}


@dataclasses.dataclass(frozen=True)
class Example:
    """A call and its `result` once `before` was run; `entries` counts the tensors' entries in both together."""

    call: str
    result: str
    entries: int
    before: tuple[str, ...] = ()


def gather(suites: Suites, exercise: str, functions: Sequence[str]) -> list[ExampleCall]:
    """Return examples for the functions of an exercise, each a `call` and its `result`; none if no short call shows it.

    Both are Python expressions that use torch's `tensor` or numpy's `array`, and what is defined `before`.
    """
    suite, local = suites[exercise], LocalTarget(suites[exercise].reference)
    asked_in = {item.name: item.fixturenames for item in suite.items}  # of other checks many answers may be right
    only_right = {name for name, of in asked_in.items() if "matches_reference" in of and "student" not in of}
    asked = [known for check in suites.rehearsed(exercise, SEED, only_right).values() for known in check]
    asked = [known for known in asked if known.call.args or known.call.kwargs]
    given = [LocalTarget({**suite.reference, **m.functions}) for m in suite.misconceptions if m.stub]
    undone = [known for known in asked if any(_differs(known, target) for target in given)]
    calls = [known.call for known in undone or asked]
    known, found = dict.fromkeys(functions, ""), list[ExampleCall]()
    for function in functions:
        accepted = suite.accepted.get(function, suite.accepted.get(""))
        solved = suite.reference.get(function)  # whose names of arguments name the functions passed in an example
        names = [*inspect.signature(solved).parameters] if solved else []
        told = (_told_apart(e, known) for e in _of(function, calls, local, names))
        found += [msgspec.structs.replace(example, accepts=accepted) for example in told]
    return found


def _told_apart(example: Example, known: dict[str, str]) -> ExampleCall:
    """Return the example; a function whose name is `known` for another text gets a number."""
    call, before = example.call, []
    for text in example.before:
        if text.startswith("def "):
            name, original = text[4 : text.index("(")], text
            new = next(n for i in itertools.count(1) if known.get(n := f"{name}{i if i > 1 else ''}", text) == text)
            known[new] = original
            call, text = (
                written_functions.renamed(ast.parse(part), name, new) if new != name else part for part in (call, text)
            )
        before.append(text)
    return ExampleCall(call, example.result, tuple(before))


def _differs(known: ExpectedAnswer, given: LocalTarget) -> bool:
    """Return True if the code as it was given out does not already do what is asked."""
    return not pytree.equal(known.outcome.value, given.call(known.call).value)


def _of(function: str, calls: Sequence[Call], local: LocalTarget, names: Sequence[str]) -> list[Example]:
    found: dict[tuple[str, ...], Example] = {}  # one of each kind: with these optional arguments
    for call in calls:
        if call.function == function and not (call.made or call.contract) and call.device == "cpu":
            shown, kind = _written(call, local, names), tuple(call.kwargs)
            if shown and (kind not in found or _distance(shown) < _distance(found[kind])):
                found[kind] = shown
    return sorted(found.values(), key=_distance)[:A_FUNCTION]


def _distance(example: Example) -> float:
    return abs(math.log(max(example.entries, 1) / PLEASANT))


def _written(call: Call, local: LocalTarget, names: Sequence[str] = ()) -> Example | None:
    """Return the call with rounded inputs and its result; None if either is too long or not plain data."""
    args, kwargs = pytree.mapped(_rounded, (call.args, dict(call.kwargs)))
    named = zip(args, itertools.chain(names, itertools.repeat("")), strict=False)
    args = tuple(written_functions.written(value, name) for value, name in named)
    short = Call(call.function, args, {name: written_functions.written(value, name) for name, value in kwargs.items()})
    arguments = [*map(_input, short.args), *(f"{k}={s}" if (s := _input(v)) else None for k, v in short.kwargs.items())]
    if not all(arguments):
        return None
    value = local.call(short).value  # None where it raises
    result = _source(value, "result")
    entries = sum(map(arrays.size, pytree.arrays_of([short.args, short.kwargs, value])))
    before = dict.fromkeys(line for function in short.given for line in getattr(function, "before", ()))
    shown = f"{call.function}({', '.join(map(str, arguments))})"
    return Example(shown, result, entries, tuple(before)) if result else None


def _input(value: Any) -> str | None:
    return (
        _source(value, "input")
        if all((np.abs(arrays.exact(t)) <= LARGE).all() for t in pytree.arrays_of(value) if arrays.holds_numbers(t))
        else None
    )


def _rounded(leaf: Any) -> Any:
    if isinstance(leaf, np.ndarray) and leaf.dtype.kind in "fc":
        return np.round(leaf, DIGITS["input"])
    if not isinstance(leaf, Tensor):
        return leaf
    leaf = leaf.detach().contiguous()
    return (leaf.double() * 10 ** DIGITS["input"]).round().div(100).to(leaf.dtype) if leaf.is_floating_point() else leaf


def _source(value: Any, role: str) -> str | None:
    """Return a tensor, a number or a tuple, list or dict of them as Python; None for other and for long values."""
    if isinstance(value, WrittenFunction):
        return value.expression
    if isinstance(value, dict) and all(isinstance(key, int | str) for key in value):
        entries = {repr(key): "None" if item is None else _source(item, role) for key, item in value.items()}
        shown = len(pytree.leaves(value)) in ENTRIES and all(entries.values())
        return "{" + ", ".join(f"{key}: {item}" for key, item in entries.items()) + "}" if shown else None
    if isinstance(value, tuple | list):
        items = [_source(item, role) for item in value]
        if not items or not all(items):
            return None
        inside = ", ".join(map(str, items))
        return f"[{inside}]" if isinstance(value, list) else f"({inside},)" if len(items) == 1 else f"({inside})"
    if parts.kind(value).startswith("pandas"):
        return _table(value, role) if torch is None and value.size in ENTRIES else None
    if arrays.is_array(value):
        kind = "tensor" if isinstance(value, Tensor) else "array"
        plain = arrays.dtype_name(value) in PLAIN[kind] and arrays.size(value) in ENTRIES
        plain = plain and (not np.iscomplexobj(value) or bool(np.isfinite(value).all()))  # 1+nanj is not Python
        return f"{kind}({_number(value.tolist(), role)})" if plain else None
    if role == "input" and isinstance(value, float):
        return repr(value)  # as it is passed: a tolerance of 1e-9 is not 0
    return _number(value, role) if isinstance(value, int | float) else None


def _table(value: Any, role: str) -> str | None:
    """Return a table or a column of plain entries as pandas makes it from lists; None if that gives another one."""
    kind, index = getattr(parts.pd, type(value).__name__), getattr(value, "index", value)
    held = {k: c.tolist() for k, c in value.items()} if kind is parts.pd.DataFrame else value.tolist()
    numbered = index is value or index.equals(parts.pd.RangeIndex(len(value)))
    labels = {} if numbered or index.nlevels > 1 else {"index": index.tolist()}
    try:
        alike = tables.form(kind(held, **labels)) == tables.form(value)
    except ValueError:  # of no rows, or with labels that are there twice
        return None
    if isinstance(held, dict):
        said = "{" + ", ".join(f"{label!r}: {_number(column, role)}" for label, column in held.items()) + "}"
    else:
        said = _number(held, role)
    more = "".join(f", {key}={_number(each, role)}" for key, each in labels.items())
    return f"{kind.__name__}({said}{more})" if alike else None


def _number(value: Any, role: str) -> str:
    if isinstance(value, list):
        return f"[{', '.join(_number(item, role) for item in value)}]"
    if isinstance(value, complex):
        return f"{_number(value.real, role)}{'+' if value.imag >= 0 else '-'}{_number(abs(value.imag), role)}j"
    if isinstance(value, float) and math.isfinite(value):
        return repr(round(value, DIGITS[role]) + 0.0)  # + 0.0: no -0.0
    return repr(value)
