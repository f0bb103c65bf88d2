"""What comes back from a worker is its claim: whatever it says is decoded into our own data or refused."""

from __future__ import annotations

import socket

import msgspec
import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.errors import CourseError
from grader.sandbox.processes import Channel, Packed, Raised
from grader.sandbox.processes.channel import BrokenFrame
from grader.sandbox.processes.worker_messages import Reply
from grader.sandbox.worker import BadValue
from grader.suites.local import LocalTarget
from grader.suites.target import Call, Outcome, Recorder, StudentError


def deep(levels: int):
    """A list in a list in a list."""
    value: list = []
    for _ in range(levels):
        value = [value]
    return value


def decoded(message: list, payload: bytes = b"") -> Outcome:
    """What a grader makes of a frame with this message, whatever is in it. Raises BrokenFrame or BadValue."""
    ours, theirs = socket.socketpair()
    channel = Channel(ours, Reply)
    try:
        theirs.sendall(Packed(message, [payload]).frame(bytes(8)))
        reply, received, _ = channel.receive()
    finally:
        channel.close()
        theirs.close()
    return Outcome.decode(reply, received)


def test_arrays_of_texts_have_a_device_too():
    """They cross in parts, among which no array is theirs."""
    value = [np.array(["a", "bc"]), {"x": torch.ones(2)}, np.array([["d"]])]
    assert LocalTarget({"f": lambda: value}).call(Call("f", ())).devices == ("cpu", "cpu", "cpu")


def test_an_answer_becomes_an_outcome():
    target = LocalTarget({"f": lambda x, factor: x * factor})
    once, outcome = (
        target.call(Call("f", (torch.ones(2),), {"factor": f}, gradients=True, watch=True)) for f in (1, 3)
    )
    assert torch.equal(outcome.value, torch.full((2,), 3.0))
    assert torch.equal(outcome.gradients[0], 3 * once.gradients[0])
    assert bool((once.gradients[0] != 0).all())
    assert (outcome.devices, outcome.changed, outcome.raised) == (("cpu",), (), None)
    assert "mul" in outcome.operators


def test_the_call_gets_copies():
    x = torch.ones(2)
    outcome = LocalTarget({"f": lambda x: x.zero_()}).call(Call("f", (x,), watch=True))
    assert outcome.changed == (0,)
    assert x.tolist() == [1.0, 1.0]


def test_an_exception_is_an_outcome():
    def f(x):
        raise KeyError("k")

    raised = LocalTarget({"f": f}).call(Call("f", (1,))).raised
    assert raised == StudentError(("KeyError", "LookupError", "Exception", "BaseException"), "'k'")


def test_each_call_finds_the_generators_as_every_other_does():
    """A student who draws random numbers gets the same ones in every call, so the same call gives the same result."""

    def noisy(x):
        return x + torch.rand(2)

    target = LocalTarget({"f": noisy})
    first, second = (target.call(Call("f", (torch.zeros(2),))).value for _ in range(2))
    assert torch.equal(first, second)
    assert bool((first > 0).any())


def test_a_recorder_keeps_what_fits(monkeypatch):
    """How large results are is the student's choice; that a call was made is kept of all."""
    monkeypatch.setattr("grader.suites.target.NOTED_BYTES", 20)
    recorder = Recorder(LocalTarget({"f": lambda x: x + 1}))
    for _ in range(3):
        recorder.call(Call("f", (torch.zeros(2),)))
    assert [None if o.value is None else o.value.tolist() for _, o in recorder.calls] == [[1.0, 1.0], [1.0, 1.0], None]
    assert [o.dropped for _, o in recorder.calls] == [False, False, True]


def test_what_comes_after_a_large_result_is_kept(monkeypatch):
    monkeypatch.setattr("grader.suites.target.NOTED_BYTES", 20)
    recorder = Recorder(LocalTarget({"f": lambda x: x + 1}))
    for size in (50, 2):
        recorder.call(Call("f", (torch.zeros(size),)))
    assert [o.dropped for _, o in recorder.calls] == [True, False]


def test_nan_is_the_same_nan():
    one, same, other = (Call("f", (np.array([1.0, x]),)) for x in (np.nan, np.nan, 2.0))
    assert one.same(same)
    assert not one.same(other)


def test_the_same_call():
    one, same = (Call("f", (torch.ones(2, 3),), {"dim": 1}) for _ in range(2))
    assert one.same(same)
    others = [
        Call("g", (torch.ones(2, 3),), {"dim": 1}),
        Call("f", (torch.ones(2, 3) * 2,), {"dim": 1}),
        Call("f", (torch.ones(3, 2).T,), {"dim": 1}),
        Call("f", (torch.ones(2, 3).half(),), {"dim": 1}),
        Call("f", (torch.ones(2, 3),), {"dim": 0}),
        Call("f", (torch.ones(2, 3),), {"dim": 1}, gradients=True),
    ]
    assert not any(one.same(other) for other in others)


RIGHT = {"types": ["ValueError", "Exception"], "message": "no", "lines": (3, 8)}
CUT = {
    "nothing": ({}, StudentError(("ValueError", "Exception"), "no", (3, 8))),
    "no types": ({"types": []}, StudentError(("Exception",), "no", (3, 8))),
    "a long type": ({"types": ["E" * 500]}, StudentError(("E" * 100,), "no", (3, 8))),
    "a long message": ({"message": "m" * 10**5}, StudentError(("ValueError", "Exception"), "m" * 2000, (3, 8))),
    "control characters": ({"types": ["\x1bE"], "message": "a\u202e\ud800b"}, StudentError(("E",), "a?b", (3, 8))),
    "a long line": ({"types": ["E"], "code": "c" * 10**5}, StudentError(("E",), "no", (3, 8), code="c" * 120)),
    "a shape that is none": (
        {"types": ["E"], "shapes": (("x\x1b", "y" * 500),)},
        StudentError(("E",), "no", (3, 8), shapes=(("x", "y" * 120),)),
    ),
}


