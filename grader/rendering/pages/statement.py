"""The statement of an exercise, which a page shows beside the code: its stub's docstrings and what they are about."""

from __future__ import annotations

import ast
import itertools
import re
import textwrap
import unicodedata
from collections.abc import Iterator, Sequence

from markupsafe import Markup, escape
from rich.cells import cell_len

from grader.course.stub_languages import NOT_PYTHON, docstring, docstring_in
from grader.rendering.pages import pages
from grader.texts import translated

EXAMPLE = translated("Example")
WIDTH = 104  # columns: a sentence that ends before them ends its line if the next word had room there
ENDS = (".", ":", "。", "：")
_ITEM = re.compile(r"([\w*][\w*, ]*)[:：]\s*(.*)", re.DOTALL)
_TABLE = re.compile(r"\S {2,}\S")
_CODE = re.compile(r"`([^`\n]+)`|(\[[A-Za-z.][\w.,/* ]*\])")  # what is quoted, and shapes such as [B, T, D]
_Documented = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def statement(source: str, lang: str) -> Markup:
    """The docstrings of a stub as HTML in this language, each function and class below its signature.

    A stub that is not Python has none.
    """
    try:
        tree = ast.parse(source)
    except NOT_PYTHON:
        return Markup("")
    about = Markup('<div class="about">{}</div>').format(_prose(docstring(tree), lang))
    return about + Markup("").join(_documented(tree.body, source.splitlines(), lang))


def _documented(body: Sequence[ast.stmt], lines: Sequence[str], lang: str) -> Iterator[Markup]:
    for node in body:
        if isinstance(node, _Documented) and docstring(node):
            head = (
                textwrap.dedent("\n".join(lines[node.lineno - 1 : node.body[0].lineno - 1])).strip().removesuffix(":")
            )
            shown = Markup("\n").join(pages.coloured(head.split("\n")))
            yield Markup('<div class="asked"><pre class="code">{}</pre>{}</div>').format(
                shown, _prose(docstring(node), lang)
            )
        if isinstance(node, ast.ClassDef):
            yield from _documented(node.body, lines, lang)


def _prose(said: str, lang: str) -> Markup:
    """A docstring: paragraphs, lists, what is indented, and sections such as `Args:`."""
    lines, found = docstring_in(said, lang).split("\n"), Markup("")
    while lines:
        first = lines[0]
        if not first.strip():
            lines.pop(0)
        elif first[0] == " ":
            found += _as_it_is(_taken(lines))
        elif first.rstrip().endswith((":", "：")) and len(lines) > 1 and lines[1].startswith(" "):
            example = lines.pop(0).startswith(EXAMPLE.to(lang))
            found += Markup("<h3>{}</h3>").format(_line(first)) + _section(_taken(lines), example)
        elif first.startswith("- "):
            found += _list(_taken(lines, "-"))
        else:
            end = next((i for i, line in enumerate(lines) if not line.strip() or line[0] == " "), len(lines))
            found += Markup("<p>{}</p>").format(_joined("\n".join(lines[:end])))
            del lines[:end]
    return found


def _taken(lines: list[str], also: str = " ") -> str:
    """Take the lines at the front that are empty, indented, or begin with this sign."""
    end = next((i for i, line in enumerate(lines) if line.strip() and line[0] not in (" ", also)), len(lines))
    taken = textwrap.dedent("\n".join(lines[:end])).strip("\n")
    del lines[:end]
    return taken


def _section(body: str, example: bool) -> Markup:
    items = [_ITEM.fullmatch(item) for item in re.split(r"\n(?=\S)", body)]
    if example or _TABLE.search(body):
        return _as_it_is(body)
    if None in items:
        return Markup("<p>{}</p>").format(_joined(body, breaks=True))
    shown = (Markup("<dt><code>{}</code></dt><dd>{}</dd>").format(i[1], _joined(i[2])) for i in items if i)
    return Markup("<dl>{}</dl>").format(Markup("").join(shown))


def _list(text: str) -> Markup:
    items = re.split(r"(?:\A|\n)- ", text)[1:]
    return Markup("<ul>{}</ul>").format(Markup("").join(Markup("<li>{}</li>").format(_joined(item)) for item in items))


def _as_it_is(text: str) -> Markup:
    return Markup("<pre>{}</pre>").format(text)


def _joined(text: str, breaks: bool = False) -> Markup:
    """Its lines as one; with `breaks` a sentence that ends before its line is full ends the line."""
    lines = [line.strip() for line in text.split("\n")]
    found = _line(lines[0])
    for line, following in itertools.pairwise(lines):
        if breaks and line.endswith(ENDS) and cell_len(line) + 1 + cell_len(following.split(" ")[0]) <= WIDTH:
            found += Markup("<br>")
        elif not (_wide(line[-1:]) and _wide(following[:1])):
            found += " "
        found += _line(following)
    return found


def _wide(character: str) -> bool:
    return bool(character) and unicodedata.east_asian_width(character) in "WF"


def _line(text: str) -> Markup:
    """A text with code in it."""
    found, end = Markup(""), 0
    for match in _CODE.finditer(text):
        found += escape(text[end : match.start()]) + Markup("<code>{}</code>").format(match[1] or match[2])
        end = match.end()
    return found + escape(text[end:])
