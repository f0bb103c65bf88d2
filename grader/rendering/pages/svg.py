"""Small matrices as SVG: heat maps, patterns of 0 and 1, points in a plane, and where moved entries belong.

Colours are classes, so that one drawing serves light and dark pages: `p0` to `p8` for a share of the largest value,
`n1` to `n8` below 0, `odd` for NaN and infinities where none is due, `off` and `on` for patterns.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from markupsafe import Markup

from grader.report import Cell, Picture, same

LEVELS = 8
SIDE, GAP = 34, 2  # of a cell, in the drawing's own units
READABLE = 12  # columns that still get their numbers
PLANE = 220
Rows = Sequence[Sequence[Cell]]


class Square(NamedTuple):
    """One cell of a drawing: its colour class, what is written on it, and whether it is framed as wrong."""

    kind: str
    text: str
    framed: bool = False


def is_pattern(picture: Picture) -> bool:
    """Whether both matrices hold nothing but 0 and 1, as masks do."""
    return all(value in (0, 1) for rows in (picture.expected, picture.actual) for row in rows for value in row)


def matrices(picture: Picture) -> Iterator[tuple[str, Markup]]:
    """(name, drawing) of each panel: expected, actual, and difference unless the matrices are patterns.

    Drawings are hidden from screen readers: whoever shows one gives its numbers beside it.
    """
    pattern = is_pattern(picture)
    shade = _pattern if pattern else _shader(picture.expected, picture.actual)
    due = [[Square(shade(v), number(v)) for v in row] for row in picture.expected]
    came = [
        [Square(shade(a), number(a), not same(a, e)) for a, e in zip(*rows, strict=True)]
        for rows in zip(picture.actual, picture.expected, strict=True)
    ]
    yield "expected", _grid(due)
    yield "actual", _grid(came)
    if not pattern:
        apart = differences(picture)
        shade = _shader(apart, apart)
        squares = [[Square(shade(v), number(v) if v else "") for v in row] for row in apart]
        yield "difference", _grid(squares)


def alone(picture: Picture) -> Markup:
    """The expected matrix by itself, for a picture in which nothing is wrong."""
    return next(drawing for _, drawing in matrices(picture))


def differences(picture: Picture) -> list[list[Cell]]:
    """Actual minus expected; "nan" where that is no number."""

    def apart(one: Cell, other: Cell) -> Cell:
        difference = 0.0 if same(one, other) else float(one) - float(other)
        return difference if math.isfinite(difference) else "nan"

    rows = zip(picture.actual, picture.expected, strict=True)
    return [[apart(a, e) for a, e in zip(*pair, strict=True)] for pair in rows]


def places(picture: Picture) -> Markup | None:
    """For code that only moves entries: on each cell of the result, the row and column where its entry belongs.

    None where the expected entries are not all different, since then nobody can tell.
    """
    home = {str(v): f"{r},{c}" for r, row in enumerate(picture.expected) for c, v in enumerate(row)}
    if len(home) < sum(map(len, picture.expected)):
        return None

    def square(value: Cell, due: Cell) -> Square:
        if same(value, due):
            return Square("good", home[str(due)])
        return Square("bad" if str(value) in home else "p0", home.get(str(value), "·"))

    rows = zip(picture.actual, picture.expected, strict=True)
    return _grid([[square(a, e) for a, e in zip(*pair, strict=True)] for pair in rows])


def pairs(picture: Picture) -> Markup | None:
    """Column i against column i + half as points of a plane: expected as rings, actual as dots, a line between them.

    For results that turn pairs of columns: a right dot lies in its ring. None for an odd number of columns, or where
    an entry is no number.
    """
    width = len(picture.expected[0])
    every = [v for rows in (picture.expected, picture.actual) for row in rows for v in row]
    if width % 2 or not all(isinstance(v, int | float) for v in every):
        return None
    reach, half = max(abs(float(v)) for row in picture.expected for v in row) or 1.0, width // 2

    def at(row: Sequence[Cell], pair: int) -> tuple[float, float]:
        x, y = (max(-1.1, min(1.1, float(row[c]) / reach)) for c in (pair, pair + half))
        return round(PLANE / 2 * (1 + x / 1.1), 1), round(PLANE / 2 * (1 - y / 1.1), 1)

    dots, rings = Markup(""), Markup("")
    for due, came in zip(picture.expected, picture.actual, strict=True):
        for pair in range(half):
            (x, y), (u, v) = at(due, pair), at(came, pair)
            wrong = not (same(due[pair], came[pair]) and same(due[pair + half], came[pair + half]))
            kind = "bad" if wrong else "good"
            rings += Markup('<circle class="due" cx="{}" cy="{}" r="5"/>').format(x, y)
            dots += Markup('<path class="apart" d="M{} {}L{} {}"/>').format(x, y, u, v) if wrong else ""
            dots += Markup('<circle class="{}" cx="{}" cy="{}" r="2.6"/>').format(kind, u, v)
    axes = Markup('<path class="axis" d="M0 {0}H{1}M{0} 0V{1}"/>').format(PLANE // 2, PLANE)
    return _svg(PLANE, PLANE, axes + rings + dots)


def number(value: Cell) -> str:
    """An entry in at most five signs."""
    value = float(value) + 0.0  # no -0
    if not math.isfinite(value):
        return "nan" if math.isnan(value) else "∞" if value > 0 else "-∞"
    size = abs(value)
    if value == int(value) and size < 10_000:
        return f"{value:.0f}"
    if 0.01 <= size < 1000:
        text = f"{value:.{2 if size < 10 else 1 if size < 100 else 0}f}"
        return text.replace("0.", ".", 1) if size < 0.995 else text
    return f"{value:.0e}".replace("e-0", "e-").replace("e+0", "e")


def _pattern(value: Cell) -> str:
    return "on" if float(value) else "off"


def _shader(rows: Rows, otherwise: Rows) -> Callable[[Cell], str]:
    """Gives a value's colour; `rows` set the scale, `otherwise` if they are all 0."""
    largest = (
        max((abs(float(v)) for row in matrix for v in row if math.isfinite(float(v))), default=0.0)
        for matrix in (rows, otherwise)
    )
    most = next((m for m in largest if m), 1.0)

    def shade(value: Cell) -> str:
        part = float(value) / most
        if math.isnan(part):
            return "odd"
        level = LEVELS if abs(part) >= 1 else math.ceil(abs(part) * LEVELS)
        return f"n{level}" if part < 0 else f"p{level}"

    return shade


