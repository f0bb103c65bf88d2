"""The output of a student's code as lines that fit: broken between words, and counted where they are cut."""

from __future__ import annotations

import re

from rich.cells import cell_len

TAB = 4
_WIDE, _OPENING, _CLOSING = "\u2e80-\uffef", "（「『《“‘", "，。；：！？、）」』》”’…"
_UNIT = re.compile(rf"\s+|[{_OPENING}]*(?:[^\s{_WIDE}]+|[{_WIDE}])[{_CLOSING}]*")  # what stays together on a line


def fitted(text: str, width: int, most: int | None) -> tuple[list[str], int]:
    """The first `most` lines (None: all) of a terminal so wide, and how many lines of the text are not among them."""
    shown: list[str] = []
    lines = text.splitlines()
    for number, line in enumerate(lines):
        pieces = broken(line.expandtabs(TAB), width)
        if most is not None and len(shown) + len(pieces) > most:
            return shown or pieces[:most], len(lines) - number  # of a long first line, what fits
        shown += pieces
    return shown, 0


def broken(line: str, width: int, more: int = 0) -> list[str]:
    """The line in pieces of at most `width` columns, between words or Chinese characters where it has any.

    more: columns that the first piece may have besides.
    """
    pieces, piece, room = [], "", width + more
    for unit in _UNIT.findall(line):
        if piece.strip() and cell_len(piece + unit.rstrip()) > room:
            pieces.append(piece.rstrip())
            piece, room = "", width
        piece += unit if piece or not pieces else unit.lstrip()
        while cell_len(piece.rstrip()) > room:
            end = _fits(piece, room)
            pieces.append(piece[:end].rstrip())
            piece, room = piece[end:].lstrip(), width
    return [*pieces, piece.rstrip()] if pieces else [line]


def cut(line: str, width: int) -> str:
    """The line, or as many of its words as fit before a sign that there is more."""
    return line if cell_len(line) <= width else f"{broken(line, max(width - 2, 1))[0]} …"


def _fits(text: str, width: int) -> int:
    """Return how many characters of the text fit, at least one."""
    used = 0
    for number, sign in enumerate(text):
        used += cell_len(sign)
        if used > width:
            return max(number, 1)
    return len(text)
