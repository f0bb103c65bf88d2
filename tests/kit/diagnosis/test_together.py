"""Two mistakes in one function that nobody wrote down as a pair."""

from __future__ import annotations

import dataclasses

import pytest
import torch
from toy_suites import HEAD, course

from grader.diagnosis import diagnose
from grader.diagnosis.alone import of_each_kind
from grader.suites.local import LocalTarget
from grader.suites.target import Call, Outcome

CALLS = {
    "plain": ("make.normal(3)", "make.normal(4)", "make.normal(5)"),
    "scaled": ("make.normal(4), k=3.0", "make.normal(4), k=5.0", "make.normal(4), k=7.0"),
    "moved": ("make.normal(5), by=1", "make.normal(5), by=2", "make.normal(5), by=3"),
}
SUITE = (
    HEAD
    + "".join(
        f"@points(1)\ndef test_{name}_{n}(matches_reference, make): matches_reference.f({call})\n"
        for name, calls in CALLS.items()
        for n, call in enumerate(calls)
    )
    + """
@points(1)
def test_zero_once(matches_reference, make): matches_reference.f(make.tensor([0.0, 2.0, 3.0]))

KNOWN = misconceptions(
    "f",
    not_squared=lambda x, k=1.0, by=0: k * x + by,
    k_ignored=lambda x, k=1.0, by=0: x**2 + by,
    k_squared=lambda x, k=1.0, by=0: k**2 * x**2 + by,
    by_taken_off=lambda x, k=1.0, by=0: k * x**2 - by,
    cubed=lambda x, k=1.0, by=0: k * x**3 + by,
    zero_made_1=lambda x, k=1.0, by=0: torch.where(x == 0, 1.0, k * x**2 + by),
    zero_left_out=lambda x, k=1.0, by=0: (k * x**2 + by)[x != 0],
)
"""
)
SOLUTION = "def f(x, k=1.0, by=0):\n    return k * x**2 + by\n"


@pytest.fixture(scope="module")
def suites(tmp_path_factory):
    folder = tmp_path_factory.mktemp("course")
    found = course(folder, SUITE, SOLUTION)
    names = ("not_squared", "k_ignored", "k_squared", "by_taken_off", "cubed", "zero_made_1", "zero_left_out")
    (folder / "hidden" / "f.yaml").write_text("".join(f"{name}: {name}\n" for name in names), encoding="utf-8")
    return found


@pytest.fixture
def named(suites):
    def found(function):
        target = LocalTarget({"f": function})
        told = diagnose("f", suites["f"], list(suites.run("f", target, 1)), target.call)
        return {d.misconception.removeprefix("f/"): {check.split("_")[1] for check in d.checks} for d in told}

    return found


def test_each_of_two_is_named_where_it_is_alone(named):
    both = named(lambda x, k=1.0, by=0: k**2 * x**2 - by)
    assert both == {"k_squared": {"scaled"}, "by_taken_off": {"moved"}}


def test_two_that_meet_wherever_one_of_them_shows_are_composed(named):
    """Calls without `by` show only the power; in those with it, both are wrong at once."""
    both = named(lambda x, k=1.0, by=0: k * x**3 - by)
    assert both == {"cubed": {"plain", "scaled", "moved", "zero"}, "by_taken_off": {"moved"}}


def test_the_second_may_show_in_a_single_call(named):
    both = named(lambda x, k=1.0, by=0: torch.where(x == 0, 1.0, k**2 * x**2 + by))
    assert both == {"k_squared": {"scaled"}, "zero_made_1": {"zero"}}


def test_the_rest_is_not_that_of_a_mistake_that_gives_something_else_there(named):
    assert "zero_made_1" not in named(lambda x, k=1.0, by=0: torch.where(x == 0, 2.0, k**2 * x**2 + by))


def test_one_that_is_both_is_named_in_their_place(suites, named):
    """Beside a branch that is not written it explains no more calls than they do together."""

    def both(x, k=1.0, by=0):
        return k * x**3 - by

    def without_a_branch(x, k=1.0, by=0):
        return both(x, 1.0 if k == 7 else k, by)

    assert {"cubed", "by_taken_off"} <= named(without_a_branch).keys()
    known = suites["f"].misconceptions
    known.append(dataclasses.replace(known[0], name="cubed_less_by", functions={"f": both}))
    try:
        assert named(without_a_branch).keys() & {m.name for m in known} == {"cubed_less_by"}
    finally:
        known.pop()


