"""A mistake too small to see in one value is known by the direction in which all values deviate."""

from __future__ import annotations

import pytest
import torch

from grader.diagnosis.proportional import deviations, proportional
from grader.suites.target import Call, LocalTarget

RIGHT = {"f": lambda x: x.softmax(-1)}


def with_eps(eps):
    def f(x):
        e = (x - x.amax(-1, keepdim=True)).exp()
        return e / (e.sum(-1, keepdim=True) + eps)

    return f


def answered(function):
    inputs = [torch.randn(n, generator=torch.Generator().manual_seed(n), dtype=torch.float64) for n in (3, 5)]
    calls = [Call("f", (x,)) for x in inputs]
    return [(call, LocalTarget({"f": function}).call(call)) for call in calls]


@pytest.mark.parametrize("eps", [1e-12, 1e-10, 1e-6, 1e-3])
def test_a_small_number_of_any_size(eps):
    seen = deviations(answered(with_eps(eps)), RIGHT)
    assert proportional(seen, {"f": with_eps(1e-9)})


def test_the_other_direction_is_another_mistake():
    assert not proportional(deviations(answered(with_eps(-1e-6)), RIGHT), {"f": with_eps(1e-9)})


def test_another_shape_of_deviation_is_another_mistake():
    def sharper(x):
        return (x * (1 + 1e-6)).softmax(-1)

    assert not proportional(deviations(answered(sharper), RIGHT), {"f": with_eps(1e-9)})


def test_rounding_says_nothing():
    assert deviations(answered(lambda x: (x + 1).softmax(-1)), RIGHT) == []
    assert not proportional([], {"f": with_eps(1e-9)})
