"""How a worker tells what stands on an answer sheet; part of what a grading process and a worker say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Meta

from grader.sandbox.processes.values import Message, Value

Place = Annotated[int, Meta(ge=0, lt=1 << 20)]  # a line, a column
Word = Annotated[str, Meta(max_length=200)]


class ReadSheet(Message, frozen=True):
    """Parse this answer sheet; the answer is `SheetRead`. `cap` bounds the bytes of what comes back, as below.

    questions: the names of the questions of each section. prose: those answered in sentences, as section/name.
    """

    source: str
    cap: int
    questions: Mapping[str, tuple[str, ...]]
    prose: tuple[str, ...] = ()


class DamagedAnswer(Message, frozen=True):
    """What is wrong with one answer of a sheet, and in which line. For `twice`, detail is the line of the first one."""

    section: Word
    question: Word
    kind: Literal["unreadable", "character", "twice", "alias", "size", "stray", "comment"]
    line: Place
    detail: Word = ""


class SheetRead(Message, frozen=True):
    """The answers by section and question. unknown: section ("" for none), name and line of what no question is called.

    filled: whether anything but comments stands on the sheet.
    """

    answers: Value
    variant: str = ""
    damaged: Annotated[tuple[DamagedAnswer, ...], Meta(max_length=5000)] = ()
    unknown: Annotated[tuple[tuple[Word, Word, Place], ...], Meta(max_length=50)] = ()
    filled: bool = False
