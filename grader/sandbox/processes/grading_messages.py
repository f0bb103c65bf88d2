"""The messages between the command line and a grading process, both our own: types, checked whole before use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from grader.intake import Submission
from grader.report import Picture, Verdict
from grader.sandbox.processes.values import Message
from grader.texts import NOTHING, Text


class RunOptions(msgspec.Struct, frozen=True):
    """The options of a run. `device` is auto, cpu or cuda; `only` names exercises, () for all; `kit` is our version.

    one_worker: on the CPU too, one worker runs all files of a submission, as it does on CUDA; see `OneWorkerPool`.
    hurried: a learner waits, so once a check was stopped for time the file gets little time for the others.
    """

    device: str = "auto"
    only: tuple[str, ...] = ()
    kit: str = ""
    one_worker: bool = False
    hurried: bool = False


class Open(Message, frozen=True):
    """Load this course; the answer is `Opened`. Its folder is named in bytes, since names have many encodings."""

    course: bytes
    options: RunOptions


class Opened(msgspec.Struct, frozen=True):
    device: str
    isolation: tuple[str, ...]


class Run(Message, frozen=True):
    """Call a function of ours, `module:name`, with the open course's grader and these arguments, which are what its
    annotations say. The answer is what it returns.
    """

    function: str
    arguments: tuple[Any, ...] = ()


class Texts(msgspec.Struct, frozen=True):
    """The texts of an exercise's checks (or questions) and misconceptions (or wrong answers)."""

    titles: Mapping[str, Text]
    misconceptions: Mapping[str, Text]


class Fields(msgspec.Struct, frozen=True):
    """The input fields of an answer: a number, numbers of a shape, a choice of the question's options (many of them, or
    all in an order), a table of cells (`cell` is number, choice or text), an answer in sentences; anything else is
    text.

    decimals: how many a number needs, 0 for the exact one. whole: True if numbers are right or wrong together.
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

    form: the form of the answer, as a Python expression. options: letter and text. shown: caption and rows of evidence.
    wrong_answers: answer and sentence, whose hint is the mistake's name. example: True if the key is one of many right
    answers. blank: the sheet's content before it is filled in.
    fields: the input fields of a page.
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


class ExampleCall(msgspec.Struct, frozen=True):
    """A call and its result as Python expressions, which use torch's `tensor`.

    before: a line of Python or several each, which import and define the call's values. accepts: the other forms in
    which the suite accepts the function's results; None if it does not say.
    """

    call: str
    result: str
    before: tuple[str, ...] = ()
    accepts: tuple[str, ...] | None = None


class SavedCall(msgspec.Struct, frozen=True):
    """The call that was saved: of a function, or of an object `made` of a class; `turns` of several calls in a row.

    failed: True if it fails; if all pass, it is any call. function: "" if the file cannot be imported.
    """

    function: str = ""
    made: bool = False
    turns: bool = False
    gradients: bool = False
    failed: bool = True


class Part(msgspec.Struct, frozen=True):
    """The text to print next; the last one is empty. `error`: why there is no more."""

    text: str = ""
    error: Text = NOTHING


class ShowSteps(msgspec.Struct, frozen=True):
    """A request for `ShownSteps`: the steps that the code computes in a call, and the solution's.

    check: the id of the check whose call it is; "" for the one that a report would quote, or any if all pass. The
    seed is a whole number with more digits than a number in a message can have. teacher: a teacher asks, who may see
    everything, whatever the course's feedback is. call: one that the teacher typed, in place of a check's.
    """

    submission: Submission
    exercise: str
    seed: str
    check: str = ""
    teacher: bool = False
    call: str = ""


class ShownValue(msgspec.Struct, frozen=True):
    """A value that the code computed, beside the one in its place in the solution.

    state: right up to rounding and the order of axes; wrong; other, if no value of the solution corresponds to it;
    unknown, if that cannot be told. pictures: of its first matrices, if they are small, with the expected ones beside
    them if it is right or wrong. kind: the dtype of an array, or another value as it is written. expected: the
    solution's value by itself, if it has another form.
    """

    name: Text
    state: Literal["right", "wrong", "other", "unknown"]
    shape: tuple[int, ...]
    kind: str
    pictures: tuple[Picture, ...] = ()
    expected: ShownValue | None = None


class ShownStep(msgspec.Struct, frozen=True):
    """One operation: its number in the call, from 1, its line with the code there, the line that led to it.

    first: True if it is the first one that explains why the result is wrong.
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
    """A call and its steps in the code.

    check, title: the check that it belongs to. call: function and arguments as people read them. more: at least how
    many steps are left out. inputs: its arrays. results: what it returns, part by part. error: why it returns nothing.
    refused: True if the solution refuses the arguments with a ValueError. compared: True if the solution's steps are
    known. Without a function the file cannot be imported.
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
    """The value that the function returned."""

    result: Any


class RunFailed(Message, frozen=True):
    """A request failed: the course is at fault, or else the machine."""

    reason: str
    of_course: bool = False
