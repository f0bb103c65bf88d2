"""What of a wrong result is shown as a picture, and to whom."""

from __future__ import annotations

import json
import sys

import pytest
import torch
from support import check, exercise
from toy_suites import HEAD, course

from grader.intake import Source, Submission
from grader.report.feedback import redact
from grader.report.report import Report
from grader.suites.excerpt import Compared, excerpt, excerpts, shown_of, shows_pattern
from grader.suites.local import LocalTarget
from grader.suites.wording import differs
from grader.texts import Text

NAME = Text("result 1")
linux = pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")


def compared(actual, expected, right=None) -> Compared:
    a, e = torch.as_tensor(actual), torch.as_tensor(expected, dtype=torch.float64)
    same = (a.double() == e) if right is None else torch.as_tensor(right)
    return Compared(NAME, *(t.numpy() for t in (a, e, same)))


def test_a_matrix():
    found = excerpt(compared([[1.0, 2.0], [3.0, 4.0]], [[1.0, 2.0], [3.0, 5.0]]))
    assert (found.name, found.shape) == (NAME, [2, 2])
    assert found.expected == [[1.0, 2.0], [3.0, 5.0]]
    assert found.actual == [[1.0, 2.0], [3.0, 4.0]]


def test_a_vector_is_one_row():
    found = excerpt(compared([1.0, 2.0], [1.0, 3.0]))
    assert (found.shape, found.expected, found.actual) == ([2], [[1.0, 3.0]], [[1.0, 2.0]])


def test_the_wrong_matrix_of_many():
    expected = torch.zeros(2, 3, 4, 5)
    actual = expected.clone()
    actual[1, 2, 3, 4] = 1
    found = excerpt(compared(actual, expected))
    assert [found.name.to(lang) for lang in ("en", "zh")] == ["result 1, matrix [1, 2]", "result 1的矩阵 [1, 2]"]
    assert found.shape == [2, 3, 4, 5]
    assert (len(found.actual), len(found.actual[0]), found.actual[3][4]) == (4, 5, 1.0)


def test_what_is_right_within_its_tolerance_is_equal():
    found = excerpt(compared([[1.00001, 3.0]], [[1.0, 2.0]], [[True, False]]))
    assert found.actual == [[1.0, 3.0]]


def test_what_is_wrong_differs_however_little():
    found = excerpt(compared(torch.tensor([[1.0 + 1e-12, 2.0]], dtype=torch.float64), [[1.0, 2.0]]))
    assert found.actual[0][0] != found.expected[0][0]


def test_what_json_has_no_number_for():
    inf = float("inf")
    found = excerpt(compared([[float("nan"), inf, -inf, 1.0]], [[0.0, 1.0, -inf, inf]]))
    assert found.actual == [["nan", "inf", "-inf", 1.0]]
    assert found.expected == [[0.0, 1.0, "-inf", "inf"]]
    assert json.loads(json.dumps(found.actual, allow_nan=False)) == found.actual


def test_switches_are_zero_and_one():
    found = excerpt(compared([[True, False]], [[1.0, 1.0]]))
    assert (found.expected, found.actual) == ([[1.0, 1.0]], [[1.0, 0.0]])


@pytest.mark.parametrize("shape", [(), (1,), (1, 1), (13,), (13, 2), (2, 13), (3, 2, 13)])
def test_what_is_too_large_or_too_small_to_look_at(shape):
    assert excerpt(compared(torch.zeros(shape), torch.ones(shape))) is None


def test_twelve_by_twelve_is_looked_at():
    assert excerpt(compared(torch.zeros(4, 12, 12), torch.ones(4, 12, 12))) is not None


def test_shares_are_preferred():
    """An output is a mix; the weights that made it say more."""
    output, weights = compared([[5.0, 1.0]], [[5.0, 2.0]]), compared([[0.5, 0.5]], [[0.1, 0.9]])
    assert shown_of([output, weights]) is weights
    assert shown_of([output]) is output


def test_what_can_be_drawn_is_told_before_what_cannot():
    large, small = compared(torch.zeros(3, 40), torch.ones(3, 40)), compared([[5.0, 1.0]], [[5.0, 2.0]])
    assert shown_of([large, small]) is small


def test_the_matrix_with_the_worst_entry_is_the_one_that_is_drawn():
    """The sentence beside the picture quotes that entry."""
    expected = torch.zeros(3, 2, 2)
    actual = expected.clone()
    actual[0, 0, 1], actual[2, 1, 0] = 1, 5
    wrong = compared(actual, expected)
    assert excerpt(wrong).name.to("en") == "result 1, matrix [2]"
    assert "off by up to 5 (2 of 12 entries; at [2, 1, 0] it is 5, expected 0)" in differs(wrong).to("en")


@pytest.mark.parametrize(
    ("shape", "clear"),
    [((3, 3), True), ((8, 3), True), ((2, 4, 5), True), ((5,), True), ((1, 2), False), ((2, 5), False)],
)
def test_a_pattern_takes_three_rows_and_columns(shape, clear):
    assert shows_pattern(shape) == clear


