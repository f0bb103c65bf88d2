"""Which of the solution's steps a student's step is, found by running the solution with the student's values."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from grader.diagnosis.first_wrong_step import beside
from grader.diagnosis.steps import solution
from grader.suites import Call, LocalTarget

torch = pytest.importorskip("torch")
X = torch.tensor([[1.0, 2.0, 4.0], [3.0, -1.0, 0.5]])


FILE = "steps.py"
SOURCE = """
import torch

def right(x):
    y = x * 2
    z = y.exp()
    return z / z.sum(-1, keepdim=True)

def turned_on_the_way(x):
    y = 2 * x.T
    z = y.exp()
    return (z / z.sum(0)).T

def wrong(x):
    y = x * 3
    z = y.exp()
    return z / z.sum(-1, keepdim=True)

def another_way(x):
    return torch.softmax(x * 2, -1)

def nothing_of_it(x):
    return x.relu() - 7

def infinite(x):
    y = x / 0
    return y

def infinite_the_other_way(x):
    y = -x / 0
    return y

def large(x):
    return x.repeat(1000, 2)
"""
F: dict[str, Callable[..., object]] = {}
exec(compile(SOURCE, FILE, "exec"), F)


def laid_beside(function, expected="right"):
    call = Call("f", (X,))
    taken = solution(F[function], FILE, call)({}).steps
    came = LocalTarget({"f": F[function]}).call(call)
    return beside(call, came, taken, solution(F[expected], FILE, call))


def states(found):
    return [(b.step.operation, b.state) for b in found]


def test_axes_in_another_order_are_the_same_step():
    found = laid_beside("turned_on_the_way")
    assert [b.state for b in found if b.step.operation != "T"] == ["right"] * 4
    assert all(b.expected.shape == b.step.value.shape for b in found if b.expected is not None)


def test_what_follows_a_wrong_step_is_beside_the_step_that_it_stands_for():
    found = laid_beside("wrong")
    assert states(found) == [("mul", "wrong"), ("exp", "wrong"), ("sum", "wrong"), ("div", "wrong")]
    assert [b.first for b in found] == [True, False, False, False]
    assert torch.allclose(found[1].expected, (X * 2).exp())


def test_a_step_that_the_solution_does_not_take_is_no_mistake():
    assert states(laid_beside("another_way")) == [("mul", "right"), ("softmax", "right")]
    assert {b.state for b in laid_beside("right", "another_way")} == {"right", "other"}


def test_nothing_is_marked_where_no_step_explains_the_result():
    assert not any(b.first for b in laid_beside("nothing_of_it"))


def test_infinities_of_another_sign_are_not_the_same():
    assert [b.state for b in laid_beside("infinite_the_other_way", "infinite")][-1] != "right"


def test_values_that_are_not_known_are_not_compared():
    assert [b.state for b in laid_beside("large", "large")] == ["unknown"]
