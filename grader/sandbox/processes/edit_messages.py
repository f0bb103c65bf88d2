"""How a worker tells where a source can be changed in one place; part of what a grading process and a worker say."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from grader.sandbox.processes.sheet_messages import Place
from grader.sandbox.processes.values import Message

MOST_EDITS = 400
LONGEST_EDIT = 400  # characters of what it puts in
Kind = Literal["drop", "number", "flag", "order", "compare", "line"]


class FindEdits(Message, frozen=True):
    """Where can this source be changed in one place? It is parsed, not run; the answer is `Edits`."""

    source: str


class Edit(Message, frozen=True):
    """Put `text` in place of what stands from `start` up to `end`, both characters of the source.

    drop: an operation is left out. number: another number. flag: True and False exchanged. order: two things
    exchanged. compare: another comparison. line: a statement is left out.
    """

    kind: Kind
    start: Place
    end: Place
    text: Annotated[str, Meta(max_length=LONGEST_EDIT)]

    def applied(self, source: str) -> str:
        """The source with the change."""
        return source[: self.start] + self.text + source[self.end :]


class Edits(Message, frozen=True):
    """In the order of the source."""

    edits: Annotated[tuple[Edit, ...], Meta(max_length=MOST_EDITS)]
