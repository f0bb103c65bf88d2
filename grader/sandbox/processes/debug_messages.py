"""What the command line and a grading process say about a call that is to be made again outside the sandbox."""

from __future__ import annotations

import msgspec

from grader.intake import Submission
from grader.sandbox.processes.values import Message


class SaveCall(Message, frozen=True):
    """Put the inputs of the call that a report on this exercise would quote into `file`. Answer: `SavedCall`.

    The seed is a whole number, of more digits than a number in a message can have."""

    submission: Submission
    exercise: str
    seed: str
    file: bytes


class SavedCall(msgspec.Struct, frozen=True):
    """The call that was saved: of a function, or of an object `made` of a class; `turns` of several calls in a row.

    failed: whether it is one that fails; where all pass it is any. function: "" where the file cannot be imported.
    """

    function: str = ""
    made: bool = False
    turns: bool = False
    gradients: bool = False
    failed: bool = True
