"""Known wrong ways of an exercise, as a suite writes them down, and where their explanations stand.

A table, a line each, whose explanations stand in the catalogue beside the suite (`softmax.yaml` beside `softmax.py`):

    KNOWN = misconceptions(
        "softmax",
        ignores_dim=lambda x, dim=-1: torch.softmax(x, -1),
        not_normalised=lambda x, dim=-1: x.exp(),
    )

What takes more than a line is a function marked with `@misconception("softmax")`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import Any

from grader.texts import NOTHING, SENTENCES, Text, joined, of_docstring

Function = Callable[..., Any]


@dataclasses.dataclass(frozen=True)
class Misconception:
    """A known wrong way: the functions that it replaces and what to tell the student."""

    name: str
    functions: Mapping[str, Function]
    message: Text = NOTHING
    stub: bool = False


def misconceptions(*replaces: str, **variants: Function | Sequence[Function]) -> list[Misconception]:
    """Return a table of wrong variants of the function(s) `replaces`, by name; one of several functions is a list."""
    return [_of(name, replaces, variant) for name, variant in variants.items()]


def misconception(*replaces: str, stub: bool = False) -> Callable[[Function], Misconception]:
    """Mark a wrong variant of the function(s) `replaces`.

    With one name the decorated function is the variant. With several it takes no argument and returns the variants
    in that order. `stub` marks the code as it was given out, where that is to be repaired.
    """

    def mark(function: Function) -> Misconception:
        variant = function if len(replaces) == 1 else function()
        found = _of(function.__name__, replaces, variant)
        return dataclasses.replace(found, message=of_docstring(function.__doc__), stub=stub)

    return mark


def _of(name: str, replaces: Sequence[str], variant: Function | Sequence[Function]) -> Misconception:
    variants = (variant,) if callable(variant) else tuple(variant)
    return Misconception(name, dict(zip(replaces, variants, strict=True)))


def held_by(module: ModuleType) -> list[Misconception]:
    """Return the misconceptions among a suite's names and in its tables."""
    named = list(vars(module).values())
    listed = [m for names in named if isinstance(names, list) for m in names]
    return [m for m in (*named, *listed) if isinstance(m, Misconception)]


def explained(known: Sequence[Misconception], texts: Mapping[str, Text]) -> list[Misconception]:
    """Return the misconceptions; those without an explanation of their own get the catalogue's."""
    return [m if m.message != NOTHING else dataclasses.replace(m, message=_text(m.name, texts)) for m in known]


def _text(name: str, texts: Mapping[str, Text]) -> Text:
    """Return the catalogue's explanation; for `a_and_b`, two mistakes at once, that of each."""
    parts = [texts.get(part, NOTHING) for part in name.split("_and_")]
    if name in texts or NOTHING in parts:
        return texts.get(name, NOTHING)
    return joined(SENTENCES, parts)
