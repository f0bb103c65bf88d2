"""Mistakes that any function can have, each recognised by what the answers show."""

from __future__ import annotations

import dataclasses

import pytest
import torch
from toy_suites import HEAD, Written, course, refusing

from grader.diagnosis import diagnose, trials
from grader.diagnosis.evidence import Evidence, collected
from grader.diagnosis.general import match
from grader.diagnosis.misconceptions import Match, Misconception
from grader.suites.local import LocalTarget
from grader.suites.target import Call


def in_place(x, k):
    x *= k
    return x


def divides(x, k=2.0):
    return x / (1 / k)


def refuses_others(x, k=2.0):
    if k != 0:
        raise ValueError("k is 0")
    return x * k


ALL = ["test_device", "test_gradient", "test_input_unchanged", "test_remembers", "test_values"]
MISTAKES = {
    "other_dtype": (refusing(lambda x, k: (x * k).double()), ["test_values"]),
    "no_gradient": (refusing(lambda x, k: (x * k).detach()), ["test_gradient"]),
    "changes_input": (refusing(in_place), ["test_input_unchanged"]),
    "other_device": (refusing(lambda x, k: x * torch.full(x.shape, k)), ["test_device"]),
    "not_refused": (lambda x, k=2.0: x * k, ["test_zero"]),
    "refused_otherwise": (divides, ["test_zero"]),
    "others_refused": (refuses_others, [*ALL, "test_zero"]),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_each_is_recognised(found, name):
    function, checks = MISTAKES[name]
    assert found(function)[f"general/{name}"] == checks


@pytest.mark.parametrize("name", MISTAKES)
def test_each_is_told_in_either_language_and_alone(suites_of_f, name):
    target = Written({"f": MISTAKES[name][0]})
    evidence = collected(list(suites_of_f.run("f", target, 1)), suites_of_f["f"].reference)
    (told,) = match(evidence, [])
    assert told.misconception == f"general/{name}"
    assert told.message.to("en").endswith(".")
    assert told.message.to("zh").endswith("。")


@pytest.mark.parametrize("decimals", [2, 4])
def test_rounded_results_are_told_alone(found, decimals):
    """Also what rounding does to the gradient; not where something else is wrong too."""
    told = found(refusing(lambda x, k: (x * k).round(decimals=decimals)))
    assert list(told) == ["general/rounded"]
    assert (
        {"test_values"} <= {*told["general/rounded"]} <= {"test_gradient", "test_values"}
    )  # steps may be too wide to see
    assert "general/rounded" not in found(refusing(lambda x, k: (x + k).round(decimals=decimals)))


def test_few_or_whole_numbers_are_not_called_rounded(tmp_path):
    text = "\n@points(1)\ndef test_a(matches_reference, make):\n    matches_reference.f(make.tensor([1.0, {x}]))\n"
    for x in ("2.0, " * 20, "0.26"):
        (folder := tmp_path / x[:3]).mkdir()
        suites = course(folder, HEAD + text.format(x=x))
        target = LocalTarget({"f": lambda x: x.round(decimals=1) + (x == 2) * 0.04})
        said = diagnose("f", suites["f"], list(suites.run("f", target, 1)), target.call)
        assert "general/rounded" not in [f.misconception for f in said]


def test_right_numbers_of_few_decimals_are_not_called_rounded(tmp_path):
    text = "\n@points(1)\ndef test_a(matches_reference, make):\n    matches_reference.f(make.tensor([0.3, 0.7] * 9))\n"
    suites = course(tmp_path, HEAD + text, "def f(x):\n    return x, 1\n")
    target = LocalTarget({"f": lambda x: (x, 2)})
    assert diagnose("f", suites["f"], list(suites.run("f", target, 1)), target.call) == []


def test_another_exception_is_no_matter_where_good_calls_raise_too(found):
    def f(x, k=2.0):
        return x * no_such_name  # noqa: F821 -- a beginner's

    assert found(f) == {}


def test_what_is_named_already_is_not_told_again(suites_of_f):
    target = LocalTarget({"f": MISTAKES["not_refused"][0]})
    evidence = collected(list(suites_of_f.run("f", target, 1)), suites_of_f["f"].reference)
    named = [Match(Misconception("refuses_nothing", {"f": MISTAKES["not_refused"][0]}), ("test_zero[cpu]",))]
    assert match(evidence, named) == []


TWO = f"""{HEAD}
@points(1)
def test_refuses(raises_value_error):
    for x in (-1, 0):
        raises_value_error.f(x)
"""


@pytest.mark.parametrize(
    ("least", "name", "said"),
    [
        (-9, "not_refused", "is not raised yet"),
        (0, "not_refused", "not all that the statement names"),
        (1, "refused_otherwise", "raise another exception"),
    ],
)
def test_a_refusal_that_is_there_is_not_called_missing(tmp_path, least, name, said):
    def f(x):
        if x < least:
            raise ValueError("too low") if x < 0 else ZeroDivisionError
        return x

    suites = course(tmp_path, TWO, "def f(x):\n    if x < 1:\n        raise ValueError\n    return x\n")
    (told,) = match(collected(list(suites.run("f", LocalTarget({"f": f}), 1)), suites["f"].reference), [])
    assert told.misconception == f"general/{name}"
    assert said in told.message.to("en")


def test_what_is_refused_though_allowed_is_told_beside_a_known_mistake(suites_of_f):
    target = Written({"f": refuses_others})
    evidence = collected(list(suites_of_f.run("f", target, 1)), suites_of_f["f"].reference)
    known = [Match(Misconception("refuses_nothing", {"f": MISTAKES["not_refused"][0]}), ("test_zero[cpu]",))]
    (told,) = match(evidence, known)
    assert told.misconception == "general/others_refused"
    assert "test_zero[cpu]" not in told.checks


def test_refusals_are_not_yet_the_question_where_nothing_is_returned(suites_of_f):
    target = LocalTarget({"f": lambda x, k=2.0: print(x * k)})
    assert match(collected(list(suites_of_f.run("f", target, 1)), suites_of_f["f"].reference), []) == []


class Late:
    """A module that looks at its size when it is called."""

    def __init__(self, size):
        self.size = size

    def __call__(self, x):
        if self.size < 1:
            raise ValueError("too low")
        return x


def test_what_is_refused_at_the_call_only_is_called_late(tmp_path):
    suites = course(
        tmp_path,
        f"{HEAD}\n@points(1)\n"
        "def test_sizes(raises_value_error, make):\n    raises_value_error.made(0).F(make.normal(2))\n"
        "\n\ntest_made = laws.refuses_when_made(1, lambda ask, make: ask.made(0).turns.F())\n",
        "class F:\n    def __init__(self, size):\n        if size < 1:\n            raise ValueError\n\n"
        "    def __call__(self, x):\n        return x\n",
    )
    (told,) = match(collected(list(suites.run("f", LocalTarget({"F": Late}), 1)), suites["f"].reference), [])
    assert told.misconception == "general/not_refused"
    assert told.message.to("en").startswith("Wrong sizes are refused only when the object is called")


def test_a_list_that_is_emptied_is_no_tensor_that_changed(tmp_path):
    def f(xs):
        return xs.pop() * 2

    suites = course(
        tmp_path,
        f"{HEAD}\ntest_input = laws.inputs_unchanged(1, lambda ask, make: ask.f([make.normal(3)]))\n"
        "@error_bound('f')\ndef bound(xs):\n    return xs[0].abs()\n",
        "def f(xs):\n    return xs[0] * 2\n",
    )
    evidence = collected(list(suites.run("f", LocalTarget({"f": f}), 1)), suites["f"].reference)
    assert [g.misconception for g in match(evidence, [])] == ["general/changes_form"]


def test_a_value_that_is_wrong_is_no_matter_of_dtype_or_gradient(found):
    assert found(refusing(lambda x, k: (x * k * 1.5).double())) == {}
    assert found(refusing(lambda x, k: (x * k * 1.5).detach())) == {}


def test_the_stub_refuses_nothing_yet_and_is_told_so_elsewhere(found):
    def stub(x, k=2.0):
        raise NotImplementedError

    assert found(stub) == {}


def test_an_input_that_is_changed_is_told_though_the_value_is_wrong_too(found):
    told = found(refusing(lambda x, k: x.mul_(1.001) * k))
    assert told.get("general/changes_input") == ["test_input_unchanged"]
    assert "general/nearly" not in told


def test_values_that_do_not_unpack_refuse_nothing(found):
    def f(x, k=2.0):
        _a, _b, _c, _d = x.shape
        return x * k

    assert found(f) == {}


def test_a_gpu_that_is_not_there_is_told(found):
    def f(x, k=2.0):
        raise AssertionError("Torch not compiled with CUDA enabled")

    assert found(f)["general/needs_cuda"] == ALL


def test_calls_that_test_no_promise_are_passed_over():
    """In these the solution itself fails without refusing anything."""
    reference, target = {"f": lambda x, k: x * k}, LocalTarget({"f": lambda x, k: x * 7})
    call = Call("f", (torch.tensor([1.0, 2.0]), 3.0))
    wrong = Evidence("test_values", True, call, target.call(call), LocalTarget(reference).call(call), ("value",))
    found = trials.tried([wrong], [dataclasses.replace(wrong, promises=()), wrong], reference, target.call)
    assert found
    assert found.misconception == "general/no_difference"
