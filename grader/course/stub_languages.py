"""Exercise files in another language: catalogues translate whole docstrings; a student's text stays as it is."""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Sequence

from grader import catalogues
from grader.texts import Text

NOT_PYTHON = (SyntaxError, ValueError, RecursionError, MemoryError)
_DOCUMENTED = (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_LINE = re.compile(rb"\r\n|\r|\n")  # as Python counts lines
_LITERAL = re.compile(r"([rRuU]?)(\"\"\"|'''|\"|')(.*)\2", re.DOTALL)
_BEFORE = re.compile(r"(?:[ \t]*\n)+|[ \t]*")  # the text of a docstring, and behind it
_BEHIND = re.compile(r"\s*\Z")


def docstring(node: ast.AST) -> str:
    """Return the docstring of a module, a class or a function as catalogues have it; "" if there is none."""
    return (ast.get_docstring(node) or "").rstrip() if isinstance(node, _DOCUMENTED) else ""


def docstrings(source: str) -> list[str]:
    """Return the docstrings of a stub; none if it is not Python."""
    try:
        return [said for node in ast.walk(ast.parse(source)) if (said := docstring(node))]
    except NOT_PYTHON:
        return []


def docstring_in(docstring: str, lang: str) -> str:
    """Translate a docstring from any language into this one; unchanged if no catalogue has it."""
    originals = (catalogues.of(each).originals.get(docstring) for each in catalogues.languages())
    return Text(next(filter(None, originals), docstring)).to(lang)


def in_language(source: str, lang: str) -> str:
    """Return the source with the stub's docstrings in this language, and everything else unchanged.

    Raises:
        SyntaxError: it is not Python.
    """
    tree, data = ast.parse(source), source.encode()
    lines = [0, *(m.end() for m in _LINE.finditer(data))]
    changes = []
    for node in (n for n in ast.walk(tree) if isinstance(n, _DOCUMENTED)):
        found, place = docstring(node), node.body[0] if node.body else None
        if found and isinstance(place, ast.Expr) and (said := docstring_in(found, lang)) != found:
            literal = place.value
            first = lines[literal.lineno - 1] + literal.col_offset
            last = lines[(literal.end_lineno or 0) - 1] + (literal.end_col_offset or 0)
            changes.append((first, last, _rewritten(data[first:last].decode(), said, place.col_offset)))
    for first, last, text in sorted(changes, reverse=True):
        data = data[:first] + text.encode() + data[last:]
    return data.decode()


def _rewritten(literal: str, said: str, column: int) -> str:
    """Return the literal of a docstring with another text, in the same layout and quotes."""
    crlf, literal = "\r\n" in literal, literal.replace("\r\n", "\n")
    found = _LITERAL.fullmatch(literal)
    kind, quote, content = found.groups() if found else ("", '"""', "")
    before = (_BEFORE.match(content) or [""])[0]
    behind = (_BEHIND.search(content, len(before)) or [""])[0]
    deeper = [line for line in content.split("\n")[1:] if line.strip()]
    margin = min((line[: len(line) - len(line.lstrip())] for line in deeper), key=len, default=" " * column)
    first, *rest = said.split("\n")
    body = "\n".join([margin * ("\n" in before) + first, *(margin + line if line else line for line in rest)])
    quote = quote * 3 if "\n" in body and len(quote) == 1 else quote
    if kind not in ("r", "R") or quote in body or body.endswith(("\\", quote[0])):
        kind, body = "", _escaped(body, quote, not behind)
    text = kind + quote + before + body + behind + quote
    return text.replace("\n", "\r\n") if crlf else text


def _escaped(text: str, quote: str, to_the_end: bool) -> str:
    """Escape a text for use between these quotes; `to_the_end`: up to the closing ones."""
    text = text.replace("\\", "\\\\").replace(quote, "".join("\\" + c for c in quote))
    open_end = rf"(?<!\\)((?:\\\\)*){quote[0]}\Z"
    return re.sub(open_end, rf"\1\\{quote[0]}", text) if to_the_end else text


@functools.lru_cache(1 << 10)
def _edition(source: bytes, lang: str) -> bytes:
    try:
        return in_language(source.decode(), lang).encode()
    except NOT_PYTHON:
        return source  # what is not Python has no docstrings


def editions(source: bytes, languages: Sequence[str]) -> frozenset[bytes]:
    """Return a stub in each of these languages."""
    return frozenset({source, *(_edition(source, lang) for lang in languages)})
