"""What the command line asks of the grading process that examines; light, since the command line has no torch."""

from __future__ import annotations

from grader.intake import Submission
from grader.sandbox.processes import Message

SERVICE = "grader.viva.draw:main"


class AskSheet(Message, frozen=True):
    """What is this student asked? At most `count` questions about the exercises in `only`, or all. Answer: `Sheet`."""

    submission: Submission
    seed: int
    count: int
    only: tuple[str, ...] = ()
