"""The messages between a grading process and a worker: requests, and replies that may be a stranger's.

Each message is a type, checked as a whole before any part of it is used.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from grader.sandbox.processes.values import MAX_ITEMS, Message, Value, Withheld

Place = Annotated[int, Meta(ge=0, lt=1 << 20)]  # a line, a column
Names = Annotated[tuple[str, ...], Meta(max_length=MAX_ITEMS)]
Word = Annotated[str, Meta(max_length=200)]
MOST_EDITS = 400
MOST_LEFT_OUT = 20  # statements that are told of
LONGEST_EDIT = 400  # characters of what an edit puts in
DamageKind = Literal["unreadable", "character", "twice", "alias", "size", "stray", "comment"]
Record = Literal["", "variables", "steps"]
EditKind = Literal["drop", "number", "order", "compare", "line"]

# --- requests


class Inspect(Message, frozen=True):
    """Parse this source without running it; the answer is `Inspected`. `graded` are the functions to be called.

    The source may be a cell of a notebook: then `cells` are its other cells, and it stands before number `at` of them.
    files: the student's other files by their paths, which can be imported; folder: where the source stands among them.
    bare: nothing is to run but what the functions need.
    """

    source: str
    name: str
    forbid: tuple[str, ...]
    graded: tuple[str, ...] = ()
    cells: tuple[str, ...] | None = None
    at: int = 0
    files: Mapping[str, str] = msgspec.field(default_factory=dict)
    folder: str = ""
    bare: bool = False


class ReadSheet(Message, frozen=True):
    """Parse this answer sheet; the answer is `SheetRead`. `cap` bounds the bytes of the answer, as below.

    questions: the names of the questions of each section. prose: those answered in sentences, as section/name.
    """

    source: str
    cap: int
    questions: Mapping[str, tuple[str, ...]]
    prose: tuple[str, ...] = ()


class FindEdits(Message, frozen=True):
    """Ask where this source can be changed in one place. It is parsed, not run; the answer is `Edits`."""

    source: str


class Load(Message, frozen=True):
    """Take the forbidden calls out of torch, then run the source that was inspected; the answer is `Loaded`.

    forbid: the calls by their names. withheld: the operators and functions that they stand for.
    """

    cap: int
    forbid: tuple[str, ...] = ()
    withheld: Withheld = ((), ())


class Renew(Message, frozen=True):
    """Reset the worker for another file, ready to compute on `device`; the answer is `Renewed`."""

    device: Literal["cpu", "cuda"] = "cpu"


class Evaluated(Message, frozen=True):
    """The result of a function that a call was given: its value, or the class and message of Python's own exception."""

    value: Value
    error: str = ""
    message: str = ""


class MakeForm(Message, frozen=True):
    """The way to make an object of a class, or the function that a function returns, before a call: see `Made`."""

    args: Value
    kwargs: Value
    state: Value
    train: bool
    objects: int
    method: str = ""


