"""Answers in sentences at the desk: equal ones together, and marks that go where `grader essays` puts them."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path

from grader.desk.index import Index, StudentFacts
from grader.integrations.essays import LONGEST_COMMENT, EssayAnswer
from grader.report import Mark, Marks, essays, keep_marks, read_marks


@dataclasses.dataclass(frozen=True)
class AnswerGroup:
    """Everybody who wrote the same but for spaces and capitals; `id` says nothing of whom."""

    id: str
    members: Sequence[tuple[StudentFacts, EssayAnswer]]

    @property
    def text(self) -> str:
        """The answer, as one of them wrote it."""
        return self.members[0][1].text

    @property
    def points(self) -> float | None:
        """The points that all answers of the group have; None while one has none, or if they differ."""
        found = {a.points for _, a in self.members}
        return found.pop() if len(found) == 1 else None

    @property
    def comment(self) -> str:
        """The comment on the first answer of the group."""
        return self.members[0][1].comment


def group_of(text: str) -> str:
    """The id of the group that an answer is in."""
    return essays.digest(" ".join(text.split()).casefold())


def groups(index: Index, question: str) -> list[AnswerGroup]:
    """The answers to a question, in an order that says nothing of who wrote them."""
    found: dict[str, list[tuple[StudentFacts, EssayAnswer]]] = {}
    for student, answer in index.answers():
        if answer.question == question:
            found.setdefault(group_of(answer.text), []).append((student, answer))
    return [AnswerGroup(id, members) for id, members in sorted(found.items())]


def put(group: AnswerGroup, points: float | None, comment: str, worth: dict[str, float], folder: Path) -> None:
    """Write down the points that a whole group gets, beside the marks that are there now.

    Args:
        points: None lets its answers wait again.
        worth: the points of the exercises that hold such questions.
    """
    before = read_marks(folder)
    marks = {student: dict(theirs) for student, theirs in before.marks.items()}
    for student, answer in group.members:
        theirs = marks.setdefault(student.id, {})
        theirs.pop(answer.question, None)
        if points is not None:
            theirs[answer.question] = Mark(points, comment[:LONGEST_COMMENT], essays.digest(answer.text))
    keep_marks(folder, Marks({s: given for s, given in marks.items() if given}, worth, before.salt))
