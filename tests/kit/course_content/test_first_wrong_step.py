"""On which line a wrong result comes from, and in which calls: the solution run with what the student's line gives."""

from __future__ import annotations

import functools
import re
import sys

import pytest
from support import ROOT

from grader.intake.submission import Source, Submission
from grader.report.feedback import redact
from grader.report.report import Report

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only"),
]
STEPS = {
    "scores": "scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])",
    "mask": 'if mask is not None: scores = scores.masked_fill(~mask, float("-inf"))',
    "weights": "weights = torch.softmax(scores, dim=-1)",
    "result": "return weights @ v, weights",
}
HEAD = "import math\nimport torch\n\ndef scaled_dot_product_attention(q, k, v, mask=None):\n"
LINES = {name: number for number, name in enumerate(STEPS, 5)}
NOWHERE = "It goes wrong on line"


@pytest.fixture(scope="module")
def graded(course_process):
    @functools.cache
    def report(exercise, text):
        submission = Submission("ann", {exercise: Source(text)})
        return Report.from_json(course_process.grade(submission, "", 5, [exercise]))

    return report


@pytest.fixture(scope="module")
def report(graded):
    """The report on attention in these steps, some of them changed."""

    def report(**changed):
        return graded("attention", HEAD + "".join(f"    {line}\n" for line in {**STEPS, **changed}.values()))

    return report


@pytest.fixture(scope="module")
def reason(report):
    return lambda **changed: report(**changed).exercises[0].reason.to("en")


@pytest.mark.parametrize(
    ("step", "line", "said"),
    [
        ("scores", "scores = q @ k.transpose(-2, -1) * 3", "times what is needed there, depending on the call."),
        ("mask", 'if mask is not None: scores = scores.masked_fill(mask, float("-inf"))', "numbers that it gives"),
        ("weights", "weights = torch.softmax(scores, dim=-2)", "numbers that it gives"),
        ("weights", "weights = 2 * torch.softmax(scores, dim=-1)", "it gives 2 times what is needed there."),
        ("weights", "weights = torch.softmax(scores, dim=-1).flip(-1)", "the right numbers, but not in the order"),
        ("weights", "weights = torch.softmax(scores, dim=-1) + 0.5", "0.5 more than is needed there."),
        ("weights", "weights = torch.softmax(scores, dim=-1) - 0.5", "0.5 less than is needed there."),
    ],
)
def test_the_line_of_one_wrong_step(reason, step, line, said):
    found = reason(**{step: line})
    assert f"{NOWHERE} {LINES[step]}, `{line[:80]}" in found
    assert said in found
    tensors = "The tensors that go into it are right, and so is all that follows in this call."  # a mask may be another
    assert found.endswith("All that follows in this call is right." if step == "mask" else tensors)


def test_a_step_that_is_missing_is_told_where_its_input_is_made(reason):
    found = reason(mask="pass")
    assert f"After line {LINES['scores']}, `{STEPS['scores']}`, a step is missing: " in found
    assert found.endswith(" All that follows in this call is right.")


def test_a_step_that_does_too_little_is_told_not_the_one_before(reason):
    little = "scores = scores + (0.0 if mask is None else ~mask * -3.0)"
    assert f"{NOWHERE} {LINES['mask']}, `{little}`" in reason(mask=little)


def test_inputs_that_may_be_others_are_not_called_right(reason):
    swapped = {"scores": "k, v = v + 0, k + 0\n    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])"}
    assert "The tensors that go into it are right" not in reason(**swapped)


def test_a_step_whose_input_is_no_step_of_the_solution(reason):
    changed = {"mask": "pass", "weights": f"{STEPS['weights']} * (1 if mask is None else mask)"}
    found = reason(**changed)
    assert f"{NOWHERE} {LINES['weights']}, " in found
    assert found.endswith(" All that follows in this call is right.")


def test_two_wrong_values_of_one_line(graded):
    right = (ROOT / "solutions" / "rope.py").read_text(encoding="utf-8")
    body = "    a, b = x[..., ::2], x[..., 1::2]\n    return torch.cat((-b, a), dim=-1)\n"
    wrong = f"{right}\n\ndef rotate_half(x):\n{body}"
    found = graded("rope", wrong).exercises[0].reason.to("en")
    line = wrong.splitlines().index("    a, b = x[..., ::2], x[..., 1::2]") + 1
    assert f"{NOWHERE} {line}, `a, b = x[..., ::2], x[..., 1::2]`: " in found


def test_values_in_a_shorter_dtype_are_not_right(reason):
    found = reason(
        scores=f"q = q.half().type_as(q)\n    {STEPS['scores']}", weights="weights = scores.half().softmax(-1)"
    )
    assert "The tensors that go into it are right" not in found


def test_two_wrong_steps(reason):
    found = reason(
        scores="scores = q @ v.transpose(-2, -1) / math.sqrt(q.shape[-1])", result="return weights @ k, weights"
    )
    assert f"{NOWHERE} {LINES['scores']}, " in found
    assert f"{NOWHERE} {LINES['result']}, " in found


@pytest.mark.parametrize(
    "changed",
    [
        {"result": "return weights, weights @ v"},
        {"result": "return (weights @ v).float(), weights"},
        {"weights": "weights = torch.softmax(scores, dim=-1) * (1.5 + __import__('os').urandom(1)[0] / 255)"},
        {"scores": "return None"},
        {"scores": "for _ in range(100): q = q * 1.01\n    scores = q @ k.transpose(-2, -1)"},
    ],
)
def test_no_line_is_blamed_where_nothing_is_shown(reason, changed):
    assert NOWHERE not in reason(**changed)


def test_hints_show_no_line_of_the_file(report):
    found = redact(report(scores="scores = q @ k.transpose(-2, -1)"), "hints").exercises[0].reason.to("en")
    assert f"After line {LINES['scores']} a step is missing: it gives " in found
    assert "transpose" not in found


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("if x.shape[dim] > 256:\n        y = y * 1.5", "a size is 300 or more (at most 129 in the right ones)."),
        ("if x.shape[dim] > 512:\n        y = y * 1.5", "a size is 520 or more (at most 300 in the right ones)."),
        ("if x.dtype == torch.float16:\n        y = y + 1", "the inputs are float16."),
        ("if x.dtype == torch.bfloat16:\n        raise TypeError('no')", "the inputs are bfloat16."),
        ("if x.ndim == 5:\n        y = y * 1.5", "x has 5 axes."),
        ("if dim == 1:\n        y = y * 1.5", "dim is 1."),
    ],
)
def test_in_which_calls_it_goes_wrong(graded, wrong, said):
    right = "e = torch.exp(x - x.amax(dim, keepdim=True))\n    y = e / e.sum(dim, keepdim=True)"
    code = f"import torch\n\ndef softmax(x, dim=-1):\n    {right}\n    {wrong}\n    return y\n"
    reason = graded("softmax", code).exercises[0].reason
    text = reason.to("en")
    assert re.search(r"(\d+) of (\d+) calls are right: all but those in which ", text), text
    assert said in text
    assert "个调用" in reason.to("zh")


def test_where_all_calls_are_wrong_or_a_mistake_is_named_no_condition_is_said(graded, reason):
    assert "all but those in which" not in reason(scores="scores = q @ k.transpose(-2, -1)")
    same = graded("softmax", "import torch\n\ndef softmax(x, dim=-1):\n    return x.cumsum(dim)\n").exercises[0].reason
    assert "all but those in which" not in same.to("en")
