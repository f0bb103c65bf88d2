"""The steps of a call beside the solution's: of right, wrong and hostile code, as far as a course shows them."""

from __future__ import annotations

import contextlib
import shutil
import sys

import pytest
from support import ENVIRONMENT, OPTIONS, ROOT, TOY, solution

from grader.authoring import visible_examples
from grader.batch import SHOW_STEPS, WITHOUT_TORCH, ForkServer
from grader.course import course as courses
from grader.errors import CourseError
from grader.intake import Source, Submission
from grader.sandbox.processes import ExampleCall, ShownSteps, ShowSteps

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only"),
]
UNSCALED = """import torch


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1)
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights
"""


def asking(process):
    def ask(exercise, text, check="") -> ShownSteps:
        submission = Submission("ann", {exercise: Source(text)})
        return process.ask(SHOW_STEPS, ShownSteps, 100, ShowSteps(submission, exercise, "7", check))

    return ask


@pytest.fixture(scope="module")
def of_course(course_process):
    return asking(course_process)


@pytest.fixture
def of_toy(process):
    return asking(process)


def solved(exercise: str) -> str:
    return (ROOT / "solutions" / f"{exercise}.py").read_text(encoding="utf-8")


def states(shown: ShownSteps) -> list[str]:
    return [step.value.state for step in shown.steps]


def test_right_code_takes_the_steps_of_the_solution(of_course):
    shown = of_course("attention", solved("attention"))
    assert {*states(shown)} == {"right"}
    assert [step.value.name.to("en") for step in shown.steps] == ["transpose", "matmul", "div", "softmax", "matmul"]
    assert [value.state for value in shown.results] == ["right", "right"]
    assert shown.function == "scaled_dot_product_attention"
    assert shown.call.to("en").startswith("scaled_dot_product_attention(q [")
    assert all(step.value.pictures for step in shown.steps)
    assert [value.name.to("en") for value in shown.inputs][:3] == ["q", "k", "v"]
    assert all(value.pictures for value in shown.inputs)
    assert not shown.error


def test_the_first_wrong_step_is_marked_and_those_after_it_follow(of_course):
    shown = of_course("attention", UNSCALED)
    assert [(s.line, s.value.state, s.first) for s in shown.steps] == [
        (5, "right", False), (5, "wrong", True), (8, "wrong", False), (9, "wrong", False),
    ]  # fmt: skip
    first = shown.steps[1]
    assert first.code == "scores = q @ k.transpose(-2, -1)"
    picture = first.value.pictures[0]
    pairs = [(a, e) for rows in zip(picture.actual, picture.expected, strict=True) for a, e in zip(*rows, strict=True)]
    assert len({round(a / e, 3) for a, e in pairs}) == 1, "all entries are off by one factor"
    assert [value.state for value in shown.results] == ["wrong", "wrong"]


def test_the_call_of_any_check_can_be_picked(of_course):
    ids = [check.id for check in of_course("attention", UNSCALED).checks]
    assert len({id.partition("[")[0] for id in ids}) == len(ids) > 3
    masked = of_course("attention", UNSCALED, "test_mask[cpu-float32]")
    assert masked.check == "test_mask[cpu-float32]"
    assert "masked_fill" in [step.value.name.to("en") for step in masked.steps]
    with pytest.raises(CourseError, match="attention has no check 'test_of_none'"):
        of_course("attention", UNSCALED, "test_of_none")


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float64"])
def test_rounding_in_any_dtype_is_no_difference(of_course, dtype):
    shown = of_course("attention", solved("attention"), f"test_mask[cpu-{dtype}]")
    assert {step.value.kind for step in shown.steps} == {dtype, "bool"}
    assert {*states(shown)} == {"right"}


def test_a_call_that_raises_shows_the_steps_up_to_there(of_course):
    shown = of_course("attention", UNSCALED.replace("weights @ v,", "weights @ v.new_zeros(99, 2),"))
    assert [step.value.name.to("en") for step in shown.steps][:2] == ["transpose", "matmul"]
    assert "raises RuntimeError on line 9" in shown.error.to("en")
    assert shown.results == ()


def test_of_a_loop_the_first_steps_are_shown(of_course):
    shown = of_course("flash_attention", solved("flash_attention"))
    assert len(shown.steps) == 40
    assert shown.more > 0
    assert {*states(shown)} == {"right"}


def test_an_object_of_a_class_is_made_and_called(of_course):
    text = solved("mha_module")
    assert {*states(of_course("mha_module", text))} == {"right"}
    wrong = of_course("mha_module", text.replace("math.sqrt(Dh)", "math.sqrt(D)"))
    assert wrong.call.to("en").startswith("MultiHeadAttention(d_model=")
    assert "math.sqrt(D)" in next(step.code for step in wrong.steps if step.first)