def test_two_that_are_wrong_in_another_way_together_are_not_named(named):
    assert named(lambda x, k=1.0, by=0: k * x**3 - 2 * by).keys() == {"cubed"}


def test_one_is_named_beside_a_branch_that_is_not_written(named):
    def f(x, k=1.0, by=0):
        if by:
            raise NotImplementedError
        return k * x

    assert named(f)["not_squared"] == {"plain", "scaled", "zero"}


def test_one_is_named_beside_a_slip_that_is_not_known(named):
    assert named(lambda x, k=1.0, by=0: k * x + 3 * by)["not_squared"] == {"plain", "scaled", "zero"}


def test_a_mistake_about_a_parameter_is_not_named_by_calls_without_it(named):
    """In calls without k, ignoring it is right, so that the plain calls say nothing of it."""
    assert "k_ignored" not in named(lambda x, k=1.0, by=0: x**2 + by + (k - 1) ** 2)


def test_nothing_is_named_that_explains_too_few_calls(named):
    def f(x, k=1.0, by=0):
        return k * x if len(x) == 3 else x.exp()

    assert not {"not_squared", "cubed", "k_ignored", "by_taken_off"} & named(f).keys()


OF_TWO = (
    HEAD
    + "".join(
        f"@points(1)\ndef test_{n}(matches_reference, make): matches_reference.f(make.normal({n}))\n" for n in "3456"
    )
    + """
KNOWN = misconceptions(
    "f",
    not_squared=lambda x: (x, x.exp()),
    cubed=lambda x: (x**3, x.exp()),
    base_of_2=lambda x: (x**2, 2**x),
    exchanged=lambda x: (x.exp(), x**2),
    base_of_2_and_negative=lambda x: (x**2 if len(x) < 3 else -(x**2), 2**x),
)
"""
)


@pytest.fixture
def named_of_two(tmp_path):
    suites = course(tmp_path, OF_TWO, "def f(x):\n    return x**2, x.exp()\n")
    names = ("not_squared", "cubed", "base_of_2", "exchanged", "base_of_2_and_negative")
    (tmp_path / "hidden" / "f.yaml").write_text("".join(f"{name}: {name}\n" for name in names), encoding="utf-8")

    def found(function):
        target = LocalTarget({"f": function})
        told = diagnose("f", suites["f"], list(suites.run("f", target, 1)), target.call)
        return {d.misconception.removeprefix("f/") for d in told if d.misconception.startswith("f/")}

    return found


def test_each_of_two_results_has_its_own_mistake(named_of_two):
    assert named_of_two(lambda x: (x**3, 2**x)) == {"cubed", "base_of_2"}


def test_one_is_named_for_its_result_beside_an_unknown_one_in_the_other(named_of_two):
    assert named_of_two(lambda x: (x**3, x.exp() + x)) == {"cubed"}


def test_a_mistake_is_not_named_for_one_result_if_it_breaks_another_that_is_right(named_of_two):
    assert named_of_two(lambda x: (x.exp(), x.exp())) == set()


def test_a_result_in_another_form_does_not_silence_the_other(named_of_two):
    assert named_of_two(lambda x: (x, x.exp().sum())) == {"not_squared"}


OF_GRADIENTS = (
    HEAD
    + """
@points(1)
def test_values(matches_reference, make):
    for n in (3, 4, 5):
        matches_reference.f(make.normal(n), make.normal(n))

test_gradient = laws.gradient(1, lambda ask, make: ask.f(make.normal(3), make.normal(3)))

KNOWN = misconceptions(
    "f",
    tripled=lambda x, y: 3 * x * y,
    squared=lambda x, y: x * x,
    second_detached=lambda x, y: x * y.detach(),
    both_detached=lambda x, y: (x * y).detach(),
)
"""
)


@pytest.mark.parametrize(
    ("function", "names"),
    [
        (lambda x, y: 3 * x * y.detach(), {"tripled", "second_detached"}),
        (lambda x, y: 3 * x * y, {"tripled"}),
        (lambda x, y: x * x, {"squared"}),  # that y has no gradient follows from it
        (lambda x, y: 3 * x.detach() * y, {"tripled"}),
    ],
)
def test_a_lost_gradient_is_named_beside_a_wrong_value(tmp_path, function, names):
    suites = course(tmp_path, OF_GRADIENTS, "def f(x, y):\n    return x * y\n")
    known = ("tripled", "squared", "second_detached", "both_detached")
    (tmp_path / "hidden" / "f.yaml").write_text("".join(f"{name}: {name}\n" for name in known), encoding="utf-8")
    target = LocalTarget({"f": function})
    told = diagnose("f", suites["f"], list(suites.run("f", target, 1)), target.call)
    assert {d.misconception.removeprefix("f/") for d in told if d.misconception.startswith("f/")} == names


