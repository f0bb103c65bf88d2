"""Texts of students for nbgrader's pages, which put HTML in Markdown before the eyes of whoever grades as it is."""

from __future__ import annotations

import html
import re
import urllib.parse

from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

from grader.intake import Cell

_TAG = re.compile(r"<(?=[A-Za-z/!?])")  # what begins a tag, a comment or an instruction
_LINK = re.compile(r'(?:href|src)="([^"]*)"')
_BASE64 = re.compile(r"[A-Za-z0-9+/=\s]*")
SCHEMES = ("", "http", "https", "mailto", "data")  # data: pictures; browsers follow no link to data
PICTURES = ("image/png", "image/jpeg", "image/gif")


def harmless(cell: Cell) -> tuple[str, dict[str, dict[str, str]]]:
    """The Markdown of a text cell, with its pictures, that looks as the student meant it and runs nothing."""
    source = _TAG.sub("< ", cell.source)
    kinds = {name: {k: d for k, d in kinds.items() if k in PICTURES} for name, kinds in cell.attachments.items()}
    pictures = {name: data for name, data in kinds.items() if data and all(map(_BASE64.fullmatch, data.values()))}
    if cell.kind == "raw" or not _harmless(source, pictures):
        return quoted(cell.source), {}
    return source, pictures


def _harmless(markdown: str, pictures: dict[str, dict[str, str]]) -> bool:
    """Whether the pages can show it at all, and no link in it runs a program."""
    try:
        page = MarkdownWithMath(renderer=IPythonRenderer(escape=False, attachments=pictures)).render(markdown)
        links = [urllib.parse.urlsplit(html.unescape(link).strip()) for link in _LINK.findall(page)]
    except Exception:  # a picture that is not there, a link that is none, whatever a parser is led into
        return False
    return all(link.scheme in SCHEMES for link in links)


def quoted(text: str) -> str:
    """A text as a Markdown code block: nothing in it is taken for markup."""
    return "\n".join(f"    {line}" for line in storable(text).splitlines())


def storable(text: str) -> str:
    """Text that any file and database takes: no lone surrogates, no null characters."""
    return text.encode("utf-8", "replace").decode().replace("\0", "\ufffd")
