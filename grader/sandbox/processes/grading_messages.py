"""What the command line and a grading process say to each other.

Each message is a type, checked whole before anything of it is used. Both sides are ours.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from grader.intake import Submission
from grader.report import Picture, Verdict
from grader.sandbox.processes.values import Message
from grader.texts import NOTHING, Text


class RunOptions(msgspec.Struct, frozen=True):
    """How a run grades. `device` is auto, cpu or cuda; `only` names exercises, () for all; `kit` is our version.

    one_worker: on the CPU too, one worker runs all files of a submission, as it does on CUDA; see `OneWorkerPool`.
    hurried: a learner waits, so that once a check was stopped for time the file gets little time for the others.
    """

    device: str = "auto"
    only: tuple[str, ...] = ()
    kit: str = ""
    one_worker: bool = False
    hurried: bool = False


class Open(Message, frozen=True):
    """Load this course; the answer is `Opened`. Its folder is named in bytes, for names are text in many encodings."""

    course: bytes
    options: RunOptions


class Opened(msgspec.Struct, frozen=True):
    device: str
    isolation: tuple[str, ...]


class Grade(Message, frozen=True):
    """Grade a submission, or of it the exercises in `only`; the answer is a report as JSON. The seed is a whole number,
    of more digits than a number in a message can have."""

    submission: Submission
    fingerprint: str
    seed: str
    only: tuple[str, ...] = ()


class ListTexts(Message, frozen=True):
    """What do the checks and questions of these exercises say, () for all? Answer: `Texts` by exercise."""

    exercises: tuple[str, ...] = ()


class Texts(msgspec.Struct, frozen=True):
    """The texts of an exercise's checks (or questions) and misconceptions (or wrong answers)."""

    titles: Mapping[str, Text]
    misconceptions: Mapping[str, Text]


class ListQuestions(Message, frozen=True):
    """The concept questions as this variant has them. Answer: a list of `DescribedQuestion` by exercise."""

    variant: str


class Fields(msgspec.Struct, frozen=True):
    """What an answer is filled in with: number, numbers of a shape, choice of the question's options (many of them, or
    all in an order), a table of
    cells (`cell` is number, choice or text), written in sentences; anything else is text.

    decimals: how many a number needs, 0 for the exact one. whole: whether numbers are right or wrong together.
    """

    kind: Literal["number", "numbers", "choice", "table", "written", "text"] = "text"
    shape: tuple[int, ...] = ()
    many: bool = False
    ordered: bool = False
    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    cell: str = ""
    decimals: int = 0
    whole: bool = False


class AsWritten(msgspec.Struct, frozen=True):
    """An answer on a sheet that cannot be read, as it stands there."""

    text: str


class DescribedQuestion(msgspec.Struct, frozen=True):
    """A question with its key and evidence, for whoever writes it down; answers as they stand on a sheet.

    form: how it is answered, as a Python expression. options: letter and text. shown: caption and rows of evidence.
    wrong_answers: answer and what it tells, whose hint is the mistake's name. example: whether the key is one of many
    right answers. blank: what the sheet holds before it is filled in.
    fields: what a page asks it with.
    """

    name: str
    points: float
    text: Text
    about: Text
    form: str
    options: tuple[tuple[str, Text], ...]
    rubric: tuple[Text, ...]
    blank: Any
    key: Any
    example: bool
    shown: tuple[tuple[Text, tuple[tuple[str, ...], ...]], ...]
    wrong_answers: tuple[tuple[Any, Text], ...]
    fields: Fields = Fields()


class ListExamples(Message, frozen=True):
    """Short calls with their results. Answer: a list of `ExampleCall` by exercise."""


class ExampleCall(msgspec.Struct, frozen=True):
    """A call and its result as Python expressions, which use torch's `tensor`.

    before: a line of Python or several each, which import and define what the call hands over. accepts: in which other
    forms the suite accepts the function's results; None where it says nothing of it.
    """

    call: str
    result: str
    before: tuple[str, ...] = ()
    accepts: tuple[str, ...] | None = None


class BuildLessons(Message, frozen=True):
    """The lessons of these units, their numbers computed. Answer: text by language, by unit."""

    units: tuple[str, ...]


class GatherEvidence(Message, frozen=True):
    """What one exercise's suite makes of misconceptions and right solutions. Answer: `judgement.Evidence`."""

    exercise: str
    alternatives: str
    seeds: tuple[int, ...]


class ProveSuite(Message, frozen=True):
    """What is unsound about one exercise's suite? Answer: a list of sentences."""

    exercise: str


class SuggestBounds(Message, frozen=True):
    """How far do right results of one exercise lie apart? Answer: a list of sentences, see `authoring.bounds`."""

    exercise: str
    alternatives: str


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


class ShowSteps(Message, frozen=True):
    """What does the code compute in a call, step by step, and what does the solution? Answer: `ShownSteps`.

    check: the id of the check whose call it is; "" for the one that a report would quote, or any where all pass. The
    seed is a whole number, of more digits than a number in a message can have. teacher: whether a teacher asks, who may
    see all, whatever the course's feedback is. call: one that the teacher typed, in place of a check's.
    """

    submission: Submission
    exercise: str
    seed: str
    check: str = ""
    teacher: bool = False
    call: str = ""


class ShownValue(msgspec.Struct, frozen=True):
    """A value that the code computed, beside the one that the solution has in its place.

    state: right but for rounding and the order of axes; wrong; other, where nothing of the solution corresponds to it;
    unknown, where that cannot be told. pictures: of its first matrices, where they are small, the expected ones beside
    where it is right or wrong. kind: the dtype of an array; anything else as it is written. expected: the solution's
    value by itself, where it has another form.
    """

    name: Text
    state: Literal["right", "wrong", "other", "unknown"]
    shape: tuple[int, ...]
    kind: str
    pictures: tuple[Picture, ...] = ()
    expected: ShownValue | None = None


class ShownStep(msgspec.Struct, frozen=True):
    """One operation: which one of the call it is, from 1, its line with the code there, the line that led to it.

    first: whether it is the first one that explains why the result is wrong.
    """

    number: int
    line: int
    caller: int
    code: str
    value: ShownValue
    first: bool = False


class OfferedCheck(msgspec.Struct, frozen=True):
    """A check whose call can be shown."""

    id: str
    title: Text
    verdict: Verdict


class ShownSteps(msgspec.Struct, frozen=True):
    """A call and what the code makes of it.

    check, title: which check it is of. call: function and arguments as people read them. more: how many steps are left
    out, at least. inputs: the arrays that it is given. results: what it returns, part by part. error: why it returns
    nothing. refused: whether the solution refuses the arguments with a ValueError. compared: whether the solution's
    steps are known. Without a function the file cannot be imported.
    """

    checks: tuple[OfferedCheck, ...] = ()
    check: str = ""
    title: Text = NOTHING
    function: str = ""
    call: Text = NOTHING
    steps: tuple[ShownStep, ...] = ()
    more: int = 0
    results: tuple[ShownValue, ...] = ()
    error: Text = NOTHING
    refused: bool = False
    compared: bool = False
    inputs: tuple[ShownValue, ...] = ()


class Done(Message, frozen=True):
    """The answer to a request, of the type that its text names."""

    result: Any


class Fault(Message, frozen=True):
    """Nothing came of a request, for the course is at fault, or else the machine."""

    reason: str
    of_course: bool = False