def test_a_result_that_is_missing_is_expected(of_course):
    shown = of_course("attention", UNSCALED.replace("weights @ v, weights", "weights @ v"))
    assert [(value.state, value.kind) for value in shown.results] == [("wrong", "float32"), ("wrong", "")]
    assert shown.results[1].expected.pictures


@pytest.mark.parametrize("feedback", ["hints", "verdict"])
def test_a_course_that_shows_no_values_shows_no_steps(fork_server, toy_copy, feedback):
    path = toy_copy / "course.yaml"
    path.write_text(f"feedback: {feedback}\n" + path.read_text(encoding="utf-8"), encoding="utf-8")
    with (
        contextlib.closing(fork_server.grading_process(courses.load(toy_copy), OPTIONS)) as process,
        pytest.raises(CourseError, match="shows neither inputs nor results"),
    ):
        asking(process)("scale", solution("scale"))


def test_a_copy_without_solutions_shows_ones_own_steps(fork_server, toy_copy, toy):
    examples = [ExampleCall("scale(tensor([1.0, 2.0]))", "tensor([2.0, 4.0])")]
    stub = (TOY / "exercises" / "scale.py").read_text(encoding="utf-8")
    (toy_copy / "tests" / "visible").mkdir()
    for id in ("scale", "pair"):
        text = visible_examples.suite_source(toy.exercise(id), stub, examples if id == "scale" else ())
        (toy_copy / "tests" / "visible" / f"{id}.py").write_text(text, encoding="utf-8")
    shutil.rmtree(toy_copy / "tests" / "hidden")
    shutil.rmtree(toy_copy / "solutions")
    with contextlib.closing(fork_server.grading_process(courses.load(toy_copy), OPTIONS)) as process:
        shown = asking(process)("scale", "def scale(x, factor=2.0):\n    y = x * 1\n    return y * factor\n")
        assert (states(shown), shown.compared) == (["unknown", "unknown"], False)
        assert [value.state for value in shown.results] == ["right"]
        with pytest.raises(CourseError, match="no call of pair can be shown here"):
            asking(process)("pair", solution("pair"))


def test_a_course_of_numpy_shows_what_a_call_gives():
    course = courses.load(TOY.with_name("toy_numpy"))
    text = (course.root / "solutions" / "solve.py").read_text(encoding="utf-8")
    with (
        contextlib.closing(ForkServer({**ENVIRONMENT, WITHOUT_TORCH: "1"}, confined=True)) as server,
        contextlib.closing(server.grading_process(course, OPTIONS)) as process,
    ):
        shown = asking(process)("solve", text)
    assert (shown.steps, shown.compared) == ((), False)
    assert {value.state for value in shown.results} == {"right"}


HOSTILE = {
    "nan": ("y = x * float('nan')\n    return y", "wrong"),
    "infinities": ("y = x / 0\n    return -y", "wrong"),
    "huge": ("y = torch.cat([x.flatten()] * 100_000)\n    return x * factor", "right"),
    "huge leading axes": ("y = x.expand(100_000, *x.shape)\n    return y[0] * factor", "right"),
    "meta": ("y = x.to('meta')\n    return x * factor", "right"),
    "meta result": ("return (x * factor).to('meta')", "wrong"),
    "complex": ("return torch.complex(x, x) * factor", "wrong"),
    "many axes": ("y = x.reshape(x.shape + (1,) * 20)\n    return x * factor", "right"),
    "no entries": ("y = x[:0] * 2\n    return y", "wrong"),
    "a text": ("return '<script>\\x1b[2J'", "wrong"),
    "an object": ("return type('<b>', (), {})()", "wrong"),
    "many results": ("return [x] * 1000", "wrong"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_odd_values_are_no_fault(of_toy, case):
    body, state = HOSTILE[case]
    shown = of_toy("scale", f"import torch\ndef scale(x, factor=2.0):\n    {body}\n", "test_values[cpu-float32]")
    assert not shown.error, shown.error.to("en")
    assert shown.results[0].state == state
    assert len(shown.results) <= 32


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("while True: pass", "took longer than"),
        ("import os; os._exit(3)", ""),
        ("raise SystemExit", "ends the program"),
        ("raise NotImplementedError", "not started"),
    ],
)
def test_a_call_that_comes_to_nothing_says_why(of_toy, body, said):
    shown = of_toy("scale", f"def scale(x, factor=2.0):\n    y = x + 1\n    {body}\n", "test_values[cpu-float32]")
    assert shown.error
    assert said in shown.error.to("en")


def test_a_file_that_cannot_be_imported_says_why(of_toy):
    shown = of_toy("scale", "1 / 0\n")
    assert (shown.function, shown.steps) == ("", ())
    assert "ZeroDivisionError" in shown.error.to("en")


def test_arguments_that_the_solution_refuses(of_toy):
    shown = of_toy("scale", "def scale(x, factor=2.0):\n    return x * factor\n")
    assert (shown.refused, shown.check) == (True, "test_zero[cpu]")
