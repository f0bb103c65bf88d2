"""Reads several numbers in one text, as people write them: with or without brackets, commas, rows, units."""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from grader.catalogues import ENGLISH, Signs
from grader.questions import numbers
from grader.questions.expressions import NOT_A_NUMBER
from grader.questions.numbers import LONGEST, TypedNumber, Unreadable, parsed, tidy
from grader.texts import translated

LONGEST_LIST = 5_000  # characters
WRONG_SIZE = translated("expected {want} numbers, got {got}")
WRONG_SHAPE = translated("expected {rows} rows of {columns} numbers, got {got_rows} of {got_columns}")
COMMAS = translated("commas were read as separators of numbers; write decimals with a point, as in 0.25")
NO_LIST = translated("write numbers only, without names")

_WRAPPERS = re.compile(
    r"(?:\b(?:torch|np|numpy)\.)?\b(?:tensor|array|Size|list|tuple|matrix)\s*(?=[\[(])", re.IGNORECASE
)
_LABEL = re.compile(
    r"^\(?[A-Za-z][^=]{0,80}=\s*(?=[\[(][^=]*$)|^\s*[A-Za-z_]\w{0,20}\s*=\s*(?=[\[(\d.+-])|^[^\d=:,;()\[\]]{1,40}:\s*(?=[\[(])"
)
_NAME = re.compile(r"(^|[\]),;])\s*(?!(?:or|not|und?)\b)([^\W\d_]\w{0,20}\s*[=:]?|and|和|与)\s*(?=\[)", re.IGNORECASE)
_AND = re.compile(r"(?<=[\])])\s*(?:,\s*)?(?:and\b|和|与)\s*(?=[\[(])", re.IGNORECASE)
_COUNTED = re.compile(r"(?:^|(?<=[\s,;]))\(?([0-9]{1,2})(?:[):]\s*|\.\s+)(?=[-+.0-9])")
# What may stand between two numbers, from the most generous to the strictest.
SEPARATORS = (
    r"[\s,、]+",  # any blank or comma
    r",(?![0-9]{3}(?![0-9]))[\s,]*|[\s、]+",  # not the commas of 1,050,624
    r"\s*(?:[,、和与]|\band\b)\s*",  # not the blanks of 1 050 624 or of 64 bytes
    r",\s+|\s*[、和与]\s*|\s+and\s+",  # neither
    r"[\s,、。]+",  # Chinese stops too
    r"\s*(?:[-=]?>|→|[\s,](?:and|x)\s|[x*]|和|与)\s*|[\s,、]+",  # arrows, words, the cross of a size
)
BLANKS = r",?\s+"  # where commas are decimal ones


def read(given: Any, shape: Sequence[int], exact: bool = False, signs: Signs = ENGLISH) -> list[TypedNumber]:
    """Return numbers of this shape, row by row; `signs`: how their language writes numbers. Raises Unreadable."""
    if isinstance(given, Mapping):
        raise Unreadable(NO_LIST)
    want = math.prod(shape)
    rows = _rows(given, want)
    found: dict[tuple[float, ...], list[TypedNumber]] = {}
    for separator in (*SEPARATORS, BLANKS) if signs.comma else SEPARATORS:
        tokens = [[t for t in re.split(separator, row) if t.strip(" ,、。")] for row in rows]
        if sum(map(len, tokens)) == want and (values := _values(tokens, signs, exact)):
            sure = signs.comma and any("," in token for row in tokens for token in row)
            found.setdefault(tuple(v.value for v in values), values if exact or sure else _doubtful(rows, values))
            lengths = list(map(len, tokens))
    if not found:
        slash = "/" if str(given).count("/") == want - 1 > 1 else " / "  # 1/2/3 is no number
        if isinstance(given, str) and slash in given[:LONGEST_LIST]:
            return read(given.replace(slash, " | "), shape, exact, signs)
        raise _problem(rows, want, signs)
    readings = list(found.values())
    if len(readings) > 1:
        raise Unreadable(numbers.TWO_WAYS.format(got="; ".join(rows)[:LONGEST]))
    _same_shape(lengths, shape)
    return readings[0]


