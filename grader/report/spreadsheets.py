"""Writes tables as CSV files whose texts no spreadsheet runs, and reads such texts back."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from typing import Any

_SIGNS = "=+\\-@＝＋－＠"
_BEGINS = re.compile(rf"'*[\s{_SIGNS}]")
# After what a spreadsheet may take for a separator; a plain negative number is no formula there.
_FORMULA = r"(?=[=@＝＠＋－]|[+-](?!\d[\d.e+-]*\s*(?:[\]),;\t]|\Z)))"
_INNER = re.compile(rf"(?<![\s;,])([\s;,]+)('*){_FORMULA}")
_SEPARATORS = frozenset(";,\t\r\n")


def as_csv(rows: Iterable[Sequence[Any]]) -> str:
    """Return rows as the text of a CSV file."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


def defused(cell: str) -> str:
    """Return a cell of one line that no spreadsheet takes for a formula."""
    return guarded(" ".join(cell.split("\n")))


def guarded(cell: str) -> str:
    """Return a cell that no spreadsheet takes for a formula, nor for more than one cell, whatever its separator.

    Such a text gets an apostrophe in front, one more if it has some; `unguarded` removes it again.
    """
    inside = _INNER.sub(lambda m: f"{m[1]}'{m[2]}" if _separates(m) else m[0], cell)
    return "'" + inside if _BEGINS.match(inside) and inside != "-" else inside


def unguarded(cell: str) -> str:
    """Return the cell that `guarded` was given."""
    inside = cell[1:] if cell[:1] == "'" and _BEGINS.match(cell[1:]) else cell
    return _INNER.sub(lambda m: f"{m[1]}{m[2][1:]}" if _separates(m) else m[0], inside)


def _separates(found: re.Match[str]) -> bool:
    """Return True if a cell may begin here; blanks at the start are no separator, except before a line's end."""
    blank = found.start() == 0 and found[1].isspace() and "\n" not in found[1]
    return bool(_SEPARATORS & {*found[1]}) and not blank
