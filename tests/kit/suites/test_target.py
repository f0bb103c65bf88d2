"""What comes back from a worker is its claim: whatever it says is decoded into our own data or refused."""

from __future__ import annotations

import json

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from test_wire import trees

from grader.sandbox.worker.wire import BadValue
from grader.suites.target import Call, LocalTarget, Outcome, Raised, decode_raised

RIGHT = {"types": ["ValueError", "Exception"], "message": "no", "line": 3, "column": None}


def deep(levels: int):
    """Nested as far as JSON can be read: writing such a value out would end in RecursionError."""
    return json.loads("[" * levels + "]" * levels)


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
    assert raised == Raised(("KeyError", "LookupError", "Exception", "BaseException"), "'k'", None, None)


def test_an_exception_crosses():
    assert decode_raised(RIGHT) == Raised(("ValueError", "Exception"), "no", 3, None)


EXCEPTIONS = {
    "no types": ({"types": []}, Raised(("Exception",), "no", 3)),
    "a long type": ({"types": ["E" * 500]}, Raised(("E" * 100,), "no", 3)),
    "many types": ({"types": ["E"] * 100}, Raised(("E",) * 8, "no", 3)),
    "a long message": ({"types": ["E"], "message": "m" * 10**5}, Raised(("E",), "m" * 2000, 3)),
    "control characters": ({"types": ["\x1bE"], "message": "a\u202e\ud800b"}, Raised(("E",), "a?b", 3)),
    "lines that are none": ({"types": ["E"], "line": True, "column": "4"}, Raised(("E",), "no")),
    "a line below any file": ({"types": ["E"], "line": -1, "column": 10**30}, Raised(("E",), "no")),
}


@pytest.mark.parametrize("case", EXCEPTIONS)
def test_a_forged_exception_is_cut_to_size(case):
    forged, expected = EXCEPTIONS[case]
    assert decode_raised({**RIGHT, **forged}) == expected


NO_EXCEPTIONS = [
    None, 3, [], "E", {}, {**RIGHT, "types": "E"}, {**RIGHT, "types": [1]}, {**RIGHT, "types": [deep(900)]},
    {**RIGHT, "message": deep(900)}, {"types": ["E"]},
]  # fmt: skip


@pytest.mark.parametrize("facts", NO_EXCEPTIONS, ids=range(len(NO_EXCEPTIONS)))
def test_an_exception_that_is_none(facts):
    with pytest.raises(BadValue):
        Outcome.decode({"raised": facts}, bytearray())


TENSOR = {
    "!": "tensor", "dtype": "float32", "shape": [1], "strides": [1],
    "at": 0, "bytes": 4, "device": "cpu", "grad": False,
}  # fmt: skip
LIES = {
    "gradients that are no list": {"ok": 1, "gradients": 3},
    "gradients of text": {"ok": 1, "gradients": ["x"]},
    "changed that is no list": {"ok": 1, "changed": {"0": 1}},
    "changed by name": {"ok": 1, "changed": ["x"]},
    "neither value nor exception": {"seconds": 1},
    "operators that are no list": {"ok": 1, "operators": "mul"},
    "operators of numbers": {"ok": 1, "operators": [1]},
    "a device that is nested": {"ok": {**TENSOR, "device": deep(900)}},
    "a device that is unknown": {"ok": {**TENSOR, "device": "tpu"}},
    "a value that is nested": {"ok": deep(900)},
}


@pytest.mark.parametrize("case", LIES)
def test_a_lie_is_refused(case):
    with pytest.raises(BadValue):
        Outcome.decode(LIES[case], bytearray(4))


def test_the_same_without_the_lie_is_taken():
    assert Outcome.decode({"ok": TENSOR, "changed": [0], "operators": ["mul"]}, bytearray(4)).devices == ("cpu",)


@settings(max_examples=100)
@given(
    st.dictionaries(
        st.sampled_from(["ok", "raised", "gradients", "changed", "operators", "nonce"]),
        trees | st.fixed_dictionaries({"types": trees, "message": trees, "line": trees, "column": trees}),
    ),
    st.binary(max_size=32),
)
def test_hostile_answers(header, payload):
    """An Outcome or BadValue, nothing else."""
    try:
        outcome = Outcome.decode(header, bytearray(payload))
    except BadValue:
        return
    assert all(isinstance(name, str) for name in (*outcome.devices, *outcome.operators))
    if outcome.raised:
        assert all(isinstance(t, str) for t in outcome.raised.types)
        assert isinstance(outcome.raised.message, str)