WRONG = "def scale(x, factor=2.0):\n    return x + factor\n"


@linux
def test_a_report_holds_the_picture(process, scale):
    found = check(scale(WRONG), "test_values[cpu-float32]")
    assert (found.picture.name.to("en"), found.picture.shape) == ("the result", [3])
    assert len(found.picture.expected[0]) == 3
    assert found.values.to("en").startswith("input:")
    assert "expected:" not in found.values.to("en")


@linux
def test_the_picture_is_written_and_read_back(process):
    text = process.grade(Submission("s", {"scale": Source(WRONG)}), "", seed=1)
    assert Report.from_json(text).to_json() == text
    checks = json.loads(text)["exercises"][0]["checks"]
    assert [c["id"] for c in checks if "picture" in c] == ["test_values[cpu-float32]"]  # one for all dtypes
    assert set(checks[0]["picture"]) == {"name", "shape", "expected", "actual"}


@linux
@pytest.mark.parametrize("feedback", ["hints", "verdict"])
def test_values_are_only_shown_at_full_feedback(process, feedback):
    whole = Report.from_json(process.grade(Submission("s", {"scale": Source(WRONG)}), "", seed=1))
    report = redact(whole, feedback)
    assert "picture" not in report.to_json()
    assert "input:" not in report.to_json()
    assert "input:" in whole.to_json()
    found = exercise(report, "scale")
    assert [c.picture for c in found.checks] == [None] * len(found.checks)


@linux
def test_only_what_is_asked_for_is_graded(process):
    submission = Submission("s", {"scale": Source(WRONG), "pair": Source(WRONG)})
    report = Report.from_json(process.grade(submission, "", 1, ["scale"]))
    assert [e.id for e in report.exercises] == ["scale"]


SIZES = (
    f'{HEAD}@points(1)\ndef test_sizes(matches_reference):\n    """T."""\n'
    "    for n, m in ((1, 2), (2, 5), (20, 30), (4, 6), (3, 3)):\n"
    "        matches_reference.f(torch.full((n, m), 2.0))\n"
)


def failing(folder, function):
    suites = course(folder, SIZES)
    (first,), (again,) = (suites.run("f", LocalTarget({"f": function}), 1) for _ in range(2))
    for name in ("reason", "values", "picture"):
        assert getattr(first, name) == getattr(again, name)  # whoever was graded before
    return first


def test_of_a_checks_calls_the_one_whose_picture_shows_a_pattern_is_quoted(tmp_path):
    found = failing(tmp_path, torch.triu)
    assert found.reason.to("en").startswith("f(x [4, 6] float32): ")
    assert found.picture.shape == [*found.last.args[0].shape] == [4, 6]
    assert not found.salience.unclear


def test_where_larger_results_are_right_the_small_one_is_quoted(tmp_path):
    found = failing(tmp_path, lambda x: x if len(x) > 2 else -x)
    assert found.reason.to("en").startswith("f(x [1, 2] float32): ")
    assert found.picture.shape == [*found.last.args[0].shape] == [1, 2]
    assert found.salience.unclear


def test_a_later_call_that_raises_leaves_the_wrong_numbers(tmp_path):
    def wrong(x):
        if len(x) > 2:
            raise ZeroDivisionError
        return -x

    found = failing(tmp_path, wrong)
    assert found.reason.to("en").startswith("f(x [1, 2] float32): ")


def test_where_moved_entries_are_due():
    """Of two heads that are exchanged: in which matrix each entry belongs; nothing of it where values are computed."""
    expected = torch.arange(12.0).reshape(1, 2, 2, 3)
    swapped = excerpt(compared(expected.flip(1), expected))
    assert swapped.name.to("en") == "result 1, matrix [0, 0]"
    assert swapped.homes[1] == [[0, 1, 1, 0], [0, 1, 1, 1], [0, 1, 1, 2]]
    turned = excerpt(compared(expected[0, 0].flip(0), expected[0, 0]))
    assert turned.homes == [[[1, 0], [1, 1], [1, 2]], [[0, 0], [0, 1], [0, 2]]]
    assert excerpt(compared(expected + 0.5, expected)).homes is None
    assert excerpt(compared(torch.zeros(3, 3), torch.eye(3))).homes is None


def test_several_matrices_of_a_result_with_the_worst_among_them():
    expected = torch.zeros(6, 2, 2)
    actual = expected.clone()
    actual[5, 1, 1] = 3.0
    found = excerpts(compared(actual, expected), 4)
    assert [picture.name.values["place"] for picture in found] == [[0], [1], [2], [5]]
    assert found[-1].actual == [[0.0, 0.0], [0.0, 3.0]]
    assert [p.actual for p in excerpts(compared(torch.tensor(2.0), 2.0), 4)] == [[[2.0]]]
    assert excerpts(compared(torch.zeros(0, 2), torch.zeros(0, 2)), 4) == ()
    assert excerpts(compared(torch.zeros(2, 13), torch.zeros(2, 13)), 4) == ()
