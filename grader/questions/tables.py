"""Answers in the form of a table: a cell for each row and column, however the student separates them."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping, Sequence
from typing import Any

from grader.catalogues import ENGLISH, Signs
from grader.questions import parts, word_lists
from grader.questions.answer_forms import Form
from grader.questions.numbers import LONGEST, WIDE, Unreadable
from grader.questions.parts import ChoicePart, Parts
from grader.questions.word_lists import label, meant
from grader.sandbox.processes import Fields
from grader.texts import Text, translated

NO_ROW = translated("the row {row} is missing")
NO_SUCH_ROW = translated("there is no row {row}; the rows are {known}")
NO_SUCH_COLUMN = translated("row {row}: there is no column {column}; the columns are {known}")
NO_CELLS = translated("the row {row} needs {want} cells, got {got}")
NO_CELL = translated("not answered")
IN_ROW = translated("row {row}, column {column}: {problem}")


@dataclasses.dataclass(frozen=True)
class Table(Form):
    """A cell for each row and column, all of one form."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cell: Form

    def read(self, given: Any, signs: Signs = ENGLISH) -> list[list[Any]]:
        """Return the cells, row by row.

        Raises:
            Unreadable: not all can be read; `rest` has None for those.
        """
        if isinstance(given, str):
            text = given.translate(WIDE)  # by the names of the rows, else line by line, bracket by bracket
            lines = [part for part in re.split(r"[\[\]\n;；]+", text) if part.strip(" ,，")]
            given = word_lists.cells(text, self.rows) or lines
        if isinstance(given, Sequence) and not isinstance(given, str) and len(given) == len(self.rows):
            given = dict(zip(self.rows, given, strict=True))
        rows = {label(str(k)): v for k, v in given.items()} if isinstance(given, Mapping) else {}
        problems = []
        if strange := _strange(given, self.rows):
            problems.append(NO_SUCH_ROW.format(row=strange[:LONGEST], known=", ".join(self.rows)))
        read = [self._row(name, rows.get(label(name)), signs, problems) for name in self.rows]
        if problems:
            raise Unreadable(problems[0], read if any(c is not None for cells in read for c in cells) else None)
        return read

    def _row(self, name: str, given: Any, signs: Signs, problems: list[Text]) -> list[Any]:
        """Return the cells of a row, None for each that cannot be read; the reasons are added to the problems."""
        try:
            cells = self._split(name, given, signs)
        except Unreadable as error:
            problems.append(error.reason)
            return [None] * len(self.columns)
        read = []
        for column, item in zip(self.columns, cells, strict=True):
            try:
                if item is None or not str(item).strip():
                    raise Unreadable(NO_CELL)
                read.append(self.cell.read(meant(item), signs))
            except Unreadable as error:
                problems.append(IN_ROW.format(row=name, column=column, problem=error.reason))
                read.append(None)
        return read

    def _split(self, name: str, cells: Any, signs: Signs) -> Sequence[Any]:
        """Return the written text of each cell of a row."""
        if cells is None or cells == "":
            raise Unreadable(NO_ROW.format(row=name))
        if isinstance(cells, str):
            cells = self._cells_of(cells.translate(WIDE), signs)
        if isinstance(cells, Mapping):
            cells = self._by_column(name, cells)
        if not isinstance(cells, Sequence) or len(cells) != len(self.columns):
            got = len(cells) if isinstance(cells, Sequence) else 1
            raise Unreadable(NO_CELLS.format(row=name, want=len(self.columns), got=got))
        return cells

    def _by_column(self, row: str, cells: Mapping[str, Any]) -> list[Any]:
        by_name = {label(str(k)): v for k, v in cells.items()}
        if strange := _strange(cells, self.columns):
            facts = {"row": row, "column": strange[:LONGEST], "known": ", ".join(self.columns)}
            raise Unreadable(NO_SUCH_COLUMN.format(**facts))
        return [by_name.get(label(column)) for column in self.columns]

    def _cells_of(self, text: str, signs: Signs) -> Any:
        """Return the cells of a row that came as one text: by the columns' names, else by any split into as many."""
        if found := word_lists.cells(text, self.columns):
            return found
        text = " ".join(text.split()).strip(" [](){}|,，")  # else a long run of blanks takes long to split
        if len(self.columns) == 1:
            return [text]
        blanks = (r"\s+",) if signs.comma and not self.cell.choices() else ()
        for separator in (r"\s*[|、;；，]\s*|,\s+", *blanks, r"\s*[,，]\s*", r"\s*[\s,，、|]\s*"):
            cells = [c for c in re.split(separator, text) if c]
            if len(cells) == len(self.columns):
                return cells
        return cells

    def right(self, answer: Sequence[Sequence[Any]], key: Any) -> bool:
        return not self.wrong_cells(answer, key)

    def wrong_cells(self, answer: Sequence[Sequence[Any]], key: Any) -> list[tuple[str, str]]:
        """Return the row and column of each wrong cell."""
        return [
            (row, column)
            for row, cells, wanted in zip(self.rows, answer, key, strict=True)
            for column, cell, want in zip(self.columns, cells, wanted, strict=True)
            if cell is None or not self.cell.right(cell, want)
        ]

    def parts(self, answer: Sequence[Sequence[Any]], key: Any) -> Parts:
        pairs = _pairs(answer, key)
        if not self.choices():
            return parts.of_numbers([None if cell is None else self.cell.right(cell, want) for cell, want in pairs])
        cells = [ChoicePart(cell, self.cell.read(self.cell.write(want))) for cell, want in pairs]
        width = len(self.columns)
        return parts.of_words(parts.grouped([cells[i::width] for i in range(width)]), parts.CELLS)

    def shared(self, answer: Sequence[Sequence[Any]], wrong: Any, key: Any) -> int:
        slips = self.wrong_cells(self.read(self.write(wrong)), key)
        return 0 if set(slips) & set(self.wrong_cells(answer, wrong)) else len(slips)

    def doubt(self, answer: Sequence[Sequence[Any]], key: Any) -> Text | None:
        pairs = _pairs(answer, key)
        wrong = [(c, k) for c, k in pairs if not self.cell.right(c, k)]
        return self.cell.doubt(*wrong[0]) if wrong and all(self.cell.doubt(c, k) for c, k in wrong) else None

    def write(self, key: Any) -> Any:
        return {
            row: {column: self.cell.write(k) for column, k in zip(self.columns, cells, strict=True)}
            for row, cells in zip(self.rows, key, strict=True)
        }

    def blank(self) -> Any:
        return {row: dict.fromkeys(self.columns) for row in self.rows}

    def fields(self) -> Fields:
        cell = self.cell.fields()
        kind = "text" if cell.many or cell.ordered else cell.kind
        return Fields("table", rows=self.rows, columns=self.columns, cell=kind, decimals=cell.decimals)

    def about(self) -> Text:
        cell = self.cell.about()
        return translated("a table; each cell: {cell}").format(cell=cell)

    def choices(self) -> Mapping[str, Text]:
        return self.cell.choices()

    def bare(self, options: Mapping[str, Text]) -> Form:
        return dataclasses.replace(self, cell=self.cell.bare(options))


def _pairs(answer: Sequence[Sequence[Any]], key: Any) -> list[tuple[Any, Any]]:
    """Return each cell with the right one, row by row."""
    return [(c, k) for cells, wanted in zip(answer, key, strict=True) for c, k in zip(cells, wanted, strict=True)]


def _strange(given: Any, names: Sequence[str]) -> str:
    """Return a key that is none of these names, if there is one."""
    known = {label(name) for name in names}
    return next((str(key) for key in given if label(str(key)) not in known), "") if isinstance(given, Mapping) else ""
