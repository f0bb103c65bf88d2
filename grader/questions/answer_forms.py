"""The forms that an answer on the sheet can have: how it is read, when it is right, how it is written down.

What students wrote comes as texts, lists and mappings of texts. Reading is generous about form (case, order, spaces,
fractions, two to four decimals), never about content.
"""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from grader.questions.numbers import LONGEST, Given, Unreadable, near, parsed, written
from grader.texts import Text, plain, translated

TOO_ROUGH = translated("give at least {decimals} decimals")
WRONG_SIZE = translated("expected {want} numbers, got {got}")
NOT_A_LETTER = translated("{got} is none of the choices {known}")
ONE_ONLY = translated("choose exactly one of {known}")
ALL_ONCE = translated("put each of {known} in the order, once")
NO_ROW = translated("the row {row} is missing")
NO_CELLS = translated("the row {row} needs {want} cells, got {got}")
IN_ROW = translated("row {row}, column {column}: {problem}")


class Form(Protocol):
    """How one question is answered."""

    def read(self, given: Any) -> Any:
        """The answer as data. Raises Unreadable."""

    def right(self, answer: Any, key: Any) -> bool:
        """Whether an answer that was read is the key's."""

    def write(self, key: Any) -> Any:
        """The key as one would put it on the sheet: texts, lists and mappings of texts."""

    def blank(self) -> Any:
        """What the sheet holds before it is filled in."""

    def about(self) -> Text:
        """What to write, for the sheet."""


@dataclasses.dataclass(frozen=True)
class Number:
    """One number. `decimals` is how many are asked for; 0 asks for the exact value."""

    decimals: int = 2

    def read(self, given: Any) -> Given:
        return parsed(given)

    def right(self, answer: Given, key: float) -> bool:
        return near(answer, float(key), self.decimals)

    def write(self, key: float) -> str:
        return written(float(key), self.decimals)

    def blank(self) -> Any:
        return None

    def about(self) -> Text:
        if not self.decimals:
            return translated("an exact number")
        return translated("a number, {decimals} decimals or more").format(decimals=self.decimals)


@dataclasses.dataclass(frozen=True)
class Numbers:
    """Numbers of a fixed shape, row by row: a vector (n,) or a matrix (rows, columns)."""

    shape: tuple[int, ...]
    decimals: int = 2

    def read(self, given: Any) -> list[Given]:
        values = [parsed(item) for item in _flat(given)]
        if len(values) != math.prod(self.shape):
            raise Unreadable(WRONG_SIZE.format(want=math.prod(self.shape), got=len(values)))
        return values

    def right(self, answer: Sequence[Given], key: Any) -> bool:
        wanted = _numbers(key)
        return len(answer) == len(wanted) and all(
            near(a, k, self.decimals) for a, k in zip(answer, wanted, strict=True)
        )

    def write(self, key: Any) -> Any:
        texts = [written(value, self.decimals) for value in _numbers(key)]
        if len(self.shape) == 1:
            return texts
        return [texts[i : i + self.shape[1]] for i in range(0, len(texts), self.shape[1])]

    def blank(self) -> Any:
        return None

    def about(self) -> Text:
        size = " x ".join(map(str, self.shape))
        rows = plain("") if len(self.shape) == 1 else translated(", as [[..], [..]]")
        if not self.decimals:
            return translated("{size} exact numbers{rows}").format(size=size, rows=rows)
        said = translated("{size} numbers, {decimals} decimals or more{rows}")
        return said.format(size=size, decimals=self.decimals, rows=rows)


@dataclasses.dataclass(frozen=True)
class Choice:
    """Letters of options. `many`: all that are right and no other; `ordered`: all of them, in the right order."""

    options: Mapping[str, tuple[str, str]]
    many: bool = False
    ordered: bool = False

    def read(self, given: Any) -> tuple[str, ...]:
        known = {name.lower(): name for name in self.options}
        words = [w for item in _flat(given) for w in re.split(r"[\s,，、;；>→]+", str(item)) if w]
        if len(words) == 1 and words[0].lower() not in known and all(c.lower() in known for c in words[0]):
            words = list(words[0])  # "acd"
        if self.many and [w.lower() for w in words] == ["none"]:
            words = []
        for word in words:
            if word.lower().strip(".()（）") not in known:
                raise Unreadable(NOT_A_LETTER.format(got=word[:LONGEST], known=", ".join(self.options)))
        letters = [known[w.lower().strip(".()（）")] for w in words]
        if not self.many and not self.ordered and len(letters) != 1:
            raise Unreadable(ONE_ONLY.format(known=", ".join(self.options)))
        if self.ordered and sorted(letters) != sorted(self.options):
            raise Unreadable(ALL_ONCE.format(known=", ".join(self.options)))
        return tuple(letters) if self.ordered else tuple(sorted(set(letters)))

    def right(self, answer: tuple[str, ...], key: Any) -> bool:
        wanted = tuple(key) if not isinstance(key, str) else (key,)
        return answer == (wanted if self.ordered else tuple(sorted(wanted)))

    def write(self, key: Any) -> Any:
        if isinstance(key, str):
            return key
        return list(key) if self.ordered else sorted(key) or "none"

    def blank(self) -> Any:
        return None

    def about(self) -> Text:
        if self.ordered:
            return translated("all letters, in order: [b, a, ..]")
        if self.many:
            return translated("all letters that apply: [a, c], or none")
        return translated("one letter")


