"""What a student's copy compares with: results that were written down, found by their arguments."""

from __future__ import annotations

import pytest
import torch

from grader.suites.recorded import find, not_shown
from grader.suites.side_effects import NotChecked

X, Y = torch.tensor([1.0, 2.0]), torch.tensor([[3.0]])
EXAMPLES = [({"x": X, "dim": 0}, (2 * X, [1, X])), ({"x": Y, "dim": 0}, 7), ({"x": [X, Y]}, {"a": X > 1})]


def test_the_result_for_these_arguments():
    first, (count, second) = find(EXAMPLES, x=X.clone(), dim=0)
    assert (first.tolist(), count, second.tolist()) == ([2.0, 4.0], 1, [1.0, 2.0])
    assert find(EXAMPLES, x=Y, dim=0) == 7
    assert find(EXAMPLES, x=(X, Y))["a"].tolist() == [False, True]


def test_wider_arguments_get_a_wider_result():
    first, (_, second) = find(EXAMPLES, x=X.double(), dim=0)
    assert first.dtype == second.dtype == torch.float64
    assert find(EXAMPLES, x=[X.double(), Y])["a"].dtype == torch.bool


@pytest.mark.parametrize("given", [{"x": X + 1, "dim": 0}, {"x": X, "dim": 1}, {"x": X[None], "dim": 0}, {"x": [X]}])
def test_arguments_that_no_example_has(given):
    with pytest.raises(LookupError, match="no example has these arguments"):
        find([e for e in EXAMPLES if set(e[0]) == set(given)], **given)


def test_a_check_without_an_example_is_skipped():
    with pytest.raises(NotChecked) as skipped:
        not_shown()
    assert skipped.value.reason.to("en") == "there is no visible example"
    assert skipped.value.reason.to("zh") == "没有可见示例"
