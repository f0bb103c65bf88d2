"""Memory that a worker and the grader share: what was put there, what is left of it, and that nothing can cut it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

import msgspec
import numpy as np
import pytest
import torch

from grader.errors import CourseError
from grader.sandbox.processes import ROOM, SharedMemory
from grader.sandbox.processes.shared_memory import attached
from grader.sandbox.worker import worker
from grader.suites.target import Call

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")


@pytest.fixture
def shared() -> Iterator[SharedMemory]:
    inputs = SharedMemory()
    yield inputs
    inputs.close()


def test_what_is_left_of_the_inputs(shared: SharedMemory) -> None:
    there = attached(shared.descriptor)
    shared.put(b"abcdefg")
    assert bytes(there[:7]) == shared.left() == b"abcdefg"
    there[3] = ord("x")
    assert shared.left() == b"abcxefg"
    shared.put(b"h")
    assert shared.left() == b"h"
    shared.put(bytes(ROOM))
    assert shared.left() == bytes(ROOM)


def test_no_descriptor_is_left(shared: SharedMemory) -> None:
    before = os.listdir("/proc/self/fd")
    there = attached(shared.descriptor)
    shared.detach()
    assert len(os.listdir("/proc/self/fd")) == len(before) - 1
    there[0] = 1
    assert bytes(there[:1]) == b"\1"


INPUTS = {
    "numbers": torch.arange(3.0),
    "booleans": torch.tensor([True, False, True]),
    "strides": torch.arange(12.0).reshape(3, 4).t(),
    "bfloat16": torch.ones(3, dtype=torch.bfloat16),
    "numpy": np.arange(3.0),
    "booleans of numpy": np.array([True, False]),
}


@pytest.mark.parametrize("case", INPUTS)
def test_a_call_works_on_this_very_memory(shared: SharedMemory, case: str) -> None:
    """Its first and last inputs are left alone, the one between is changed."""
    call = Call("f", (torch.ones(5), INPUTS[case]), {"z": torch.zeros(0)}, watch=True)

    def f(x, y, z):
        y[0] = 1 - y[0] if y.dtype not in (torch.bool, np.bool_) else not y[0]
        return y

    session = worker.Session({"f": f}, inputs=attached(shared.descriptor))
    inputs = call.packed.payload
    shared.put(inputs)
    reply, _ = session.answer(msgspec.structs.replace(call.encoded[0], shared=(0, len(inputs))), bytearray())
    assert reply.changed == (1,)
    assert call.differing(inputs, shared.left()) == [1]


def test_a_suite_that_hands_over_more_than_fits_is_told() -> None:
    """Else what is said about such inputs would be the worker's claim."""
    with pytest.raises(CourseError, match=r"more than 1 MB to f; .* smaller inputs"):
        _ = Call("f", (torch.zeros(ROOM // 4 + 1),), watch=True).encoded
    _ = Call("f", (torch.zeros(ROOM // 4 + 1),)).encoded
