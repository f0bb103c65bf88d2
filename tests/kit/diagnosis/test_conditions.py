"""In which calls answers are wrong: what tells them from the right ones, and where nothing does."""

from __future__ import annotations

import pytest
import torch

from grader.diagnosis import comparing, conditions
from grader.diagnosis.evidence import Evidence
from grader.suites import Call, LocalTarget, NoAnswer

REFERENCE = {"f": lambda x, y=None, n=0: x * 2 + (0 if y is None else y.sum()) + n}


def evidence(wrong, *calls, check="test_values", asked=None):
    """The calls of a check, made by a function that is off where `wrong(x, y, n)` holds."""

    def student(x, y=None, n=0):
        return REFERENCE["f"](x, y, n) + bool(wrong(x, y, n))

    found = []
    for call in calls:
        came, due = (LocalTarget({"f": f}).call(call) for f in (student, REFERENCE["f"]))
        found.append(
            Evidence(check, asked or wrong(*call.args, **call.kwargs), call, came, due, comparing.tested(call, due))
        )
    return found


def told(found, left=(), ask=None):
    said = conditions.told(found, REFERENCE, ["value"], lambda: {"test_values": [*(e.call for e in found), *left]}, ask)
    return said and said.to("en")


def takes(function):
    return lambda x, y=None, n=0: function(x, y, n)


def call(x, *rest, **more):
    return Call("f", (x, *rest), more)


def test_what_a_call_that_raises_would_have_changed_is_not_known():
    def student(x, y=None, n=0):
        if n == 3:
            x += 1
        return REFERENCE["f"](x, y, n) if n != 2 else x.no

    found = []
    for n in (0, 1, 3, 2, *range(4, 9)):
        c = Call("f", (torch.ones(3),), {"n": n}, watch=True)
        came, due = (LocalTarget({"f": f}).call(c) for f in (student, REFERENCE["f"]))
        found.append(Evidence("test_inputs", True, c, came, due, comparing.tested(c, due)))
    said = conditions.told(found, REFERENCE, ["input"], dict, None)
    assert said.to("en") == "7 of 8 calls leave their inputs unchanged: all but those in which n is 3."


MANY = [call(torch.ones(n, 2)) for n in range(2, 9)]


@pytest.mark.parametrize(
    ("wrong", "odd", "said"),
    [
        (lambda x, y, n: len(x) > 9, [call(torch.ones(10, 2))], "a size is 10 or more (at most 8 in the right ones)"),
        (lambda x, y, n: len(x) == 1, [call(torch.ones(1, 2))], "a size is 1"),
        (
            lambda x, y, n: y is not None and not len(y),
            [call(torch.ones(2, 2), torch.ones(0, 2)), call(torch.ones(2, 2), torch.ones(3, 3))],
            "a size is 0",
        ),
        (lambda x, y, n: y is not None, [call(torch.ones(2, 2), torch.ones(3, 3))], "y is passed"),
        (lambda x, y, n: n < 0, [call(torch.ones(2, 2), n=-3), call(torch.ones(2, 2), n=2)], "n is -3"),
        (lambda x, y, n: x.dim() == 3, [call(torch.ones(2, 3, 4))], "x has 3 axes"),
        (lambda x, y, n: not x.is_contiguous(), [call(torch.ones(4, 3).t())], "x is not contiguous in memory"),
        (lambda x, y, n: bool(x.isinf().any()), [call(torch.tensor([[1.0, torch.inf]] * 2))], "infinite or NaN"),
    ],
)
def test_what_tells_wrong_calls_from_right_ones(wrong, odd, said):
    text = told(evidence(takes(wrong), *MANY, *odd))
    assert text, said
    assert said in text
    assert text.startswith(f"{len(MANY) + len(odd) - 1} of {len(MANY) + len(odd)} calls are right: all but those in ")


def test_odd_and_even_lengths():
    odd = [call(torch.ones(3, 1)), call(torch.ones(3, 3)), call(torch.ones(4, 5))]
    assert "axis -1 of x has an odd length" in told(evidence(takes(lambda x, y, n: x.shape[1] % 2), *MANY, *odd))


def test_two_wrong_calls_that_share_more_than_is_told_say_nothing():
    alike = [call(torch.ones(4, 2, 16).double(), n=3), call(torch.ones(4, 2, 16).double(), n=3)]
    assert told(evidence(takes(lambda x, y, n: x.dim() == 3), *MANY, *alike)) is None


def test_a_call_whose_backward_pass_may_have_failed_is_no_right_one():
    def wrong(x, y, n):
        if len(x) == 1:
            raise RuntimeError("no")
        return False

    calls = [*MANY, call(torch.ones(1, 2)), Call("f", (torch.ones(1, 2),), gradients=True)]
    text = told(evidence(takes(wrong), *calls, asked=True))
    assert "7 of 8 calls are right: all but those in which a size is 1." in text


def test_values_of_several_kinds_are_not_compared():
    calls = [*MANY, call(torch.ones(2, 2), n=True), call(torch.ones(2, 2), n=2.5), call(torch.ones(2, 2), n=-1)]
    assert "n is -1" in told(evidence(takes(lambda x, y, n: n == -1), *calls))


def test_nothing_is_said_where_nothing_tells_them_apart_or_few_calls_are_right():
    assert told(evidence(takes(lambda x, y, n: len(x) in (3, 7)), *MANY)) is None
    assert told(evidence(takes(lambda x, y, n: len(x) > 3), *MANY)) is None
    assert told(evidence(takes(lambda x, y, n: True), *MANY)) is None


def test_nothing_is_said_where_a_check_fails_and_no_call_shows_why():
    found = evidence(takes(lambda x, y, n: len(x) > 9), *MANY, call(torch.ones(10, 2)))
    assert told(found)
    assert told([*found, *evidence(takes(lambda x, y, n: False), *MANY, check="test_other", asked=True)]) is None


def test_calls_that_a_failed_check_did_not_come_to_are_made():
    wrong = takes(lambda x, y, n: len(x) > 9)
    found = evidence(wrong, *MANY, call(torch.ones(10, 2)))
    more = [call(torch.ones(20, 2)), call(torch.ones(9, 2))]
    student = LocalTarget({"f": lambda x: REFERENCE["f"](x) + (len(x) > 9)})
    assert "at most 9 in the right ones" in told(found, more, student.call)

    def silent(call):
        raise NoAnswer("timeout", conditions.SAID["value"])

    assert "at most 8 in the right ones" in told(found, more, silent)
