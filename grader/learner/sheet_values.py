"""Writes one answer as it stands after its name on a sheet: as a solved sheet has it, or with more quoting.

Lists and tables in brackets are read as one text for marking, so brackets hold only values that need no quotes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from grader.authoring import answer_sheets
from grader.sandbox.worker.sheet_lines import ODD_BLANKS, UNSEEN

LONGEST_LINE = 100  # characters of a text that stands on the line of its name
_SIMPLE = re.compile(r"(?![%-]*$)(?!%)[\w.+/%-]+")
_ODD = re.compile(f"{UNSEEN.pattern}|{ODD_BLANKS.pattern}|[\x7f-\x9f\u2028\u2029\ufffe\uffff]")


def ways(value: Any, margin: str, flow: bool) -> Iterator[list[str]]:
    """Yield the lines of an answer, the first after the colon: first as people write it, then in ever safer ways.

    Args:
        value: a text, lists or mappings of texts, or None.
        margin: the text before the name of the question.
        flow: True if brackets are around it.
    """
    if value is None:
        yield from ([""], [' ""'])[flow:]  # the other keeps what stands below from being taken for the answer
    elif flow:
        yield [" " + json.dumps(value, ensure_ascii=False)]
    elif isinstance(value, str):
        if _is_block(value):
            yield [
                " |-",
                *(f"{margin}  {line}".rstrip() if not line else f"{margin}  {line}" for line in value.split("\n")),
            ]
        if _SIMPLE.fullmatch(value):
            yield [f" {value}"]
        yield from ([" " + write(value)] for write in (_quoted, _armoured))
    else:
        if _in_brackets(value):
            first, *rows = answer_sheets.entry("x", value)
            yield [first.partition(":")[2], *(margin + row[2:] for row in rows)]
        for write in (_plain, _quoted, _armoured):
            yield ["", *(f"{margin}  {line}" for line in _lines(value, write))]


def _is_block(text: str) -> bool:
    """Return True if the text is easier to read, and read unchanged, in lines of its own."""
    lines = text.split("\n")
    sound = text == text.strip() and not any(line and not line.strip() for line in lines)
    return (len(lines) > 1 or len(text) > LONGEST_LINE) and sound and not re.search(r"[\x00-\x09\x0b-\x1f]", text)


def _in_brackets(value: Any) -> bool:
    if isinstance(value, Mapping):
        return all(map(_in_brackets, value.values()))
    return all(map(_in_brackets, value)) if isinstance(value, list) else not value or bool(_SIMPLE.fullmatch(value))


def _lines(value: Any, write: Any) -> Iterator[str]:
    """Yield a list or a mapping in lines of its own."""
    pairs = ((f"{write(k)}:", v) for k, v in value.items()) if isinstance(value, Mapping) else (("-", v) for v in value)
    for head, item in pairs:
        if not item or isinstance(item, str):
            yield f"{head} {write(item or '')}"
        else:
            yield head
            yield from (f"  {line}" for line in _lines(item, write))


def _plain(text: str) -> str:
    return text if _SIMPLE.fullmatch(text) else _quoted(text)


def _quoted(text: str) -> str:
    """Return the text in quotes; invisible characters become numbers, since they would be removed otherwise."""
    return _ODD.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(text, ensure_ascii=False))


def _armoured(text: str) -> str:
    """Return the text in quotes, with a number for each character that a damaged sheet may read otherwise."""
    return '"' + "".join(c if c.isalnum() or c == " " else f"\\U{ord(c):08x}" for c in text) + '"'
