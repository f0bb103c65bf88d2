"""Makes students' texts safe for nbgrader's pages, which show HTML in Markdown to the grader as it is.

Nothing here parses Markdown: for a parser, and for those pages, a few kilobytes can be made to take hours. Long, deep
or doubtful text is shown as it was typed.
"""

from __future__ import annotations

import html
import re

from grader.intake import Cell

MOST = 20_000  # characters of a text that is rendered
DEPTH = 40  # of quotes, lists and brackets in one another
PICTURES = ("image/png", "image/jpeg", "image/gif")
_TAG = re.compile(r"<(?=[A-Za-z/!?])")  # what begins a tag, a comment or an instruction
_REMOTE = re.compile(r"!(?=\[[^\]\n]*\](?!\((?:attachment:|data:image/)))")  # a picture that would call home: a link
_ATTACHED = re.compile(r"attachment:([^)\s\"'>]*)")
_RUNS = re.compile(r"(?:javascript|vbscript|data):(?!image/(?:png|jpeg|gif)[;,])")
_BASE64 = re.compile(r"[A-Za-z0-9+/=\s]*")
_UNSEEN = re.compile(r"[\x00-\x20\x7f-\xa0\u200b-\u200f\u2028-\u202f\u2060\ufeff]")


def harmless(cell: Cell) -> tuple[str, dict[str, dict[str, str]]]:
    """Return the Markdown of a text cell, with its pictures, that looks as the student meant it and runs nothing."""
    source = _REMOTE.sub("", _TAG.sub("< ", cell.source[: MOST + 1]))
    kinds = {name: {k: d for k, d in kinds.items() if k in PICTURES} for name, kinds in cell.attachments.items()}
    pictures = {name: data for name, data in kinds.items() if data and all(map(_BASE64.fullmatch, data.values()))}
    deep = any(_opened(line) > DEPTH for line in source.splitlines())  # more often than a person would write it
    if cell.kind == "raw" or len(cell.source) > MOST or deep or _runs(source):
        return quoted(cell.source), {}
    if not set(_ATTACHED.findall(source)) <= set(pictures):  # nbgrader's page would end with an error
        return quoted(cell.source), {}
    return source, pictures


def _opened(line: str) -> int:
    """Return how deep items may be nested."""
    return max(sum(map(line.count, marks)) for marks in ("[", "(", ">", "*", "_", "`", "~", "-+", "!"))


def _runs(source: str) -> bool:
    """Return True if an address in it may run a program, however it is spelt."""
    plain = source
    for _ in range(3):  # &amp;#106; is unescaped as often as anyone does
        plain = html.unescape(plain)
    return bool(_RUNS.search(_UNSEEN.sub("", plain).lower().replace("\\", "")))


def quoted(text: str) -> str:
    """Return a text as a Markdown code block: nothing in it is read as markup."""
    return "\n".join(f"    {line}" for line in storable(text).splitlines())


def storable(text: str) -> str:
    """Return text that any file and database takes: no lone surrogates, no null characters."""
    return text.encode("utf-8", "replace").decode().replace("\0", "\ufffd")
