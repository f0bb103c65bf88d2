"""A call that a teacher typed, as data: `scale(tensor([1.0, 2.0]), factor=3)`. Nothing of it is run as code."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from grader.arrays import torch
from grader.errors import CourseError
from grader.suites import Call, Suite

LONGEST = 4_000  # characters
LARGEST = 100_000  # entries of an array
HOW = "write it as `{function}(tensor([[1.0, 2.0]]), name=3)`, with tensor, zeros, ones, randn and plain values"
NUMBERS = {"inf": math.inf, "nan": math.nan}


def typed(text: str, suite: Suite, functions: Sequence[str]) -> Call:
    """The call of one of these functions of the exercise.

    Raises:
        CourseError: it is none; the message says how one is written.
    """
    how = HOW.format(function=functions[0])
    try:
        found = ast.parse(text.strip()[:LONGEST], mode="eval").body
        if not (isinstance(found, ast.Call) and isinstance(found.func, ast.Name) and found.func.id in functions):
            raise ValueError(f"it should call {' or '.join(functions)}")
        if isinstance(suite.reference[found.func.id], type):
            raise ValueError(f"{found.func.id} is a class; choose the call of a check")
        args, kwargs = _arguments(found, _makers(suite.kind))
        return Call(found.func.id, args, kwargs)
    except (SyntaxError, ValueError, TypeError, RuntimeError, OverflowError, RecursionError, MemoryError) as error:
        said = error.msg if isinstance(error, SyntaxError) else error
        raise CourseError(f"this call cannot be made: {said}; {how}") from error


def _arguments(call: ast.Call, makers: Mapping[str, Callable[..., Any]]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    args = tuple(_value(a, makers) for a in call.args)
    return args, {k.arg or "": _value(k.value, makers) for k in call.keywords}


def _value(node: ast.expr, makers: Mapping[str, Callable[..., Any]]) -> Any:
    """Return the value of an expression. Raises ValueError unless it consists of values and calls that make arrays."""
    match node:
        case ast.Call(func=ast.Name(id=name)) if name in makers:
            args, kwargs = _arguments(node, makers)
            return makers[name](*args, **kwargs)
        case ast.Name(id=name) if name in NUMBERS:
            return NUMBERS[name]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand, makers)
        case ast.List(elts=elts):
            return [_value(e, makers) for e in elts]
        case ast.Tuple(elts=elts):
            return tuple(_value(e, makers) for e in elts)
        case ast.Dict(keys=keys, values=values) if None not in keys:
            return {_value(k, makers): _value(v, makers) for k, v in zip(keys, values, strict=True) if k is not None}
        case ast.Constant(value=bool() | int() | float() | str() | None as value):
            return value
        case ast.Name(id=name) | ast.Attribute(attr=name) if torch is not None and _is_dtype(name):
            return getattr(torch, name)
    raise ValueError(f"`{ast.unparse(node)}` is no value")


def _is_dtype(name: str) -> bool:
    return isinstance(getattr(torch, name, None), torch.dtype)


def _makers(kind: str) -> dict[str, Callable[..., Any]]:
    """Return the functions that make arrays of this kind, by name; each makes only arrays of a few entries."""

    def shape(*sizes: int) -> tuple[int, ...]:
        if not all(type(s) is int and s >= 0 for s in sizes) or math.prod(sizes) > LARGEST:
            raise ValueError(f"sizes are whole numbers, and together at most {LARGEST:,} entries")
        return sizes

    if kind == "torch":
        random = torch.Generator().manual_seed(0)
        return {
            "tensor": torch.tensor,
            "zeros": lambda *s, **how: torch.zeros(shape(*s), **how),
            "ones": lambda *s, **how: torch.ones(shape(*s), **how),
            "randn": lambda *s, **how: torch.randn(shape(*s), generator=random, **how),
        }
    numbers = np.random.default_rng(0)
    return {
        "array": np.array,
        "tensor": np.array,
        "zeros": lambda *s: np.zeros(shape(*s)),
        "ones": lambda *s: np.ones(shape(*s)),
        "randn": lambda *s: numbers.standard_normal(shape(*s)),
    }