def _grid(rows: Sequence[Sequence[Square]]) -> Markup:
    size, parts = SIDE - GAP, Markup("")
    for r, row in enumerate(rows):
        for c, square in enumerate(row):
            x, y = c * SIDE + GAP, r * SIDE + GAP
            parts += Markup('<rect class="{}" x="{}" y="{}" width="{}" height="{}" rx="3"/>').format(
                square.kind, x, y, size, size
            )
            if square.framed:
                frame = Markup('<rect class="framed" x="{}" y="{}" width="{}" height="{}" rx="3"/>')
                parts += frame.format(x + 1, y + 1, size - 2, size - 2)
            if square.text and len(row) <= READABLE:
                ink = "over" if square.kind[-1] in "678" or square.kind == "on" else "ink"
                text = Markup('<text class="{}" x="{}" y="{}">{}</text>')
                parts += text.format(ink, x + size // 2, y + size // 2 + 4, square.text)
    return _svg(max(map(len, rows)) * SIDE + GAP, len(rows) * SIDE + GAP, parts)


def _svg(width: int, height: int, parts: Markup) -> Markup:
    opening = Markup('<svg aria-hidden="true" viewBox="0 0 {} {}" width="{}" height="{}">')
    return opening.format(width, height, width, height) + parts + Markup("</svg>")
