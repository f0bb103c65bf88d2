"""Each message crosses whole; what is none, or goes beyond the bounds of one, is refused before any of it is used."""

from __future__ import annotations

import typing

import msgspec
import pytest

from grader.batch.grading_processes import GRADE
from grader.grading.process import run
from grader.intake import Source, Submission
from grader.sandbox.confinement import ProcessLimits
from grader.sandbox.processes import fork_messages, grading_messages, worker_messages
from grader.sandbox.processes.fork_messages import StartGrading
from grader.sandbox.processes.grading_messages import Open, Run, RunOptions
from grader.sandbox.processes.values import DictForm, ListForm, Message, TensorForm, TupleForm
from grader.sandbox.processes.worker_messages import (
    Called,
    CallFunction,
    CallPrepared,
    DamagedAnswer,
    Edit,
    Edits,
    Evaluate,
    Evaluated,
    FindEdits,
    Inspect,
    Inspected,
    Load,
    Loaded,
    MakeForm,
    Raised,
    ReadSheet,
    Ready,
    Renew,
    Renewed,
    Reply,
    Request,
    Returned,
    SheetRead,
)
from grader.texts import plain

TENSOR = TensorForm("float32", [2, 3], [3, 1], 0, 24, "cpu", True)
DAMAGED = DamagedAnswer("first", "b", "twice", 4, "2")
OF_A_WORKER: list[Message] = [
    Inspect("def f(): pass", "f", ("torch.softmax",), ("f",)),
    ReadSheet("a: 1", 1000, {"first": ("a", "b")}, ("first/b",)),
    FindEdits("def f(x):\n    return -x\n"),
    Load(1 << 20, ("torch.softmax",), ((("softmax", "CPU"),), (("torch.nn.functional", "softmax"),))),
    CallFunction("f", ListForm([TENSOR, 1, None]), DictForm([("x", 0.5), (3, "双语")])),
    CallFunction(
        "f", ListForm([]), DictForm([]), MakeForm(ListForm([]), DictForm([]), None, True, 2), "cuda", True, 1, True
    ),
    Renew("cuda"),
    CallPrepared(3, 1.0),
    Ready(),
    Called((0.5, 0.25)),
    Renewed(True),
    Inspected(("torch.softmax", 3, ""), ["f"]),
    SheetRead(DictForm([("a", "1")]), "7", (DAMAGED,), (("", "c", 3),), True),
    Edits((Edit("drop", 21, 23, "x"), Edit("line", 0, 5, "pass"))),
    Loaded(["f"]),
    Returned(None, recorded=ListForm([ListForm([3, "x", TENSOR])])),
    Returned(TupleForm([TENSOR, True]), ListForm([TENSOR, None]), (0, 2), ("aten::add",), 6),
    Raised(["ValueError", "Exception"], "wrong", (5, 3), 2, "raise ValueError", (("x", "[2, 3]"),), ("add",)),
    Evaluate(1, "value", ListForm([TENSOR]), DictForm([("k", 2.0)])),
]


@pytest.mark.parametrize("message", OF_A_WORKER, ids=lambda m: type(m).__name__)
def test_a_message_of_a_worker_crosses_whole(message):
    either = msgspec.msgpack.decode(msgspec.msgpack.encode(message), type=typing.Union[Request, Reply])  # noqa: UP007
    assert either == message
    assert type(either) is type(message)


def test_every_message_of_a_worker_is_tried():
    assert {type(m) for m in OF_A_WORKER} == {*typing.get_args(Request), *typing.get_args(Reply)}


SUBMISSION = Submission("s1", {"f": Source("x = 1"), "g": Source(None, plain("too large"))}, None, ("x.txt",))
OURS = [
    StartGrading("grader.grading.process:main", "worker:run", ProcessLimits(1 << 28, 5), True, 1),
    Open(b"/course", RunOptions("cuda", ("softmax",), "1.0", True, True)),
    Run("grader.grading.process:graded", ("s1", 7, None)),
]


@pytest.mark.parametrize("message", OURS, ids=lambda m: type(m).__name__)
def test_a_message_between_processes_of_ours_crosses_whole(message):
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(message), type=type(message)) == message


class Noted:
    """A grader that only notes what it is given, and its report."""

    def grade(self, *given):
        self.given = given
        return self

    def to_json(self):
        return "{}"