WITHIN = {
    "only_lo": "make.tensor([2.0, 4.0, {n}.5]), lo=3.0, hi=99.0",
    "only_hi": "make.tensor([2.0, 4.0, {n}.5]), lo=0.0, hi=3.0",
    "both": "make.tensor([2.0, 4.0, 9.0 + {n}]), lo=3.0, hi=5.0",
    "edge": "make.tensor([2.0, 4.0, 9.0 + {n}]), lo=5.0, hi=4.0",
}
OF_BOUNDS = (
    HEAD
    + "".join(
        f"@points(1)\ndef test_{name}_{n}(matches_reference, make): matches_reference.f({call.format(n=n)})\n"
        for name, call in WITHIN.items()
        for n in range(3 if "only" in name else 8)
    )
    + """
KNOWN = misconceptions(
    "f",
    either=lambda x, lo, hi: (x >= lo) | (x <= hi),
    no_low=lambda x, lo, hi: x <= hi,
    no_high=lambda x, lo, hi: x >= lo,
)
"""
)


def test_two_that_are_alone_in_few_calls_are_not_named_where_a_third_explains_more(tmp_path):
    """Bounds that are joined by "or" hide each other: all is within where the other one does not decide."""
    suites = course(tmp_path, OF_BOUNDS, "def f(x, lo, hi):\n    return (x >= lo) & (x <= hi)\n")
    (tmp_path / "hidden" / "f.yaml").write_text("either: e\nno_low: l\nno_high: h\n", encoding="utf-8")
    target = LocalTarget({"f": lambda x, lo, hi: (x >= lo) | (x < hi)})
    told = diagnose("f", suites["f"], list(suites.run("f", target, 1)), target.call)
    assert not {"f/no_low", "f/no_high"} & {d.misconception for d in told}


def test_of_calls_with_the_same_inputs_one_is_looked_at():
    x, due = torch.tensor([1.0, 2.0]), Outcome(torch.tensor([2.0, 4.0]))
    came = Outcome(torch.tensor([1.0, 2.0]))
    calls = [Call("f", (x,)), Call("f", (x.clone(),), watch=True), Call("f", (), {"x": x}, gradients=True)]
    others = [Call("f", (x + 1,)), Call("f", (x.double(),)), Call("f", (torch.ones(2, 2)[:, 0],))]
    clear, _ = of_each_kind([(call, came, due) for call in calls + others], {"f": lambda x: 2 * x})
    assert {id(call) for call, *_ in clear} == {id(calls[0]), *map(id, others)}


OF_OBJECTS = (
    HEAD
    + "".join(
        f"@points(1)\ndef test_{n}(matches_reference, make): "
        f"matches_reference.made(2.0).turns.F(*[(make.normal({n}),) for _ in range(3)])\n"
        for n in (3, 4, 5, 6)
    )
    + """
def way(power=2, by=1.0):
    class F(torch.nn.Module):
        def __init__(self, k):
            super().__init__()
            self.k, self.kept = k, 0.0

        def forward(self, x):
            self.kept = by * self.kept + x**power
            return self.k * self.kept

    return F

KNOWN = misconceptions("F", cubed=way(power=3), forgets=way(by=0.0), halved=way(by=0.5))
"""
)
OBJECTS = """
import torch

class F(torch.nn.Module):
    def __init__(self, k):
        super().__init__()
        self.k, self.kept = k, 0.0

    def forward(self, x):
        self.kept = self.kept + x**2
        return self.k * self.kept
"""


def test_two_are_composed_in_the_calls_of_an_object_that_remembers(tmp_path):
    suites = course(tmp_path, OF_OBJECTS, OBJECTS)
    (tmp_path / "hidden" / "f.yaml").write_text("cubed: c\nforgets: f\nhalved: h\n", encoding="utf-8")
    target = LocalTarget({"F": vars(suites["f"].module)["way"](power=3, by=0.0)})
    told = diagnose("f", suites["f"], list(suites.run("f", target, 1)), target.call)
    assert {d.misconception for d in told} == {"f/cubed", "f/forgets"}
