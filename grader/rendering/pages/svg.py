"""Small matrices as SVG: heat maps, patterns of 0 and 1, points in a plane, and where moved entries belong.

Colours are classes, so that one drawing serves light and dark pages: `p0` to `p8` for a share of the largest value,
`n1` to `n8` below 0, `odd` for NaN and infinities where none is due, `off` and `on` for patterns.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from markupsafe import Markup

from grader.rendering import picture_views
from grader.rendering.picture_views import MOST_ROWS, Home, Point
from grader.report import Cell, Picture, same

LEVELS = 8
SIDE, GAP = 34, 2  # of a cell, in the drawing's own units
READABLE = 12  # columns that still get their numbers
FEW, LARGE = 6, 44  # columns of a small matrix, and the side of its cells on the page
PLANE, PLANE_GAP = 150, 16
Rows = Sequence[Sequence[Cell]]


class Square(NamedTuple):
    """One cell of a drawing: its colour class, what is written on it, whether it is framed as wrong, a line above."""

    kind: str
    text: str
    framed: bool = False
    above: str = ""


def matrices(picture: Picture) -> Iterator[tuple[str, Markup]]:
    """(name, drawing) of each panel: expected, actual, and difference unless the matrices are patterns.

    Drawings are hidden from screen readers: whoever shows one gives its numbers beside it.
    """
    entries = [value for rows in (picture.expected, picture.actual) for row in rows for value in row]
    pattern = all(value in (0, 1) for value in entries)  # as masks have them
    shade = (lambda v: "on" if float(v) else "off") if pattern else _shader(picture.expected, picture.actual)
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
    """Actual minus expected; "nan" where that is not a number."""

    def apart(one: Cell, other: Cell) -> Cell:
        difference = 0.0 if same(one, other) else float(one) - float(other)
        return difference if math.isfinite(difference) else "nan"

    rows = zip(picture.actual, picture.expected, strict=True)
    return [[apart(a, e) for a, e in zip(*pair, strict=True)] for pair in rows]


def places(picture: Picture) -> Markup | None:
    """Draw on each cell of a result where its entry belongs, for code that only moves entries; None if that is unknown.

    A cell shows row and column; above them the matrix, if that is another one.
    """
    homes = picture_views.homes(picture)
    if homes is None:
        return None

    def square(value: Cell, due: Cell, home: Home | None) -> Square:
        if home is None:
            return Square("p0", "·")
        return Square("good" if same(value, due) else "bad", f"{home.row},{home.column}", above=home.of_matrix)

    rows = zip(picture.actual, picture.expected, homes, strict=True)
    return _grid([[square(*cell) for cell in zip(*row, strict=True)] for row in rows])


def pairs(picture: Picture) -> Markup | None:
    """The pairs of columns that are off most, each as a plane: its columns below it, each point's row beside it.

    For results that turn pairs of columns: a ring on a line from the middle is where the point is due, a dot where it
    came, an arc the turn between them. None where there is nothing to see as points.
    """
    found = picture_views.worst_pairs(picture)
    if not found:
        return None
    planes = Markup("")
    for number, (columns, points) in enumerate(found.items()):
        label = Markup('<text x="{0}" y="{1}">{2[0]}, {2[1]}</text>').format(PLANE // 2, PLANE + 14, columns)
        plane = Markup('<g transform="translate({} 0)">{}</g>')
        planes += plane.format(number * (PLANE + PLANE_GAP), _plane(points) + label)
    return _svg(len(found) * (PLANE + PLANE_GAP) - PLANE_GAP, PLANE + 20, planes)


def _plane(points: Sequence[Point]) -> Markup:
    reach = max(max(map(abs, (*p.due, *p.came))) for p in points) or 1.0
    drawn = Markup('<path class="axis" d="M0 {0}H{1}M{0} 0V{1}"/>').format(PLANE // 2, PLANE)
    for point in points:
        (x, y), (u, v) = (_on_plane(at, reach) for at in (point.due, point.came))
        drawn += Markup('<path class="due" d="M{0} {0}L{1} {2}"/>').format(PLANE // 2, x, y)
        drawn += Markup('<path class="apart" d="M{0} {0}L{1} {2}"/>').format(PLANE // 2, u, v)
        drawn += _arc(point)
        drawn += Markup('<circle class="due" cx="{}" cy="{}" r="5"/>').format(x, y)
        drawn += Markup('<circle class="bad" cx="{}" cy="{}" r="3"/>').format(u, v)
        for a, b in ((x, y), (u, v)):
            drawn += Markup('<text x="{}" y="{}">{}</text>').format(*_beside(a, b), point.row)
    return drawn


def _on_plane(at: tuple[float, float], reach: float) -> tuple[float, float]:
    x, y = (PLANE / 2 * (1 + sign * 0.8 * value / reach) for sign, value in zip((1, -1), at, strict=True))
    return round(x, 1), round(y, 1)


def _beside(x: float, y: float) -> tuple[float, float]:
    """Return where the label of a point goes: further out."""
    out = math.hypot(x - PLANE / 2, y - PLANE / 2) or 1.0
    a, b = (c + 11 * (c - PLANE / 2) / out for c in (x, y))
    return round(a, 1), round(b + 4, 1)


def _arc(point: Point) -> Markup:
    """From the angle that is due to the one that came, the short way."""
    due, came = (math.atan2(y, x) for x, y in (point.due, point.came))
    turn = math.remainder(came - due, math.tau)
    radius = PLANE * (0.14 + 0.05 * (point.row % MOST_ROWS))
    (x, y), (u, v) = (
        (round(PLANE / 2 + radius * math.cos(a), 1), round(PLANE / 2 - radius * math.sin(a), 1)) for a in (due, came)
    )
    path = Markup('<path class="turn" d="M{} {}A{r} {r} 0 0 {} {} {}"/>')
    return path.format(x, y, int(turn < 0), u, v, r=round(radius, 1))


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
                middle, low = x + size // 2, 4 + (6 if square.above else 0)
                parts += text.format(ink, middle, y + size // 2 + low, square.text)
                parts += text.format(ink, middle, y + size // 2 - 2, square.above) if square.above else ""
    columns = max(map(len, rows))
    return _svg(columns * SIDE + GAP, len(rows) * SIDE + GAP, parts, LARGE / SIDE if columns <= FEW else 1)


def _svg(width: int, height: int, parts: Markup, scale: float = 1) -> Markup:
    opening = Markup('<svg aria-hidden="true" viewBox="0 0 {} {}" width="{}" height="{}">')
    return opening.format(width, height, round(width * scale), round(height * scale)) + parts + Markup("</svg>")
