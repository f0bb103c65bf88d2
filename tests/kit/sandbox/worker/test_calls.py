"""Suites for classes: objects are made, their weights loaded, called once or in turns; and results that are trees."""

from __future__ import annotations

import random
import re
import sys

import numpy
import pytest
import torch
from class_suite import SOLUTION, SUITE
from toy_suites import HEAD, course

from grader.sandbox.processes import CallFunction, DictForm, ListForm
from grader.sandbox.worker.source import load
from grader.sandbox.worker.worker import Session
from grader.suites.local import LocalTarget


@pytest.fixture
def verdicts(tmp_path):
    suites = course(tmp_path, SUITE, SOLUTION)

    def run(change: str = "", to: str = "") -> dict[str, str]:
        assert change in SOLUTION
        functions = load(SOLUTION.replace(change, to), "f")
        found = suites.run("f", LocalTarget(functions), 3)
        return {r.id.partition("[")[0]: r.reason.to("en") for r in found if r.verdict != "passed"}

    return run


def test_the_solution_passes(verdicts):
    assert verdicts() == {}


def test_a_wrong_forward(verdicts):
    found = verdicts("* self.factor", "* 1.01 * self.factor")
    assert set(found) == {"test_values", "test_turns"}
    words = r"Scaled\(size=3, factor=2.0\) called with \(x \[2, 3\] float\d\d\): result 1 is off by"
    assert re.match(words, found["test_values"])
    assert "called with (x [2, 3] float32), (x [1, 3] float32)" in found["test_turns"]


def test_state_that_is_lost_between_calls(verdicts):
    found = verdicts("self.rows += x.shape[0]", "self.rows = x.shape[0]")
    assert found["test_turns"].endswith("result 2[1] is 1, expected 3")


def test_weights_of_another_name(verdicts):
    found = verdicts("self.inner", "self.other")
    assert "Missing key(s) in state_dict" in found["test_values"]


def test_a_detached_weight(verdicts):
    assert "inner.weight" in verdicts("self.inner(x)", "x @ self.inner.weight.detach().T")["test_gradient"]


def test_a_constant_on_the_wrong_device(verdicts):
    found = verdicts("self.inner(x) * self.factor", "self.inner(x) * torch.full((1, 3), self.factor)")
    assert set(found) == {"test_contract"}


def test_a_table_kept_as_a_buffer_moves_with_the_weights(verdicts):
    lines = SOLUTION[SOLUTION.index("self.rows = 0") : SOLUTION.index(" * self.factor")]
    table = "self.register_buffer('table', torch.ones(3), persistent=False)\n        "
    assert verdicts(lines, table + lines + " * self.table") == {}


def test_a_weight_changed_in_place(verdicts):
    found = verdicts("self.rows += x.shape[0]", "self.rows += x.shape[0]; self.inner.weight.data.add_(0)")
    assert found == {}
    found = verdicts(
        "self.rows += x.shape[0]", "self.rows += x.shape[0]; self.inner.weight.data.mul_(2).div_(2).add_(1)"
    )
    assert "changes its input inner.weight in place" in found["test_untouched"]


TREES = {
    '"n": n,': ('"n": n + 1,', "the result['n'] is 4, expected 3"),
    '"half": n / 2': ('"half": n / 3', "the result[1]['half'] is off by 0.5: it is 1, expected 1.5"),
    '{"n": n, 1: {"half": n / 2},': ('{"n": n,', "the result has the wrong keys (missing: 1; not expected: -)"),
    "torch.arange(n)": ("torch.arange(n + 1)", "the result['parts'][0] has shape [4], expected [3]"),
    '"a", None, True': ('"a", None, 1', "returns int as the result['parts'][1][2], expected bool"),
    '["a", None, True]': ('["a", None]', "the result['parts'][1] has 2 values, expected 3"),
    '"a", None': ('"b", None', "the result['parts'][1][0] is 'b', expected 'a'"),
}


@pytest.mark.parametrize("part", TREES)
def test_a_wrong_part(verdicts, part):
    other, reason = TREES[part]
    assert reason in verdicts(part, other)["test_facts"]


def test_keys_may_come_in_another_order(verdicts):
    assert verdicts('"n": n, 1: {"half": n / 2}', '1: {"half": n / 2}, "n": n') == {}


@pytest.mark.parametrize("number", ["torch.tensor(n)", "float(n)", "torch.tensor(n).numpy()[()]"])
def test_a_number_may_come_in_another_form(verdicts, number):
    assert "test_facts" not in verdicts('"n": n,', f'"n": {number},')


@pytest.mark.parametrize("number", ["n + 0.5", "str(n)", "None", "True", "float('nan')", "[n]", "torch.tensor([n])"])
def test_a_number_that_is_none(verdicts, number):
    assert "test_facts" in verdicts('"n": n,', f'"n": {number},')


def test_a_construction_of_any_size(verdicts):
    assert set(verdicts("torch.arange(n)", "torch.arange(n + 2)")) == {"test_facts"}
    assert verdicts("torch.arange(n)", "torch.arange(n - 1)")["test_loose"] == "too few parts"


def test_a_whole_number_beside_a_result_has_no_part_in_its_gradient(tmp_path):
    text = "\n@points(1)\ndef test_a(matches_gradients, make): matches_gradients.f(make.normal(3, 4))\n"
    suites = course(tmp_path, HEAD + text, "def f(x):\n    return x.ndim, x**2\n")
    (found,) = suites.run("f", LocalTarget({"f": lambda x: (torch.tensor(x.ndim), x * x)}), 1)
    assert found.verdict == "passed", found.reason


def test_the_largest_intermediate_is_counted():
    session = Session({"f": lambda: torch.ones(7, 3).expand(5, 7, 3).sum()})
    reply, _ = session.answer(CallFunction("f", ListForm([]), DictForm([]), watch=True), bytearray())
    assert reply.largest == 21


def test_chance_is_the_same_whenever_a_call_is_made():
    draws = Session({"f": lambda: [random.random(), torch.rand(2), numpy.random.rand()]})
    first, again = (draws.answer(CallFunction("f", ListForm([]), DictForm([])), bytearray()) for _ in range(2))
    assert first == again


def test_an_exit_is_an_answer():
    reply, _ = Session({"f": sys.exit}).answer(CallFunction("f", ListForm([3]), DictForm([])), bytearray())
    assert (reply.types[0], reply.message) == ("SystemExit", "3")
