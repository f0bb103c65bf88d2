"""Functions of ours as a target: what is sent ahead is answered once, and compared byte for byte."""

from __future__ import annotations

import torch

from grader.suites.local import LocalTarget
from grader.suites.reference import ExpectedCall, Reference
from grader.suites.target import Call


def halves(x):
    return x / 2


EXPECTED = [
    ExpectedCall(Call("f", (torch.tensor(x),)), Reference({"f": halves}, {}, {})).expected for x in (1.0, 2.0, 3.0)
]


def counting(seen, wrong_at=None):
    def f(x):
        seen.append(x.item())
        return halves(x) + (x.item() == wrong_at)

    return LocalTarget({"f": f})


def test_all_calls_are_answered_as_expected():
    seen: list[float] = []
    target = counting(seen)
    assert not target.expect([])[0], "nothing is expected"
    assert target.expect(EXPECTED)[0]
    assert seen == [1, 2, 3]
    assert target.call(EXPECTED[0].call).value == 0.5
    assert seen == [1, 2, 3, 1]


def test_where_one_is_not_those_before_are_not_called_again():
    seen: list[float] = []
    target = counting(seen, wrong_at=2)
    assert not target.expect(EXPECTED)[0]
    assert [target.call(e.call).value.item() for e in EXPECTED] == [0.5, 2.0, 1.5]
    assert seen == [1, 2, 3]


def test_another_call_than_is_expected_is_answered_too():
    seen: list[float] = []
    target = counting(seen, wrong_at=2)
    assert not target.expect(EXPECTED)[0]
    assert target.call(Call("f", (torch.tensor(5.0),))).value == 2.5
    assert [target.call(e.call).value.item() for e in EXPECTED] == [0.5, 2.0, 1.5]


def test_operators_are_left_out_without_a_trace():
    call = Call("f", (torch.ones(2),), watch=True)
    traced, plain = (LocalTarget({"f": lambda x: x.mul_(2)}, traced=flag).call(call) for flag in (True, False))
    assert "mul_" in traced.operators
    assert (plain.operators, plain.largest) == ((), 0)
    assert traced.changed == plain.changed == (0,)
