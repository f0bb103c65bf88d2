"""Two small matrices for the terminal: what was due beside what came, as a heat map in colours or in plain signs."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from rich.cells import cell_len
from rich.text import Text as Styled

from grader.rendering import picture_views
from grader.report import Cell, Picture, same

RISING = (53, 60, 30, 36, 113, 220)  # of the 256 colours of terminals: dark for 0, bright for the largest
AROUND = (25, 67, 110, 253, 216, 173, 130)  # blue below 0, red above
BRIGHT = {36, 110, 113, 173, 216, 220, 253}  # of those, what black is read on
ODD = "black on color(207)"  # NaN and infinities where none is due
SHADES = "·░▒▓█"
WRONG = "*"
GAP = 3

Rows = Sequence[Sequence[Cell]]
Paint = Callable[[float, str], Styled]


def side_by_side(picture: Picture, headings: tuple[str, str], width: int, coloured: bool) -> list[Styled]:
    """Both matrices under their headings, beside each other where `width` columns hold them, else one below the other.

    What is wrong carries a *. Where not even one matrix fits, a cell is a colour or a shade without its number.
    """
    due, came = _painted(picture, width, coloured)
    blocks = [_block(heading, rows) for heading, rows in zip(headings, (due, came), strict=True)]
    left, right = (max(line.cell_len for line in block) for block in blocks)
    if left + GAP + right > width:
        return [*blocks[0], *blocks[1]]
    for line in blocks[0]:
        line.append(" " * (left - line.cell_len + GAP))
    return [one + other for one, other in zip(*blocks, strict=True)]


def _painted(picture: Picture, width: int, coloured: bool) -> tuple[list[list[Styled]], list[list[Styled]]]:
    """The cells of both matrices; without their numbers where these do not fit."""
    digits = _digits(picture)
    texts = [digits(float(v)) for rows in (picture.expected, picture.actual) for row in rows for v in row]
    room = max(map(len, texts))
    paint = _painter(picture, coloured)
    columns = max(len(row) for row in picture.expected)
    if columns * (room + 2 + (not coloured)) > width:
        digits, room = (lambda value: ""), 1 if coloured else 0
    pairs = [list(zip(d, c, strict=True)) for d, c in zip(picture.expected, picture.actual, strict=True)]
    due = [[paint(float(e), f"{digits(float(e)):>{room}} ") for e, _ in row] for row in pairs]
    came = [
        [paint(float(a), f"{digits(float(a)):>{room}}{' ' if same(a, e) else WRONG}") for e, a in row] for row in pairs
    ]
    return due, came


def places(picture: Picture, heading: str, width: int) -> list[Styled]:
    """Return lines that show for each cell where its entry belongs, with a * if that is elsewhere.

    Rows and columns are left out if they do not fit. There are no lines if nothing fits or the places are unknown.
    """
    homes = picture_views.homes(picture)
    if homes is None:
        return []
    for text in (str, lambda home: home.of_matrix or "="):
        cells = [["·" if home is None else text(home) for home in row] for row in homes]
        room = max(cell_len(cell) for row in cells for cell in row)
        if len(cells[0]) * (room + 2) <= width:
            break
    else:
        return []
    lines = [Styled(heading, style="bold")]
    for texts, came, due in zip(cells, picture.actual, picture.expected, strict=True):
        marks = [" " if same(a, e) else WRONG for a, e in zip(came, due, strict=True)]
        lines.append(Styled("".join(f"{t:>{room}}{m} " for t, m in zip(texts, marks, strict=True)).rstrip()))
    return lines


def turned(picture: Picture) -> Iterator[dict[str, Any]]:
    """Yield, for each pair of columns that is off, the row that is off most, as angle and distance from 0."""
    for (one, other), points in picture_views.worst_pairs(picture).items():
        worst = max(points, key=lambda p: p.apart)
        due, came = (f"{math.degrees(math.atan2(*at[::-1])):.0f}° {math.hypot(*at):.3g}" for at in worst[2:4])
        yield {"row": worst.row, "one": one, "other": other, "due": due, "came": came}


def alone(picture: Picture, width: int, coloured: bool) -> list[Styled]:
    """The expected matrix by itself, for a picture in which nothing is wrong."""
    due, _ = _painted(picture, width, coloured)
    return [Styled("").join(row) for row in due]


def _block(heading: str, rows: Sequence[Sequence[Styled]]) -> list[Styled]:
    return [Styled(heading, style="bold"), *(Styled("").join(row) for row in rows)]


def _digits(picture: Picture) -> Callable[[float], str]:
    """Return the function that writes an entry, with as few digits as show the largest mistake."""
    rows = zip(picture.expected, picture.actual, strict=True)
    pairs = [(float(e), float(a)) for due, came in rows for e, a in zip(due, came, strict=True)]
    finite = [v for pair in pairs for v in pair if math.isfinite(v)]
    if all(v == int(v) and abs(v) < 1e6 for v in finite):
        return lambda value: f"{value:.0f}"
    wrong = [(abs(e - a), e, a) for e, a in pairs if math.isfinite(e) and math.isfinite(a) and e != a]
    _, due, came = max(wrong, default=(0.0, 0.0, 1.0))
    small = all(abs(v) < 1000 for v in finite)
    for count in range(2, 7):
        form = f".{count}f" if small else f".{count + 1}g"
        if f"{due:{form}}" != f"{came:{form}}":
            break
    return lambda value: f"{value:{form}}"


def _painter(picture: Picture, coloured: bool) -> Paint:
    """Puts an entry's text on the colour of its value, or behind a shade of it. Both matrices share the scale."""
    finite = [abs(float(v)) for row in picture.expected for v in row if math.isfinite(float(v))]
    most = max(finite, default=0.0) or 1.0
    signed = any(float(v) < 0 for row in picture.expected for v in row)

    def shade(value: float, text: str) -> Styled:
        part = 1.0 if math.isinf(value) else min(abs(value) / most, 1.0)
        sign = "?" if math.isnan(value) else SHADES[math.ceil(part * (len(SHADES) - 1) - 1e-9)]
        return Styled(sign + text)

    def colour(value: float, text: str) -> Styled:
        if not math.isfinite(value):
            return Styled(text, style=ODD)
        part = max(-1.0, min(value / most, 1.0))
        scale = AROUND if signed or part < 0 else RISING
        place = (part + 1) / 2 if scale is AROUND else part
        number = scale[round(place * (len(scale) - 1))]
        wrong = " bold" if WRONG in text else ""
        return Styled(text, style=f"{'black' if number in BRIGHT else 'bright_white'} on color({number}){wrong}")

    return colour if coloured else shade


def bar(part: float, length: int) -> str:
    """A bar of `length` columns of which `part` (0 to 1) is full; full only if all is, empty only if nothing is."""
    full = round(part * length)
    if 0 < part < 1:
        full = min(max(full, 1), length - 1)
    return "█" * full + "░" * (length - full)


def padded(text: str, columns: int) -> str:
    """The text with spaces up to `columns` columns of the terminal; a Chinese character takes two."""
    return text + " " * (columns - cell_len(text))