def _rows(given: Any, want: int) -> list[str]:
    """Return the texts of the innermost brackets, or of the lines if there are none."""
    if isinstance(given, list):
        return [row for item in given for row in _rows(item, want)]
    if len(str(given)) > LONGEST_LIST:
        raise Unreadable(WRONG_SIZE.format(want=want, got=len(re.findall(r"[^\s,;\[\]{}]+", str(given)))))
    text = "\n".join(filter(None, map(tidy, str(given).split("\n"))))  # a long run of blanks takes long to look through
    text = _uncounted(numbers.unremarked(numbers.unsaid(text)), want)
    text = _LABEL.sub("", numbers.SETTINGS.sub("", _WRAPPERS.sub("", text)))
    text = _NAME.sub(r"\1 ", _bracketed(_AND.sub(", ", text)))
    text = re.sub(r"≈\s*", "", text)
    text = re.sub(r"\s*([/^])\s*|\s*(\*)\s*|\s+(?=%)", lambda m: m[1] or m[2] or "", text)
    text = re.sub(r"(?<=[0-9])。(?=[0-9])", ".", text) if not re.search(r"\.[0-9]+。", text) else text
    return [row.strip(" ,;、。'") for row in re.split(r"[\[\]{};|\n]+", text) if row.strip(" ,;、。'.")]


def _uncounted(text: str, want: int) -> str:
    """Return the text without the numbering of its answers: `(1) 72 (2) 48`, `1: 72, 2: 48`."""
    marks = [int(m[1]) for m in _COUNTED.finditer(text)]
    return _COUNTED.sub("", text) if want > 1 and marks == list(range(1, want + 1)) else text


def _bracketed(text: str) -> str:
    """Replace round brackets that hold a list, not a part of an expression, by square ones."""
    out, begun = list(text), []
    for at, c in enumerate(text):
        if c == "(":
            before = text[max(at - 2, 0) : at].rstrip()[-1:]  # a tidy text has single blanks
            begun.append((at, before in ("", "[", "(", ",", ";", "、")))
        elif c == ")" and begun:
            start, apart = begun.pop()
            if apart and re.search(r"[,;、()]|[0-9]\s+[-.0-9]", text[start + 1 : at]):
                out[start], out[at] = "[", "]"
    return "".join(out)


def _values(rows: Sequence[Sequence[str]], signs: Signs, exact: bool) -> list[TypedNumber] | None:
    try:
        return [parsed(token, signs, exact) for row in rows for token in row]
    except Unreadable:
        return None


def _problem(rows: Sequence[str], want: int, signs: Signs) -> Unreadable:
    """Describe why no reading of a text gives `want` numbers."""
    whole = " ; ".join(rows)
    comma = None if signs.comma or "." in whole else re.search(r"(?<![0-9,])[0-9]+,[0-9]+", whole)
    if comma and (comma.group().startswith("0,") or not re.search(r"[0-9],[0-9]+,[0-9]", whole)):
        return Unreadable(numbers.DECIMAL_POINT.format(got=comma.group()[:LONGEST]))
    tokens = [t for row in rows for t in re.split(BLANKS if signs.comma else SEPARATORS[0], row) if t]
    if len(tokens) == want:
        for token in tokens:
            try:
                parsed(token, signs)
            except Unreadable as error:
                return error
    found = [t for t in tokens if re.search("[0-9]", t)]
    if tokens and len(found) in (0, want):
        words = next(t for t in tokens if t not in found) if found else whole
        return Unreadable(NOT_A_NUMBER.format(got=words[:LONGEST]))
    return Unreadable(WRONG_SIZE.format(want=want, got=len(found)))


def _same_shape(lengths: Sequence[int], shape: Sequence[int]) -> None:
    """Raise Unreadable if the rows plainly differ from those asked for."""
    if len(shape) == 2 and len(lengths) > 1 and set(lengths) not in ({1}, {shape[1]}):
        facts = {"rows": shape[0], "columns": shape[1], "got_rows": len(lengths), "got_columns": max(lengths)}
        raise Unreadable(WRONG_SHAPE.format(**facts))


def _doubtful(rows: Sequence[str], values: list[TypedNumber]) -> list[TypedNumber]:
    """Return the values; marked, if commas between digits may have been decimal ones."""
    if "." in "".join(rows) or not re.search(r"[0-9],[0-9]", " ; ".join(rows)):
        return values
    return [v if v.unsure else dataclasses.replace(v, unsure=COMMAS) for v in values]
