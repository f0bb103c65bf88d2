"""What our processes say to each other. Each message is a type, checked whole before anything of it is used.

Two conversations: the command line and a grading process, a grading process and a worker. In the second one the other
side may be a stranger's code. What is said about forking stands in `fork_messages`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from grader.intake import Submission
from grader.sandbox.processes.edit_messages import Edits, FindEdits
from grader.sandbox.processes.sheet_messages import Place, ReadSheet, SheetRead
from grader.sandbox.processes.values import Message, Value
from grader.texts import Text

# --- the command line and a grading process


class RunOptions(msgspec.Struct, frozen=True):
    """How a run grades. `device` is auto, cpu or cuda; `only` names exercises, () for all; `kit` is our version.

    one_worker: on the CPU too, one worker runs all files of a submission, as it does on CUDA; see `OneWorkerPool`.
    also: further languages that each report is written in. hurried: a learner waits, so that once a check was stopped
    for time the file gets little time for the others.
    """

    lang: str = "en"
    device: str = "auto"
    only: tuple[str, ...] = ()
    kit: str = ""
    one_worker: bool = False
    also: tuple[str, ...] = ()
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
    """What do the checks and questions say? Answer: `Texts` by exercise."""


class ListTitles(Message, frozen=True):
    """What do the checks and questions of these exercises say? Answer: `Text` by check, by exercise."""

    exercises: tuple[str, ...]


class Texts(msgspec.Struct, frozen=True):
    """An exercise's points, and the texts of its checks (or questions) and misconceptions (or wrong answers)."""

    points: float
    titles: Mapping[str, Text]
    misconceptions: Mapping[str, Text]


class ListQuestions(Message, frozen=True):
    """The concept questions as this variant has them. Answer: a list of `DescribedQuestion` by exercise."""

    variant: str


class DescribedQuestion(msgspec.Struct, frozen=True):
    """A question with its key and evidence, for whoever writes it down; answers as they stand on a sheet.

    form: how it is answered, as a Python expression. options: letter and text. shown: caption and rows of evidence.
    wrong_answers: answer and what it tells. example: whether the key is one of many right answers. blank: what the
    sheet holds before it is filled in.
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


class ListExamples(Message, frozen=True):
    """Short calls with their results. Answer: a list of `ExampleCall` by exercise."""


class ExampleCall(msgspec.Struct, frozen=True):
    """A call and its result as Python expressions, which use torch's `tensor`."""

    call: str
    result: str


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


class Done(Message, frozen=True):
    """The answer to a request, of the type that its text names."""

    result: Any


class CourseFault(Message, frozen=True):
    reason: str


class MachineFault(Message, frozen=True):
    reason: str


# --- a grading process and a worker: requests


class Inspect(Message, frozen=True):
    """Parse this source, run nothing of it; the answer is `Inspected`. `graded` are the functions to be called.

    The source may be a cell of a notebook: then `cells` are its other cells, and it stands before number `at` of them.
    """

    source: str
    name: str
    forbid: tuple[str, ...]
    graded: tuple[str, ...] = ()
    cells: tuple[str, ...] | None = None
    at: int = 0


class Load(Message, frozen=True):
    """Take what is forbidden out of torch, then run the source that was inspected; the answer is `Loaded`.

    forbid: the calls by their names. withheld: the operators and functions that they stand for.
    """

    cap: int
    forbid: tuple[str, ...] = ()
    withheld: tuple[tuple[tuple[str, str], ...], tuple[tuple[str, str], ...]] = ((), ())


class Renew(Message, frozen=True):
    """Another file is to come: be as before the first one, ready to compute on `device`; the answer is `Renewed`."""

    device: Literal["cpu", "cuda"] = "cpu"


class MakeForm(Message, frozen=True):
    """How an object of a class is made before it is called, see `Made`."""

    args: Value
    kwargs: Value
    state: Value
    train: bool
    objects: int


class CallFunction(Message, frozen=True):
    """Call a function, or objects of a class; the answer is `Returned`. With `turns`, each argument is a call's.

    `record` asks for the values that the file's variables take on the way. shared: where in the memory that the grader
    sees too the inputs stand, and how many bytes; else they come with the request. bounded: little memory is allowed.
    """

    function: str
    args: Value
    kwargs: Value
    made: MakeForm | None = None
    device: str = "cpu"
    gradients: bool = False
    only: int | None = None
    watch: bool = False
    contract: bool = False
    turns: bool = False
    record: bool = False
    shared: tuple[Place, Place] | None = None
    bounded: bool = False


Request = Inspect | ReadSheet | FindEdits | Load | Renew | CallFunction


# --- a grading process and a worker: replies, each the student's claim


class Ready(Message, frozen=True):
    """Before any request: the worker is confined and serves."""


class Renewed(Message, frozen=True):
    """Whether nothing of the last file is left in the worker, as far as it can tell."""

    whole: bool


class Inspected(Message, frozen=True):
    """The first forbidden name that the source mentions, with its line; the names that it defines.

    `cells` are the numbers of the other cells that it needs. loops: first and last line of each, and whether it is a
    `while`.
    """

    borrowed: tuple[str, Place] | None
    defines: list[str]
    cells: tuple[Place, ...] = ()
    loops: Annotated[tuple[tuple[Place, Place, bool], ...], Meta(max_length=200)] = ()


class Loaded(Message, frozen=True):
    """What can be called, and what of it does nothing but `raise NotImplementedError`."""

    names: list[str]
    unwritten: tuple[str, ...] = ()


class Returned(Message, frozen=True):
    """What a call gave: its value, gradients, which inputs it changed, what it ran, its largest tensor.

    Among the inputs changed, the number after the last tensor's stands for a list, a dict or the names in a state_dict.
    `recorded` is a list of [line, variable, value].
    """

    value: Value
    gradients: Value = None
    changed: tuple[Place, ...] = ()
    operators: tuple[str, ...] = ()
    largest: Annotated[int, Meta(ge=0, lt=1 << 62)] = 0
    recorded: Value = None


class Raised(Message, frozen=True):
    """An exception of the student's: class names from the most derived up, message, and where in the file.

    lines: the one that raised, then the one that called that function, and so on, each once. code: the first of them.
    shapes: of the tensors that it names. column: of a syntax error.
    """

    types: Annotated[list[str], Meta(max_length=8)]
    message: str
    lines: Annotated[tuple[Place, ...], Meta(max_length=8)] = ()
    column: Place | None = None
    code: str = ""
    shapes: Annotated[tuple[tuple[str, str], ...], Meta(max_length=8)] = ()
    operators: tuple[str, ...] = ()


Reply = Ready | Renewed | Inspected | SheetRead | Edits | Loaded | Returned | Raised
