"""What of the points counts: promises where the code does the exercise, a recognised mistake once."""

from __future__ import annotations

import pytest
import torch
from support import TOY

from grader.course import course as courses
from grader.diagnosis import diagnose
from grader.grading.charging import NOT_REACHED, ONCE, counted
from grader.suites import CheckResult, LocalTarget, Suites

COURSE = courses.load(TOY)
MOST = 4


@pytest.fixture(scope="module")
def judged():
    suites = Suites({"scale": COURSE.suite("scale")}, {"scale": COURSE.solution("scale")})

    def judged(function, once: bool = True) -> tuple[list[CheckResult], list[CheckResult]]:
        """What the checks find of a function, and what of it counts."""
        target = LocalTarget({"scale": function})
        found = list(suites.run("scale", target, 1))
        return found, counted(found, diagnose("scale", suites["scale"], found, target.call), MOST, once)

    return judged


def refusing(function):
    def scale(x, factor=2.0):
        if factor == 0:
            raise ValueError("the factor is 0")
        return function(x, factor)

    return scale


def score(results) -> float:
    return sum(r.points for r in results)


def test_a_recognised_mistake_is_charged_once(judged):
    found, counts = judged(refusing(lambda x, factor: x + factor))
    lost = sum(r.max_points for r in found if r.failed)
    assert lost > ONCE * MOST
    assert score(counts) == pytest.approx(MOST - ONCE * MOST)
    assert score(judged(refusing(lambda x, factor: x + factor), once=False)[1]) == pytest.approx(MOST - lost)
    assert [r.verdict for r in counts] == [r.verdict for r in found]


def test_its_promises_are_kept(judged):
    found, _ = judged(refusing(lambda x, factor: x + factor))
    assert {r.id.partition("[")[0] for r in found if r.failed} == {"test_values"}


def test_a_second_mistake_costs_its_own_points(judged):
    both = score(judged(lambda x, factor=2.0: x + factor)[1])
    alone = score(judged(refusing(lambda x, factor: x + factor))[1])
    assert both < alone


NOTHING = {
    "zeros": lambda x, factor=2.0: torch.zeros_like(x),
    "ones": lambda x, factor=2.0: torch.ones_like(x),
    "the input": lambda x, factor=2.0: x.clone(),
    "noise": lambda x, factor=2.0: torch.randn_like(x),
    "something else": lambda x, factor=2.0: x.cos().exp() / 7,
}


@pytest.mark.parametrize("case", NOTHING)
def test_code_that_does_something_else_earns_nothing(judged, case):
    _, counts = judged(NOTHING[case])
    assert score(counts) <= MOST / 10
    assert NOT_REACHED in {r.reason for r in counts} or case == "noise"


def test_right_code_gets_everything(judged):
    _, counts = judged(refusing(lambda x, factor: x * factor))
    assert score(counts) == MOST
