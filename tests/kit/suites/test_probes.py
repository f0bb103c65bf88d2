"""Each probe finds its kind of mistake, says it in a sentence, and lets honest work pass."""

from __future__ import annotations

import math

import pytest
import torch
from toy_suites import HEAD, course, right

from grader.suites.local import LocalTarget


def test_a_wrong_value(problem):
    reason = problem(lambda x, factor=2.0: x * factor + (torch.arange(x.numel()).reshape(x.shape) == 1) * 0.5)
    assert reason == (
        "scale(x [3] float32): the result is off by up to 0.5 (1 of 3 entries; at [1] it is "
        f"{reason.split(' it is ')[1]}"
    )
    assert ", expected " in reason


def test_a_wrong_value_one_percent_off(problem):
    assert "off by up to" in problem(lambda x, factor=2.0: x * factor * 1.01)


def test_optional_arguments_are_shown(problem):
    reason = problem(lambda x, factor=2.0: x * 2)
    assert reason.startswith("scale(x [2, 3] float32, factor=-1.5): the result is off by up to")


def test_values_are_shown_to_learners(run):
    found = run("scale", lambda x, factor=2.0: x)["test_values"]
    assert found.values.to("en").startswith("input:\n[")
    assert found.values.to("zh").startswith("输入：\n[")
    assert found.picture.expected != found.picture.actual


def test_nan(problem):
    assert "the result holds NaN (3 of 3 entries are wrong" in problem(lambda x, factor=2.0: x * math.nan)


def test_infinity(problem):
    assert "off by up to inf" in problem(lambda x, factor=2.0: x * math.inf)


def test_rounding_is_no_mistake(run):
    def through_float64(x, factor=2.0):
        return right((x.double() / 3 * 3), factor).to(x.dtype)

    assert run("scale", through_float64)["test_values"].verdict == "passed"


def test_the_reason_can_be_read_in_another_language(run):
    reason = run("scale", lambda x, factor=2.0: x)["test_values"].reason
    assert reason.to("zh").startswith("scale(x [3] float32)")
    assert "最多相差" in reason.to("zh")


@pytest.mark.parametrize("lost", [lambda x, f: (x * f).detach(), lambda x, f: torch.tensor((x * f).tolist())])
def test_a_gradient_that_does_not_flow(problem, lost):
    reason = problem(lambda x, factor=2.0: lost(x, factor), "test_gradient")
    assert reason == "scale(x [3] float32, factor=3.0): no gradient reaches x"


def test_a_wrong_gradient(problem):
    def half(x, factor=2.0):
        return x * factor / 2 + (x * factor / 2).detach()

    assert problem(half, "test_gradient").startswith("scale(x [3] float32, factor=3.0): the gradient of x is off by ")


def test_a_gradient_that_is_nan(problem):
    def rooted(x, factor=2.0):
        return x * factor + (x * 0).sqrt()

    assert problem(rooted, "test_gradient") == "scale(x [3] float32, factor=3.0): the gradient of x holds NaN"


FINITE = """
@points(1)
def test_finite(matches_gradients, make):
    matches_gradients.finite().f(make.normal(3))
"""


@pytest.mark.parametrize(
    ("f", "verdict"), [(lambda x: 2 * x - x.detach(), "passed"), (lambda x: 1.0 * x.detach(), "failed")]
)
def test_gradients_that_are_free_have_to_be_there(tmp_path, f, verdict):
    (result,) = course(tmp_path, HEAD + FINITE).run("f", LocalTarget({"f": f}), 1)
    assert result.verdict == verdict


def test_gradients_that_are_free_are_not_nan(tmp_path):
    target = LocalTarget({"f": lambda x: x + (0 * x).sqrt().nan_to_num()})
    (result,) = course(tmp_path, HEAD + FINITE).run("f", target, 1)
    assert (result.verdict, result.reason.to("en")) == ("failed", "f(x [3] float32): the gradient of x holds NaN")


STEPPED = """
@error_bound("f")
def bound(x):
    return x.abs()

@points(1)
def test_values(matches_reference, make):
    matches_reference.f(make.normal(3))

@points(1)
def test_gradient(matches_gradients, make):
    matches_gradients.f(make.normal(8, 8))
"""


def test_the_slope_of_wrong_values_that_go_in_steps_is_the_same_at_every_seed(tmp_path):
    suites = course(tmp_path, HEAD + STEPPED)
    wrong = LocalTarget({"f": lambda x: (1000 * x).round() / 1000})
    found = [[r.failed for r in suites.run("f", wrong, seed)] for seed in range(20)]
    assert found == [[True, False]] * 20
