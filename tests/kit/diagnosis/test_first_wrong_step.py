"""What a worker claims of the steps that a file takes is believed as far as it can be true."""

from __future__ import annotations

import pytest

from grader.diagnosis.composing import wrong_at_first
from grader.diagnosis.first_wrong_step import MOST_STEPS, claimed
from grader.diagnosis.step import Step
from grader.diagnosis.steps import Run, solution, ways
from grader.suites.local import LocalTarget
from grader.suites.target import Call, Outcome

torch = pytest.importorskip("torch")
VALUE = torch.ones(2)


@pytest.mark.parametrize(
    "records",
    [
        [[1, 1, VALUE, [0], "add"]],
        [[1, 1, VALUE, [], "add"], [2, 2, VALUE, [7], "add"]],
        [[1, 1, VALUE, [-3], "add"]],
        [[1, 1, VALUE, ["0"], "add"]],
        [[1, 1, VALUE]],
        [[1, 1, VALUE, []]],
        [[1, 1, VALUE, [], 5]],
        [[1, 1, VALUE, [], "add"], "step"],
        [[1, 1, [1.0], [], "add"]],
        [[1, 1, torch.ones(5000), [], "add"]],
        [[1, 1, VALUE, [], "add"]] * (MOST_STEPS + 1),
    ],
)
def test_what_cannot_be_is_no_way(records):
    assert claimed(Outcome(recorded=records)) == []


@pytest.mark.parametrize("value", [torch.full((2,), 10**12), torch.ones(2, dtype=torch.complex64)])
def test_the_solution_computes_with_no_whole_or_complex_numbers_of_a_students(value):
    call, came = Call("f", (VALUE,)), Outcome(torch.zeros(2))
    handed_in = []

    def run(instead):
        handed_in.extend(instead.values())
        outcome = LocalTarget({"f": lambda x: x + 1}).call(call)
        return Run(outcome, [Step(1, 1, torch.arange(2)), Step(2, 2, VALUE, [0]), Step(3, 3, outcome.value, [1])])

    assert (
        ways(call, came, [Step(1, 1, value, [-1]), Step(2, 2, VALUE * 5, [0]), Step(3, 3, VALUE * 0, [1])], run) == []
    )
    assert all(tensor.is_floating_point() for tensor in handed_in)
    assert handed_in


def test_steps_of_a_watched_call_are_seen():
    watched = Call("f", (torch.ones(2),), watch=True)
    assert [s.operation for s in solution(lambda x: (2 * x).exp(), "", watched)({}).steps] == ["mul", "exp"]


def test_a_wrong_value_that_makes_no_difference_is_the_one_of_its_own_step():
    """A softmax over one entry is 1 whatever it is, so that any value explains the answer."""
    call = Call("f", (torch.tensor([[1.0], [2.0]]),))
    right, wrong = (
        solution(function, "", call)
        for function in (lambda x: (x.exp() / 2).softmax(-1), lambda x: (x.exp() * 0.25).softmax(-1))
    )
    plain = wrong({})
    (instead, *_) = wrong_at_first(call, plain.outcome, plain.steps, right)
    assert {j: value.tolist() for j, value in instead.items()} == {1: plain.steps[1].value.tolist()}


def test_values_on_another_way_that_leads_to_right_ones_are_not_wrong():
    """There are so many of them that the wrong one would not be tried."""
    call = Call("f", (torch.arange(6.0).reshape(2, 3),))

    def another_way(x):
        parts = [x * share for share in range(2, 32)]
        return ((sum(parts) / sum(range(2, 32)) + 1).exp() * 0.25).softmax(-1)

    right, wrong = (solution(f, "", call) for f in (lambda x: ((x + 1).exp() / 2).softmax(-1), another_way))
    plain = wrong({})
    (instead, *_) = wrong_at_first(call, plain.outcome, plain.steps, right)
    assert [value.tolist() for value in instead.values()] == [plain.steps[-2].value.tolist()]
