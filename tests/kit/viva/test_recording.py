"""What variables become while a call runs, as the worker notes it, and as the grader reads such a claim."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from grader.sandbox.processes import BadValue, Inspect, Load, Raised
from grader.sandbox.worker import wire
from grader.sandbox.worker.worker import Session
from grader.suites.target import Call, Outcome
from grader.viva.runs import alike, records

pytestmark = pytest.mark.usefixtures("as_before")

SOURCE = """import torch

def helper(h):
    twice = h * 2
    return twice

def f(x):
    y = x + 1
    y += 1
    z = helper(y)
    for i in range(2):
        z = z - i
    rows = [row + 0 for row in z]
    z[0] = 0
    return z
"""


def recorded(source: str, *args, **made):
    session = Session()
    session.answer(Inspect(source, "f", (), ("f",)), bytearray())
    session.answer(Load(1 << 20), bytearray())
    request, parts = Call("f", args, record="variables").encoded
    reply, answered = session.answer(request, bytearray(b"".join(parts)))
    return Outcome.decode(reply, bytearray(b"".join(answered)))


def test_each_change_of_a_variable_with_its_line():
    outcome = recorded(SOURCE, torch.ones(2))
    told = [(line, name, value.tolist()) for line, name, value in records(outcome)]
    assert told == [
        (8, "y", [2, 2]), (9, "y", [3, 3]), (4, "twice", [6, 6]), (10, "z", [6, 6]),
        (12, "z", [6, 6]), (12, "z", [5, 5]), (14, "z", [0, 5]),
    ]  # fmt: skip
    assert outcome.value.tolist() == [0, 5]


def test_a_call_that_raises_is_told_as_ever():
    outcome = recorded("def f(x):\n    y = x + 1\n    raise ValueError('no')\n", torch.ones(2))
    assert outcome.raised.types[0] == "ValueError"
    assert records(outcome) == []


def test_records_are_bounded():
    source = "def f(x):\n    for i in range(5000):\n        x = x + 1\n    return x\n"
    outcome = recorded(source, torch.ones(2))
    assert len(outcome.recorded) == 200
    assert records(outcome) == []  # a line that ran once more afterwards would seem to have run once
    assert outcome.value.tolist() == [5001, 5001]


def test_of_a_large_tensor_the_shape_is_told():
    outcome = recorded("def f(x):\n    y = x[:1]\n    y = x.repeat(5000)\n    return y[:1]\n", torch.ones(2))
    (_, _, small), (line, name, large) = records(outcome)
    assert (small.tolist(), line, name, large.shape, large.is_meta) == ([1], 3, "y", (10000,), True)


@pytest.mark.parametrize(
    "claimed",
    [
        [3],
        [None],
        [[1, 2, 3]],
        [[1, "x", 5]],
        [["1", "x", torch.ones(1)]],
        [[1, "<b>", torch.ones(1)]],
        [[1, "x\n", torch.ones(1)]],
    ],
)
def test_a_claim_that_is_none_is_left_out(claimed):
    assert records(Outcome(recorded=claimed)) == []


@pytest.mark.parametrize(
    ("one", "other", "told"),
    [
        (torch.tensor([1.0, 2.0]), torch.tensor([1.0, 2.0]), True),
        (torch.tensor([1.0, 2.0]), torch.tensor([1.0, 2.000001]), True),
        (torch.tensor([1.0, 2.0]), torch.tensor([1.0, 2.001]), None),  # neither rounding nor plain to see
        (torch.tensor([1.0, 2.0]), torch.tensor([1.0, 2.5]), False),
        (torch.tensor([1.0, 2.0]), torch.tensor([1.0, 2.0], dtype=torch.float64), False),
        (torch.tensor([1.0, 2.0]), torch.tensor([[1.0, 2.0]]), False),
        (torch.tensor([float("nan")]), torch.tensor([float("nan")]), True),
        (torch.tensor([float("nan")]), torch.tensor([1.0]), False),
        (torch.tensor([float("inf"), 1.0]), torch.tensor([float("inf"), 1.0]), True),
        (torch.tensor([float("inf")]), torch.tensor([float("-inf")]), False),
        (torch.tensor([1.0], dtype=torch.float16), torch.tensor([1.02], dtype=torch.float16), None),
        (torch.tensor([0.0]), torch.tensor([0.0]), True),
        (torch.ones(0), torch.ones(0), True),
        (torch.tensor([True]), torch.tensor([False]), False),
        (torch.tensor([1]), torch.tensor([1]), True),
        ((1, "a"), [1, "a"], True),
        ({"a": 1.0}, {"a": 1.5}, False),
        ({"a": 1.0}, {"b": 1.0}, False),
        (np.array([1.0, 2.0]), np.array([1.0, 2.000001]), True),
        (np.array([1.0, 2.0]), np.array([1.0, 2.5]), False),
        (np.array([1.0, 2.0]), torch.tensor([1.0, 2.0], dtype=torch.float64), False),
        (np.array([1e308, np.nan]), np.array([-1e308, np.nan]), False),
        (np.ones(2) * 1j, np.ones(2) * 1j, None),
        (torch.ones(1, device="meta"), torch.ones(1, device="meta"), None),
        (torch.ones(1) * 1j, torch.ones(1) * 1j, None),
    ],
)
def test_whether_two_results_are_the_same(one, other, told):
    assert alike(one, other) is told


def steps(body: str, *args):
    session = Session()
    session.answer(Inspect(f"import torch\ndef f(x):\n{body}", "f", (), ("f",)), bytearray())
    session.answer(Load(1 << 20), bytearray())
    request, parts = Call("f", args, record="steps").encoded
    reply, answered = session.answer(request, bytearray(b"".join(parts)))
    return Outcome.decode(reply, bytearray(b"".join(answered)))


def test_steps_are_told_with_the_names_of_their_operations():
    outcome = steps("    y = x.T @ x\n    z = torch.empty(3)\n    return torch.softmax(y, -1)\n", torch.eye(2))
    assert [(line, name) for line, _, _, _, name in outcome.recorded] == [
        (3, "T"), (3, "matmul"), (4, "empty"), (5, "softmax"),
    ]  # fmt: skip
    assert outcome.recorded[2][2].is_meta, "nobody has filled it"


def test_the_steps_of_a_call_that_raises_are_told():
    outcome = steps("    y = x + 1\n    raise ValueError('no')\n", torch.ones(2))
    assert outcome.raised.types[0] == "ValueError"
    assert [(line, value.tolist()) for line, _, value, _, _ in outcome.recorded] == [(3, [2, 2])]


def test_steps_that_cannot_cross_leave_the_result_as_it_is():
    outcome = steps("    y = x.reshape((2,) + (1,) * 20)\n    return x\n", torch.ones(2))
    assert (outcome.value.tolist(), list(outcome.recorded)) == ([1, 1], [])


@pytest.mark.parametrize("claimed", [5, {"a": 1}])
def test_records_of_a_raised_exception_are_checked(claimed):
    recorded = wire.Encoder().encode(claimed)
    with pytest.raises(BadValue, match="records that are no list"):
        Outcome.decode(Raised(["ValueError"], "", recorded=recorded), bytearray())