def test_arguments_arrive_as_the_function_declares_them():
    noted, sent = Noted(), Run(GRADE, (SUBMISSION, "a=b", "7", ("f",)))
    assert run(noted, msgspec.msgpack.decode(msgspec.msgpack.encode(sent), type=Run)) == "{}"
    assert noted.given == (SUBMISSION, "a=b", 7, ["f"])
    with pytest.raises(msgspec.ValidationError):
        run(noted, Run(GRADE, ("s1", "a=b", "7")))


def test_no_two_messages_have_one_name():
    named = {k: v for m in (grading_messages, worker_messages, fork_messages) for k, v in vars(m).items()}.values()
    kinds = [k for k in named if isinstance(k, type) and issubclass(k, Message) and k is not Message]
    tags = [k.__struct_config__.tag for k in kinds]
    assert len(tags) == len(set(tags)) > 20
    assert all(k.__struct_config__.frozen and k.__struct_config__.array_like for k in kinds)


@pytest.mark.parametrize("message", [m for m in OF_A_WORKER if type(m) in typing.get_args(Request)])
def test_a_worker_cannot_ask(message):
    """The grader reads replies only: a request that comes back is none."""
    with pytest.raises(msgspec.ValidationError):
        msgspec.msgpack.decode(msgspec.msgpack.encode(message), type=Reply)


@pytest.mark.parametrize("message", [Evaluated(TENSOR), Evaluated(None, "ValueError", "no")])
def test_the_value_of_a_function_goes_one_way(message):
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(message), type=Evaluated) == message
    with pytest.raises(msgspec.ValidationError):
        msgspec.msgpack.decode(msgspec.msgpack.encode(message), type=Reply)


BEYOND = {
    "a method of a long name": ["Evaluate", 0, "x" * 201, None, None],
    "a generator of an odd name": ["Returned", ["generator", "numpy", "<b>", "{}"]],
    "a generator of a huge state": ["Returned", ["generator", "numpy", "PCG64", "0" * ((1 << 16) + 1)]],
    "a line that is negative": ["Raised", ["E"], "", [-1]],
    "a line beyond every file": ["Raised", ["E"], "", [1 << 20]],
    "more lines than are told": ["Raised", ["E"], "", [1] * 9],
    "more classes than are told": ["Raised", ["E"] * 9, ""],
    "more shapes than are told": ["Raised", ["E"], "", [], None, "", [["x", "[2]"]] * 9],
    "classes that are no texts": ["Raised", [["E"]], ""],
    "a message that is none": ["Raised", ["E"], ["deep"]],
    "an input that is negative": ["Returned", None, None, [-1]],
    "an input that is true": ["Returned", None, None, [True]],
    "a size that is negative": ["Returned", None, None, [], [], -1],
    "a size beyond counting": ["Returned", None, None, [], [], 1 << 62],
    "names that are no texts": ["Loaded", [5]],
    "names without a list": ["Loaded", "scale"],
    "no value": ["Returned"],
    "an edit at no place": ["Edits", [["Edit", "drop", -1, 3, "x"]]],
    "an edit of no kind": ["Edits", [["Edit", "run", 1, 3, "x"]]],
    "an edit that puts in too much": ["Edits", [["Edit", "drop", 1, 3, "x" * 401]]],
    "more edits than are told": ["Edits", [["Edit", "drop", 1, 3, "x"]] * 401],
    "records without a value": ["Returned", None, None, [], [], 0, ["list", [["tensor", "float32"]]]],
    "a value of no kind": ["Returned", ["verdict", "passed"]],
    "a verdict": ["Passed", 4],
    "the tag alone": "Ready",
}


@pytest.mark.parametrize("case", BEYOND)
def test_a_claim_beyond_its_bounds_is_no_message(case):
    with pytest.raises(msgspec.ValidationError):
        msgspec.msgpack.decode(msgspec.msgpack.encode(BEYOND[case]), type=Reply)


def test_what_a_later_version_adds_does_not_disturb():
    """Fields at the end that nobody knows are left out, so that a verdict beside a value is nothing."""
    claimed = msgspec.msgpack.encode(["Returned", 1, None, [], [], 0, None, "passed", 4])
    assert msgspec.msgpack.decode(claimed, type=Reply) == Returned(1)
