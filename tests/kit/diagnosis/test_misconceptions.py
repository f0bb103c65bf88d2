"""A wrong answer is explained by the known mistake that gives exactly the same, and by no other."""

from __future__ import annotations

import pytest
import torch
from toy_suites import toy_suites

from grader.diagnosis.evidence import Evidence, collected
from grader.diagnosis.misconceptions import match
from grader.suites import Call, Misconception
from grader.suites.local import LocalTarget
from grader.suites.runner import Suites


@pytest.fixture(scope="module")
def suites() -> Suites:
    return toy_suites()


@pytest.fixture
def diagnosed(suites):
    """Names of the misconceptions found behind a function, with the checks that each explains."""

    def names(exercise: str, function):
        results = list(suites.run(exercise, LocalTarget({exercise: function}), 1))
        suite = suites[exercise]
        found = match(collected(results, suite.reference), suite.reference, suite.misconceptions)
        return {m.misconception.name: [c.partition("[")[0] for c in m.checks] for m in found}

    return names


def refusing(formula):
    def scale(x, factor=2.0):
        if factor == 0:
            raise ValueError("in words of one's own")
        return formula(x, factor)

    return scale


def test_each_misconception_is_recognised(suites, diagnosed):
    for exercise in suites:
        suite = suites[exercise]
        for wrong in suite.misconceptions:
            assert wrong.name in diagnosed(exercise, wrong.functions[exercise])


def test_nan_of_a_mistake_says_nothing_about_what_is_wrong_there(suites):
    def with_others(change):
        return refusing(lambda x, f: torch.where(x < x.max(), change(x * f), x * f))

    suite = suites["scale"]
    results = list(suites.run("scale", LocalTarget({"scale": with_others(lambda due: due * 3)}), 1))
    nan = Misconception("nan", {"scale": with_others(lambda due: due * torch.nan)})
    assert match(collected(results, suite.reference), suite.reference, [nan]) == []


def test_a_mistake_is_known_by_the_calls_in_which_it_is_not_nan():
    """A variant that fills in -inf is NaN where a student's, with the lowest number, is not; but not in all calls."""
    right = {"weights": lambda x, hides: x.softmax(-1) @ x[:2]}

    def named(student, hidden):
        calls = [Call("weights", (torch.eye(3, 2) + n, n < hidden)) for n in range(5)]
        evidence = [
            Evidence(
                "test_a", True, c, LocalTarget({"weights": student}).call(c), LocalTarget(right).call(c), ("value",)
            )
            for c in calls
        ]
        return [m.misconception.name for m in match(evidence, right, known)]

    def hidden_column(fill):
        def weights(x, hides):
            filled = x.masked_fill(torch.tensor([True, False]) & hides, fill)
            return filled.softmax(0) @ x[:2]

        return weights

    known = [Misconception("over_queries", {"weights": hidden_column(-torch.inf)})]
    assert named(hidden_column(torch.finfo(torch.float32).min), 2) == ["over_queries"]
    assert named(hidden_column(torch.finfo(torch.float32).min), 4) == []  # nearly all of it is NaN
    assert named(lambda x, hides: hidden_column(-torch.inf)(x, False) * 2, 2) == []


@pytest.mark.parametrize(
    "formula",
    [
        lambda x, f: x + f,
        lambda x, f: f - (-x),
        lambda x, f: torch.stack([a + f for a in x]),
        lambda x, f: (x.float() + f).to(x.dtype),
    ],
)
def test_the_same_mistake_written_otherwise(diagnosed, formula):
    found = diagnosed("scale", refusing(formula))
    assert set(found) == {"adds_instead"}
    assert {"test_values", "test_gradient"} <= set(found["adds_instead"])


def test_refusing_what_is_to_be_refused_hides_no_mistake(diagnosed):
    """Each student has words of their own for the error; the variant in the suite does not refuse at all."""
    assert "adds_instead" in diagnosed("scale", refusing(lambda x, f: x + f))


@pytest.mark.parametrize(
    "formula", [lambda x, f: x - f, lambda x, f: x * f * 1.01, lambda x, f: None, lambda x, f: x.no_such]
)
def test_another_mistake_has_no_name(diagnosed, formula):
    assert diagnosed("scale", refusing(formula)) == {}


def test_a_mistake_at_times_is_not_the_same_mistake(diagnosed):
    """Right in one call and like the misconception in another: no variant answers all calls like that."""
    assert diagnosed("scale", refusing(lambda x, f: x + f if x.dim() == 2 else x * f)) == {}


def test_right_work_has_no_diagnosis(diagnosed):
    assert diagnosed("pair", lambda x: (x + 1, x * 2)) == {}


def test_swapped(diagnosed):
    assert diagnosed("pair", lambda x: [x + x, x + 1]) == {"swapped": ["test_values", "test_law"]}


def test_of_a_mistake_in_several_functions_one_alone_is_named():
    """Whoever writes each function for itself makes the mistake in one, and the other is right."""
    right = {"double": lambda x: x * 2, "sum_doubled": lambda x: (x * 2).sum()}
    halves = {"double": lambda x: x / 2, "sum_doubled": lambda x: (x / 2).sum()}
    known = [
        Misconception("halves", halves),
        Misconception("halves_and_mean", {"double": halves["double"], "sum_doubled": lambda x: x.mean()}),
    ]
    calls = [Call(f, (torch.arange(n, dtype=torch.float64),)) for f in right for n in (3, 4)]

    def named(**student):
        target, reference = LocalTarget({**right, **student}), LocalTarget(right)
        evidence = [
            Evidence(f"test_{c.function}", c.function in student, c, target.call(c), reference.call(c), ("value",))
            for c in calls
        ]
        return {m.misconception.name: m.checks for m in match(evidence, right, known)}

    assert named(double=lambda x: x * 0.5) == {"halves": ("test_double",)}
    assert named(double=lambda x: x * 0.5, sum_doubled=lambda x: x.max()) == {"halves": ("test_double",)}
    assert named(**halves) == {"halves": ("test_double", "test_sum_doubled")}
    assert named(sum_doubled=lambda x: x.max()) == {}


def test_a_mistake_of_several_functions_is_named_where_another_is_like_it_in_one():
    right = {"double": lambda x: x * 2, "sum_doubled": lambda x: (x * 2).sum(), "last": lambda x: x[-1] * 2}
    halves = {"double": lambda x: x / 2, "sum_doubled": lambda x: (x / 2).sum(), "last": lambda x: x[-1] / 2}
    known = [Misconception("halves_the_sum", {"sum_doubled": lambda x: x.sum() / 2}), Misconception("halves", halves)]
    target, reference = LocalTarget({**halves, "last": lambda x: x[0]}), LocalTarget(right)
    calls = [Call(f, (torch.arange(2, n, dtype=torch.float64),)) for f in right for n in (4, 5)]
    evidence = [Evidence(f"test_{c.function}", True, c, target.call(c), reference.call(c), ("value",)) for c in calls]
    named = {m.misconception.name: m.checks for m in match(evidence, right, known)}
    assert named == {"halves": ("test_sum_doubled", "test_double")}
