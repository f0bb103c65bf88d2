"""Two mistakes in one function that nobody wrote down as a pair."""

from __future__ import annotations

import pytest
from toy_suites import HEAD, course

from grader.diagnosis import diagnose
from grader.suites.local import LocalTarget

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
KNOWN = misconceptions(
    "f",
    not_squared=lambda x, k=1.0, by=0: k * x + by,
    k_ignored=lambda x, k=1.0, by=0: x**2 + by,
    k_squared=lambda x, k=1.0, by=0: k**2 * x**2 + by,
    by_taken_off=lambda x, k=1.0, by=0: k * x**2 - by,
    cubed=lambda x, k=1.0, by=0: k * x**3 + by,
)
"""
)
SOLUTION = "def f(x, k=1.0, by=0):\n    return k * x**2 + by\n"


@pytest.fixture(scope="module")
def suites(tmp_path_factory):
    folder = tmp_path_factory.mktemp("course")
    found = course(folder, SUITE, SOLUTION)
    names = ("not_squared", "k_ignored", "k_squared", "by_taken_off", "cubed")
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
    assert both == {"cubed": {"plain", "scaled", "moved"}, "by_taken_off": {"moved"}}


def test_two_that_are_wrong_in_another_way_together_are_not_named(named):
    assert named(lambda x, k=1.0, by=0: k * x**3 - 2 * by).keys() == {"cubed"}


def test_one_is_named_beside_a_branch_that_is_not_written(named):
    def f(x, k=1.0, by=0):
        if by:
            raise NotImplementedError
        return k * x

    assert named(f)["not_squared"] == {"plain", "scaled"}


def test_one_is_named_beside_a_slip_that_is_not_known(named):
    assert named(lambda x, k=1.0, by=0: k * x + 3 * by)["not_squared"] == {"plain", "scaled"}


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
