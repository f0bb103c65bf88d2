"""The requests of the command line to the grading process that examines; light, since it runs without torch."""

from __future__ import annotations

from grader.intake import Submission
from grader.sandbox.processes import Message

SERVICE = "grader.viva.draw:main"


class AskSheet(Message, frozen=True):
    """The request for a student's `Sheet`: at most `count` questions about the exercises in `only`, or about all."""

    submission: Submission
    seed: int
    count: int
    only: tuple[str, ...] = ()
