"""A mistake too small to see in one value is known by the direction in which all values deviate."""

from __future__ import annotations

import pytest
import torch
from support import ROOT

from grader.course import course as courses
from grader.diagnosis import diagnose
from grader.diagnosis.proportional import deviations, proportional
from grader.suites.local import LocalTarget
from grader.suites.runner import Suites
from grader.suites.target import Call

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


def test_it_is_told_beside_what_else_is_wrong():
    """A small number in the denominator, and no gradient: both are told, each for its own checks."""
    course = courses.load(ROOT)
    suites = Suites({"softmax": course.suite("softmax")}, {"softmax": course.solution("softmax")})

    def softmax(x, dim=-1):
        e = (x - x.amax(dim, keepdim=True)).exp().detach()
        return e / (e.sum(dim, keepdim=True) + 1e-9)

    results = list(suites.run("softmax", target := LocalTarget({"softmax": softmax}), 3))
    found = diagnose("softmax", suites["softmax"], results, target.call)
    checks = {f.misconception: {c.partition("[")[0] for c in f.checks} for f in found}
    small = {"test_no_competitor", "test_equal_logits"}
    assert checks == {"softmax/eps_in_denominator": small, "softmax/no_gradient": {"test_gradient"}}
