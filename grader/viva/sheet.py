"""An oral exam as data: questions about one student's code, each with its options and what proves the answer."""

from __future__ import annotations

import math
from typing import Literal

import msgspec

from grader.texts import Text

Kind = Literal["wrong", "change", "predict", "trace", "why", "mistakes", "result"]
Sign = Literal[" ", "-", "+"]


class Option(msgspec.Struct, frozen=True):
    """One thing to choose; `proof` says what a run gave for it."""

    text: Text
    right: bool
    proof: Text


class Line(msgspec.Struct, frozen=True):
    """A line of a student's file, or of a change to it: `-` goes, `+` comes. `number` counts in the file."""

    sign: Sign
    number: int
    text: str


class Question(msgspec.Struct, frozen=True):
    """What is asked of one student about one of his files. Of one whose answer is `single`, one option is right; else
    some are, never all and never none.
    """

    kind: Kind
    exercise: str
    text: Text
    change: tuple[Line, ...]
    options: tuple[Option, ...]
    single: bool

    @property
    def chance(self) -> float:
        """How often a blind guess is right."""
        return 1 / (len(self.options) if self.single else 2 ** len(self.options) - 2)

    @property
    def right(self) -> tuple[str, ...]:
        """The letters of the right options."""
        return tuple(letter(i) for i, option in enumerate(self.options) if option.right)


class Unasked(msgspec.Struct, frozen=True):
    """An exercise about which nothing is asked, and why."""

    exercise: str
    reason: Text


class Sheet(msgspec.Struct, frozen=True):
    """All that one student is asked. `code` are the lines of the files that it is about, by exercise."""

    student: str
    seed: int
    questions: tuple[Question, ...]
    code: dict[str, tuple[str, ...]]
    unasked: tuple[Unasked, ...]

    @property
    def chance(self) -> float:
        """How many of the questions a blind guesser gets right on average."""
        return math.fsum(q.chance for q in self.questions)


def letter(index: int) -> str:
    """a, b, c, ..."""
    return "abcdefghij"[index]
