"""What of the points counts: promises where the code does the exercise, a recognised mistake once."""

from __future__ import annotations

import pytest
import torch
from support import TOY
from toy_suites import Written
from toy_suites import course as of_suite

from grader.course import course as courses
from grader.diagnosis import diagnose
from grader.diagnosis.evidence import collected
from grader.diagnosis.misconceptions import match
from grader.grading.charging import NOT_REACHED, ONCE, USELESS, counted
from grader.report import Diagnosis
from grader.suites import CheckResult, LocalTarget, Misconception, Suites
from grader.texts import Text

COURSE = courses.load(TOY)
MOST = 4


@pytest.fixture(scope="module")
def judged():
    suites = Suites({"scale": COURSE.suite("scale")}, {"scale": COURSE.solution("scale")})

    def judged(function, once: bool = True, target=LocalTarget) -> tuple[list[CheckResult], list[CheckResult]]:
        """What the checks find of a function, and what of it counts."""
        asked = target({"scale": function})
        found = list(suites.run("scale", asked, 1))
        return found, counted(found, diagnose("scale", suites["scale"], found, asked.call), MOST, once)

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


def refuses_all(x, factor=2.0):
    raise ValueError("no")


@pytest.mark.parametrize("function", [refuses_all, refusing(NOTHING["zeros"]), refusing(NOTHING["the input"])])
def test_code_that_does_nothing_earns_nothing_for_what_it_refuses(judged, function):
    _, counts = judged(function, target=Written)
    assert score(counts) == 0
    zero = next(r for r in counts if r.id.startswith("test_zero"))
    assert (zero.verdict, zero.reason) == ("failed", NOT_REACHED)


def test_code_that_computes_keeps_the_points_for_what_it_refuses(judged):
    _, counts = judged(refusing(NOTHING["something else"]), target=Written)
    assert [r.id for r in counts if r.points] == ["test_zero[cpu]"]


def test_a_function_that_refuses_every_call_is_no_known_mistake():
    """A ValueError of torch's is another one than the student's own."""
    suites = Suites({"scale": COURSE.suite("scale")}, {"scale": COURSE.solution("scale")})
    known = Misconception("refuses", {"scale": refuses_all}, Text("It refuses."))
    for target, named in ((LocalTarget, ["refuses"]), (Written, [])):
        results = suites.run("scale", target({"scale": refuses_all}), 1)
        found = match(collected(results, suites["scale"].reference), suites["scale"].reference, [known])
        assert [m.misconception.name for m in found] == named


def test_right_code_gets_everything(judged):
    _, counts = judged(refusing(lambda x, factor: x * factor))
    assert score(counts) == MOST


OF_USE = """
from grader.suites import dtypes, essential, points

@points(4)
def test_values(matches_reference, make):
    "Values."
    matches_reference.f(make.normal(3))

@points(0.7)
def test_others(matches_reference, make):
    "Other values."
    matches_reference.f(make.normal(2, 3))

@essential
@points(0.3)
@dtypes("float32", "float64")
def test_gradient(matches_gradients, make, dtype):
    "Gradients."
    matches_gradients.f(make.normal(3))

@essential
@points(1)
@dtypes("float16", "float64")
def test_long(matches_reference, make, dtype):
    "Long inputs."
    matches_reference.f(make.normal(9))
"""
CASES = {  # what is wrong, the points of 6, whether that is said
    "nothing": ("x", 6, False),
    "no gradient": ("x.detach()", 4, True),
    "two essential checks, once": ("x.detach() if len(x) < 9 else x[:8]", 4, True),
    "one of two dtypes": ("x if x.dtype == torch.float64 or len(x) < 9 else 2 * x", 5.5, False),
    "what costs more already": ("x if x.dim() > 1 else 2 * x.detach()", 0.7, False),
}


@pytest.fixture(scope="module")
def of_use(tmp_path_factory):
    return of_suite(tmp_path_factory.mktemp("of_use"), OF_USE, "def f(x):\n    return x.clone()\n")


@pytest.mark.parametrize("once", [True, False])
@pytest.mark.parametrize("case", CASES)
def test_what_nobody_could_use_costs_a_third_once(of_use, case, once):
    body, points, said = CASES[case]
    found = list(of_use.run("f", LocalTarget({"f": eval(f"lambda x: {body}", {"torch": torch})}), 1))
    counts = counted(found, [], 6, once)
    assert score(counts) == pytest.approx(points)
    assert [r.reason.key for r in counts].count(USELESS.key) == said
    assert all(0 <= r.points <= r.max_points for r in counts)
    assert {r.points for r in counts if r.failed} <= {0.0}


def test_the_sentence_is_on_the_check_that_failed(of_use):
    counts = counted(list(of_use.run("f", LocalTarget({"f": torch.detach}), 1)), [], 6, True)
    told = next(r for r in counts if r.reason.key == USELESS.key)
    assert told.id == "test_gradient[cpu-float32]"
    assert told.reason.to("en").startswith("f(x [3] float32): no gradient reaches x. Without this ")
    assert "三分之一" in told.reason.to("zh")


def test_a_mistake_that_is_charged_once_costs_no_second_time(of_use):
    found = list(of_use.run("f", LocalTarget({"f": lambda x: 2 * x.detach()}), 1))
    everything = Diagnosis("f/doubled", USELESS, tuple(r.id for r in found))
    assert score(counted(found, [everything], 6, True)) == pytest.approx(6 - ONCE * 6)
