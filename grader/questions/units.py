"""Units behind numbers: which do not matter, and which may make another number of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from grader.questions.numbers import LONGEST, Given, Unreadable
from grader.texts import Text, in_every_language, translated

UNIT = translated("write the number alone, in what the question asks for, without {unit!r}")
_WORDS = """byte parameter param token score head row column channel number entry entries cell word key step layer
    position rad radian time x value pair query queries
    次 倍 步 层 头 位 行 列 字节 参数 词元 弧度 数 格 对 分数 键 词 通道"""
COUNTS = set(_WORDS.split())


def refuse_units(answer: Any, question: Text) -> None:
    """Raises Unreadable for a unit, somewhere in what was read, that may make another number: 2 KB, 3 million."""
    for number in numbers_in(answer):
        if number.unit and not _asked_for(number.unit, question):
            raise Unreadable(UNIT.format(unit=number.unit[:LONGEST]))


def numbers_in(answer: Any) -> Iterator[Given]:
    """The numbers of an answer that was read, row by row."""
    if isinstance(answer, list):
        for item in answer:
            yield from numbers_in(item)
    elif isinstance(answer, Given):
        yield answer


def _asked_for(unit: str, question: Text) -> bool:
    """Whether a unit is a plain count, or one that the question names."""
    words = unit.casefold().split()
    if all(w in COUNTS or w.removesuffix("s") in COUNTS for w in words) or unit.strip("个") in COUNTS | {""}:
        return True
    word = rf"\b{re.escape(unit)}\b"
    return (
        len(unit) > 1
        and not unit.startswith("的")
        and any(unit in said if not unit.isascii() else re.search(word, said) for said in in_every_language(question))
    )