@dataclasses.dataclass(frozen=True)
class Table:
    """A cell for each row and column, all of one form."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cell: Form

    def read(self, given: Any) -> list[list[Any]]:
        rows = {str(k).strip().lower(): v for k, v in given.items()} if isinstance(given, Mapping) else {}
        if isinstance(given, Sequence) and not isinstance(given, str) and len(given) == len(self.rows):
            rows = {name.lower(): cells for name, cells in zip(self.rows, given, strict=True)}
        return [self._row(name, rows.get(name.lower())) for name in self.rows]

    def _row(self, name: str, cells: Any) -> list[Any]:
        if cells is None or cells == "":
            raise Unreadable(NO_ROW.format(row=name))
        if isinstance(cells, Mapping):
            by_name = {str(k).strip().lower(): v for k, v in cells.items()}
            cells = [by_name.get(column.lower()) for column in self.columns]
        if isinstance(cells, str):
            cells = [c for c in re.split(r"[\s,，、|]+", cells) if c]
        if not isinstance(cells, Sequence) or len(cells) != len(self.columns):
            got = len(cells) if isinstance(cells, Sequence) else 1
            raise Unreadable(NO_CELLS.format(row=name, want=len(self.columns), got=got))
        read = []
        for column, item in zip(self.columns, cells, strict=True):
            try:
                read.append(self.cell.read(item))
            except Unreadable as error:
                raise Unreadable(IN_ROW.format(row=name, column=column, problem=error.reason)) from error
        return read

    def right(self, answer: Sequence[Sequence[Any]], key: Any) -> bool:
        return not self.wrong_cells(answer, key)

    def wrong_cells(self, answer: Sequence[Sequence[Any]], key: Any) -> list[tuple[str, str]]:
        """The row and column of each wrong cell."""
        return [
            (row, column)
            for row, cells, wanted in zip(self.rows, answer, key, strict=True)
            for column, cell, want in zip(self.columns, cells, wanted, strict=True)
            if not self.cell.right(cell, want)
        ]

    def write(self, key: Any) -> Any:
        return {
            row: {column: self.cell.write(k) for column, k in zip(self.columns, cells, strict=True)}
            for row, cells in zip(self.rows, key, strict=True)
        }

    def blank(self) -> Any:
        return {row: dict.fromkeys(self.columns) for row in self.rows}

    def about(self) -> Text:
        cell = self.cell.about()
        return translated("a table; each cell: {cell}").format(cell=cell)


@dataclasses.dataclass(frozen=True)
class Written:
    """A text that a person grades by the rubric: lines worth a point each."""

    rubric: tuple[tuple[str, str], ...]

    def read(self, given: Any) -> Any:
        return given

    def right(self, answer: Any, key: Any) -> bool:
        raise NotImplementedError("a person grades this")

    def write(self, key: Any) -> Any:
        return key

    def blank(self) -> Any:
        return None

    def about(self) -> Text:
        return translated("a few sentences of your own; a person grades them")


def _flat(given: Any) -> list[Any]:
    if isinstance(given, str) and re.search(r"[\[;\s]", given):
        return [w for w in re.split(r"[\[\]\s;；]+|,(?!\d{3}(?:\D|$))", given) if w]
    if isinstance(given, Sequence) and not isinstance(given, str):
        return [leaf for item in given for leaf in _flat(item)]
    return [given]


def _numbers(key: Any) -> list[float]:
    """The numbers of a key: a tensor, an array or nested lists."""
    flat = key.flatten().tolist() if hasattr(key, "flatten") else key
    return [float(v) for item in flat for v in (_numbers(item) if isinstance(item, Sequence) else [item])]
