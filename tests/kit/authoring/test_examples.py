"""Visible examples: short, right, and only where there is one right answer."""

from __future__ import annotations

import pytest
import torch
from support import TOY

from grader.authoring import examples
from grader.suites.local import LocalTarget
from grader.suites.runner import Suites, load_solution
from grader.suites.target import Call


def gathered(folder, id, *functions):
    suites = Suites({id: folder / "tests" / "hidden" / f"{id}.py"}, {id: folder / "solutions" / f"{id}.py"})
    return examples.gather(suites, id, functions)


@pytest.mark.parametrize("id", ["scale", "pair"])
def test_an_example_says_what_the_solution_gives(id):
    names = {**load_solution(TOY / "solutions" / f"{id}.py"), "tensor": torch.tensor}
    found = gathered(TOY, id, id)
    assert 1 <= len(found) <= 2
    for example in found:
        one, other = (eval(getattr(example, part), dict(names)) for part in ("call", "result"))
        torch.testing.assert_close(one, other, rtol=0, atol=1e-4)


def test_the_same_each_time():
    assert gathered(TOY, "scale", "scale") == gathered(TOY, "scale", "scale")


SUITE = '''
from grader.suites import points

@points(2)
def test_it({fixtures}, make):
    """One.

    一。
    """
    {call}
'''
CASES = {
    "of many right answers": ("student", "student.pair(make.normal(3))"),
    "compared, but not only": ("student, matches_reference", "matches_reference.pair(make.normal(3))"),
    "too long": ("matches_reference", "matches_reference.pair(make.normal(65))"),
    "too large to read": ("matches_reference", "matches_reference.pair(make.tensor([1e4, 1.0]))"),
    "not finite": ("matches_reference", "matches_reference.pair(make.tensor([-float('inf'), 1.0]))"),
    "another function": ("matches_reference", "pass"),
}


@pytest.mark.parametrize("case", CASES)
def test_no_example(toy_copy, case):
    fixtures, call = CASES[case]
    id = "no_" + case.replace(" ", "_").replace(",", "")  # Python keeps a module of each name
    (toy_copy / "solutions" / "pair.py").rename(toy_copy / "solutions" / f"{id}.py")
    suite = toy_copy / "tests" / "hidden" / f"{id}.py"
    suite.write_text(SUITE.format(fixtures=fixtures, call=call), encoding="utf-8")
    assert gathered(toy_copy, id, "pair") == []


def test_numbers_texts_and_nothing():
    """Arguments of any plain kind can be written down; of results those that can be compared."""
    local = LocalTarget({"f": lambda *a, **k: (torch.tensor([-0.0, 0.123456]), 3)})
    call = Call("f", (torch.tensor([[True], [False]]), 2, (1.23456,)), {"flag": torch.tensor(5)})
    assert examples._written(call, local).call == "f(tensor([[True], [False]]), 2, (1.23456,), flag=tensor(5))"
    assert examples._written(call, local).result == "(tensor([0.0, 0.1235]), 3)"
    for value in (None, "text", [], {"a": "text"}, torch.zeros(2, dtype=torch.float64)):
        assert examples._written(call, LocalTarget({"f": lambda *a, v=value, **k: v})) is None


def test_a_dict_as_python():
    shapes = {1: {"heads": (2, 5, 2), "scale": 0.70711}, 2: None}
    assert examples._source(shapes, "result") == "{1: {'heads': (2, 5, 2), 'scale': 0.7071}, 2: None}"
    assert examples._source({"x": object()}, "result") is None
    assert examples._source({(1, 2): 3}, "result") is None
