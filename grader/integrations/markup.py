"""Writes XML for the files of other systems, and HTML for the texts of a quiz."""

from __future__ import annotations

import html
import re
import xml.etree.ElementTree as ET
from collections.abc import Sequence

_MARKED = re.compile(r"`([^`]+)`|(?<![\\$\w])\$(?![\s$])([^$\n]+?)(?<!\s)\$(?![\w$])")
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def inline(text: str) -> str:
    """Return a sentence as HTML: `code` is set as such, $formulas$ as MathJax takes them."""
    return _marked(html.escape(text, quote=False), "<code>{}</code>")


def plain(text: str) -> str:
    """Return a sentence for a place without HTML."""
    return _marked(text, "{}")


def _marked(text: str, code: str) -> str:
    return _MARKED.sub(lambda m: code.format(m[1]) if m[1] else rf"\({m[2]}\)", text)


def table(rows: Sequence[Sequence[str]]) -> str:
    """Return rows of cells that are HTML already."""
    lines = ("".join(f"<td>{cell}</td>" for cell in row) for row in rows)
    return f'<table border="1" cellpadding="4">{"".join(f"<tr>{line}</tr>" for line in lines)}</table>'


def node(tag: str, *inside: ET.Element | str, **attributes: str) -> ET.Element:
    """Return an element with a text or with other elements inside."""
    found = ET.Element(tag, attributes)
    for part in inside:
        if isinstance(part, str):
            found.text = part
        else:
            found.append(part)
    return found


def document(root: ET.Element, instead: str = "") -> bytes:
    """Return a file of XML, with this `instead` of each character that XML cannot hold."""
    ET.indent(root)
    text = _NOT_XML.sub(instead, ET.tostring(root, encoding="unicode"))
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'.encode()