class CallFunction(Message, frozen=True):
    """Call a function, or objects of a class; the answer is `Returned`. With `turns`, each argument is a call's.

    `record` asks for what happens on the way: the values of the file's variables, or its steps in torch.
    shared: offset and size of the inputs in the memory that the grader sees too; else they come with the request.
    bounded: little memory is allowed. take: the most items to take from an iterator. left: the result is a dict of
    these arguments, by name and place, as the call leaves them; without a name, the returned value.
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
    record: Record = ""
    shared: tuple[Place, Place] | None = None
    bounded: bool = False
    take: int | None = None
    left: tuple[tuple[str, int], ...] = ()


class CallPrepared(Message, frozen=True):
    """Make many calls one after another, from the `first` on, for so many seconds; the answer is `Called`.

    The calls are those that the worker has; else they come with the request, a list of `PreparedCall`.
    """

    first: Annotated[int, Meta(ge=0)]
    seconds: float


class PreparedCall(Message, frozen=True):
    """A call that every file of an exercise gets, with the bytes of its inputs, which are decoded before the fork."""

    request: CallFunction
    payload: bytes


Request = Inspect | ReadSheet | FindEdits | Load | Renew | CallFunction | CallPrepared


# --- replies, each the student's claim


class Ready(Message, frozen=True):
    """Sent before any request: the worker is confined and serves."""


class Called(Message, frozen=True):
    """The seconds that each call took; the answers come with it, as frames without a nonce one after another."""

    seconds: Annotated[tuple[float, ...], Meta(max_length=MAX_ITEMS)]


class Renewed(Message, frozen=True):
    """True if nothing of the last file is left in the worker, as far as it can tell."""

    whole: bool


class Inspected(Message, frozen=True):
    """The first forbidden name that the source mentions, with its line, and the file if it is another one of the
    student's; the names that it defines.

    `cells` are the numbers of the other cells that it needs. loops: first and last line of each, and True for a
    `while`.
    plain: the first call that would compile code, which runs here as it is written, with its line. bare: True if code
    that the functions do not need is left out.
    """

    borrowed: tuple[str, Place, Word] | None
    defines: Annotated[list[str], Meta(max_length=MAX_ITEMS)]
    cells: Annotated[tuple[Place, ...], Meta(max_length=MAX_ITEMS)] = ()
    loops: Annotated[tuple[tuple[Place, Place, bool], ...], Meta(max_length=200)] = ()
    plain: tuple[Word, Place] | None = None
    bare: bool = False


class DamagedAnswer(Message, frozen=True):
    """The damage to one answer of a sheet, and its line. For `twice`, detail is the line of the first answer."""

    section: Word
    question: Word
    kind: DamageKind
    line: Place
    detail: Word = ""


class SheetRead(Message, frozen=True):
    """The answers by section and question. unknown: section ("" for none), name and line of names that no question has.

    filled: True if the sheet holds anything but comments.
    """

    answers: Value
    variant: str = ""
    damaged: Annotated[tuple[DamagedAnswer, ...], Meta(max_length=5000)] = ()
    unknown: Annotated[tuple[tuple[Word, Word, Place], ...], Meta(max_length=50)] = ()
    filled: bool = False


class Edit(Message, frozen=True):
    """Put `text` in place of the source from character `start` up to `end`.

    drop: an operation or an argument with a name is left out. number: another number. order: two things exchanged.
    compare: another comparison. line: a statement is left out.
    """

    kind: EditKind
    start: Place
    end: Place
    text: Annotated[str, Meta(max_length=LONGEST_EDIT)]

    def applied(self, source: str) -> str:
        """Return the source with the change."""
        return source[: self.start] + self.text + source[self.end :]


class Edits(Message, frozen=True):
    """The possible edits in the order of the source."""

    edits: Annotated[tuple[Edit, ...], Meta(max_length=MOST_EDITS)]


class Raised(Message, frozen=True):
    """An exception of the student's: class names from the most derived up, message, and where in the file.

    lines: the one that raised, then the one that called that function, and so on, each once. code: the first of them.
    shapes: of the tensors that it names. column: of a syntax error. recorded: as `Returned` has it.
    """

    types: Annotated[list[str], Meta(max_length=8)]
    message: str
    lines: Annotated[tuple[Place, ...], Meta(max_length=8)] = ()
    column: Place | None = None
    code: str = ""
    shapes: Annotated[tuple[tuple[str, str], ...], Meta(max_length=8)] = ()
    operators: Names = ()
    recorded: Value = None


class Evaluate(Message, frozen=True):
    """Sent before the answer to a call: compute a function that it was given; the reply is `Evaluated`.

    number, method: see `FunctionForm`.
    """

    number: int
    method: Word
    args: Value
    kwargs: Value


class LeftOut(Message, frozen=True):
    """A statement that no graded function needs and that failed: its file, its line, the exception."""

    file: Word
    line: Place
    error: Raised


class Loaded(Message, frozen=True):
    """The functions that can be called, those that only `raise NotImplementedError`, and what was left out."""

    names: Annotated[list[str], Meta(max_length=MAX_ITEMS)]
    unwritten: Annotated[tuple[str, ...], Meta(max_length=MAX_ITEMS)] = ()
    left_out: Annotated[tuple[LeftOut, ...], Meta(max_length=MOST_LEFT_OUT)] = ()


class Returned(Message, frozen=True):
    """The outcome of a call: value, gradients, the inputs that it changed, the functions it ran, its largest tensor.

    Among the inputs changed, the number after the last tensor's stands for a list, a dict or the names in a state_dict.
    `recorded` is a list of [line, variable, value], or of steps as `Steps` has them.
    """

    value: Value
    gradients: Value = None
    changed: Annotated[tuple[Place, ...], Meta(max_length=MAX_ITEMS)] = ()
    operators: Names = ()
    largest: Annotated[int, Meta(ge=0, lt=1 << 62)] = 0
    recorded: Value = None


Reply = Ready | Called | Renewed | Inspected | SheetRead | Edits | Loaded | Returned | Raised | Evaluate
