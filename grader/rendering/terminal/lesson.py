"""A lesson on the terminal: Markdown, its formulas as plain text, its drawings as characters."""

from __future__ import annotations

import re
from collections.abc import Iterator

from markdown_it import MarkdownIt
from rich.cells import cell_len
from rich.console import RenderableType
from rich.markdown import Markdown
from rich.padding import Padding
from rich.text import Text as Styled

from grader.rendering.lesson_text import FORMULA, Bars, Drawing, Explorable, Matrix, Mistake, parts
from grader.rendering.terminal import pictures
from grader.rendering.terminal.formulas import plain
from grader.texts import translated

HEADINGS = translated("right|wrong")
MOVES = translated("This drawing can be moved in the pages that `grader book` writes.")
BAR = 30
INDENT = 2
_MARKUP = re.compile(r"([\\`*_{}\[\]<>#|~])")


def shown(markdown: str, lang: str, width: int, coloured: bool) -> Iterator[RenderableType]:
    """Yield what to print of a lesson, one part after another."""
    for part in parts(markdown):
        if isinstance(part, str):
            yield prose(with_plain_formulas(part))
            yield ""
        else:
            yield Padding(Styled("\n").join(_drawn(part, lang, width - INDENT, coloured)), (0, 0, 1, INDENT))


def prose(markdown: str, hyperlinks: bool = True) -> Markdown:
    """Parse Markdown as pages do: HTML tags like `<s>` are text, and so are targets of links unless `hyperlinks`."""
    prose = Markdown(markdown, hyperlinks=hyperlinks)
    prose.parsed = MarkdownIt("commonmark", {"html": False}).enable("table").parse(markdown)
    return prose


def with_plain_formulas(markdown: str) -> str:
    """The Markdown with each formula as plain text; those between two dollar signs in a paragraph of their own."""

    def text(match: re.Match[str]) -> str:
        line = _MARKUP.sub(r"\\\1", plain(match[1] or match[2]))
        return f"\n\n> {line}\n\n" if match[1] else line

    return FORMULA.sub(text, markdown)


def _drawn(drawing: Drawing, lang: str, width: int, coloured: bool) -> list[Styled]:
    caption = Styled(_named(drawing.caption), style="italic")
    match drawing:
        case Matrix():
            return [caption, *pictures.alone(drawing.picture, width, coloured)]
        case Mistake():
            right, wrong = HEADINGS.to(lang).split("|")
            return [caption, *pictures.side_by_side(drawing.picture, (right, wrong), width, coloured)]
        case Bars():
            return [caption, *_bars(drawing)]
        case Explorable(look_for=look_for, still=still):
            shown = _drawn(still, lang, width, coloured) if still else []
            return [caption, Styled(_named(look_for)), *shown, Styled(MOVES.to(lang), style="dim")]


def _named(line: str) -> str:
    """A caption or a label, its formulas as plain text."""
    return FORMULA.sub(lambda m: plain(m[1] or m[2]), line)


def _bars(drawing: Bars) -> Iterator[Styled]:
    bars = [(_named(label), value) for label, value in drawing.bars]
    room = max(cell_len(label) for label, _ in bars)
    most = max(value for _, value in bars) or 1.0
    for label, value in bars:
        yield Styled(f"{pictures.padded(label, room)}  {pictures.bar(value / most, BAR)}  {value:.4g}")