@pytest.mark.parametrize("case", CUT)
def test_a_forged_exception_is_cut_to_size(case):
    forged, expected = CUT[case]
    assert StudentError.of(Raised(**{**RIGHT, **forged})) == expected


def test_an_exception_crosses():
    raised = decoded(["Raised", ["ValueError", "Exception"], "no", [3, 8]]).raised
    assert raised == StudentError(("ValueError", "Exception"), "no", (3, 8))


TENSOR = ["tensor", "float32", [1], [1], 0, 4, "cpu", False]
LIES = {
    "types that are text": ["Raised", "E", "no"],
    "types of numbers": ["Raised", [1], "no"],
    "types that are nested": ["Raised", [deep(500)], "no"],
    "too many types": ["Raised", ["E"] * 100, "no"],
    "a message that is nested": ["Raised", ["E"], deep(500)],
    "no message": ["Raised", ["E"]],
    "a line that is none": ["Raised", ["E"], "no", [True]],
    "a line below any file": ["Raised", ["E"], "no", [-1]],
    "a line far above any file": ["Raised", ["E"], "no", [1 << 60]],
    "too many lines": ["Raised", ["E"], "no", [1] * 100],
    "a column of text": ["Raised", ["E"], "no", [], "4"],
    "gradients that are no list": ["Returned", 1, 3],
    "gradients of text": ["Returned", 1, ["list", ["x"]]],
    "a gradient without values": ["Returned", 1, ["list", [["tensor", "float32", [1], [], 0, 0, "meta", False]]]],
    "changed that is no list": ["Returned", 1, None, {"0": 1}],
    "changed by name": ["Returned", 1, None, ["x"]],
    "changed far away": ["Returned", 1, None, [1 << 60]],
    "neither value nor exception": ["Strange", 1],
    "no value": ["Returned"],
    "operators that are text": ["Returned", 1, None, [], "mul"],
    "operators of numbers": ["Returned", 1, None, [], [1]],
    "a largest tensor below nothing": ["Returned", 1, None, [], [], -1],
    "a device that is nested": ["Returned", [*TENSOR[:6], deep(500), False]],
    "a device that is unknown": ["Returned", [*TENSOR[:6], "tpu", False]],
    "a value that is nested": ["Returned", deep(500)],
    "a tensor outside its payload": ["Returned", [*TENSOR[:4], 1, *TENSOR[5:]]],
}


@pytest.mark.parametrize("case", LIES)
def test_a_lie_is_refused(case):
    with pytest.raises((BadValue, BrokenFrame)):
        decoded(LIES[case], bytes(4))


def test_the_same_without_the_lie_is_taken():
    assert decoded(["Returned", TENSOR, None, [0], ["mul"], 1], bytes(4)).devices == ("cpu",)


FORMS = ["tensor", "list", "tuple", "dict", "dtype", "device", "opaque", "Returned", "Raised"]
trees = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats() | st.text(max_size=9) | st.just(TENSOR),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(max_size=3), inner, max_size=3)
        | st.builds(lambda tag, fields: [tag, *fields], st.sampled_from(FORMS), st.lists(inner, max_size=8))
    ),
    max_leaves=8,
)
ANSWERS = [
    ["Returned", TENSOR, ["list", [TENSOR]], [0], ["mul"], 1],
    ["Raised", ["E"], "no", [3], 4, "x", [["x", "y"]]],
]


@settings(max_examples=200)
@given(st.sampled_from(ANSWERS), st.integers(1, 7), trees, st.binary(max_size=8))
def test_hostile_answers(answer, place, put, payload):
    """An Outcome or a refusal, nothing else."""
    try:
        outcome = decoded([*answer[:place], put, *answer[place + 1 :]], payload)
    except (BadValue, BrokenFrame):
        return
    assert all(isinstance(name, str) for name in (*outcome.devices, *outcome.operators))
    if outcome.raised:
        assert all(isinstance(t, str) for t in outcome.raised.types)
        assert isinstance(outcome.raised.message, str)


@settings(max_examples=100)
@given(trees)
def test_hostile_values(value):
    """Whatever value is claimed: taken whole or refused, and never an exception of another kind."""
    try:
        message = msgspec.msgpack.decode(msgspec.msgpack.encode(["Returned", value]), type=Reply)
    except (msgspec.ValidationError, msgspec.DecodeError):
        return
    try:
        outcome = Outcome.decode(message, bytearray(4))
    except BadValue:
        return
    assert outcome.raised is None


@pytest.mark.parametrize(
    ("value", "named"),
    [
        (np.array([1, None]), "numpy.ndarray of dtype object"),
        ([{"f": len}], "builtins.builtin_function_or_method"),
        ({1, 2}, "builtins.set"),
        (10**30, "int of over 64 bits"),
    ],
)
def test_a_suite_that_hands_over_what_does_not_cross_is_at_fault(value, named):
    with pytest.raises(CourseError, match=f"^the suite hands {named} to f; only data crosses to a student's code: "):
        LocalTarget({"f": lambda x: x}).call(Call("f", (value,)))


@pytest.mark.parametrize("number", [np.array(0.5), np.float32(0.5), np.float64(0.5)])
def test_an_array_without_dimensions_is_handed_over_as_the_number_that_it_is(number):
    outcome = LocalTarget({"f": lambda x: (x, type(x).__name__)}).call(Call("f", (number,)))
    assert outcome.value == (0.5, "float")
