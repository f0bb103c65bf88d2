"""The exercises of kind `tests`: what their own calls show, and that all other right programs answer them."""

from __future__ import annotations

import textwrap
from collections.abc import Callable

import pytest
import torch
from support import ROOT

from grader import pytree
from grader.course import course as courses
from grader.suites import Suites, load_solution
from grader.suites.breaking import Bank

COURSE = courses.load(ROOT)
FUNCTIONS = {"attention": "scaled_dot_product_attention", "gqa": "grouped_query_attention"}
BROKEN = [e.id.removeprefix("break_") for e in COURSE.exercises if e.kind == "tests"]
UNTOLD = {  # mistakes that no plain call can show: of gradients, devices, inputs that are changed; or of one dtype only
    "softmax": {"detached_sum", "detached_total", "eps_in_denominator", "inplace_mutation", "no_gradient"},
    "causal_mask": {"ignores_device"},
    "attention": {"inplace_q", "inputs_viewed", "mask_of_first_head", "no_gradient", "weights_detached"},
    "gqa": {"added_too_little", "detached", "keys_and_values_detached"},
    "kv_decode": {"cache_detached", "fill_1e9", "half_precision_angles", "keys_detached", "mask_on_cpu"},
    "flash_attention": {
        "carried_on_cpu", "causal_fill_too_high", "inputs_viewed", "mask_on_cpu", "no_gradient",
        "queries_scaled_in_place", "sum_detached", "values_detached",
    },
}  # fmt: skip


def bank(exercise: str, *right: Callable[..., object]) -> Bank:
    solved = load_solution(COURSE.solution(f"break_{exercise}"))["cases"]
    module = Suites({exercise: COURSE.suite(exercise)}, {exercise: COURSE.solution(exercise)})[exercise].module
    return Bank(module, FUNCTIONS.get(exercise, exercise), right, "torch", solved)


@pytest.mark.parametrize("exercise", BROKEN)
def test_the_courses_calls_show_all_that_plain_calls_can_show(exercise):
    programs = bank(exercise)
    assert programs.wrong.keys() - frozenset().union(*programs.own.told) == UNTOLD[exercise]
    assert all(programs.own.told), "each of them shows something new"
    assert len(programs.due) >= 15
    assert all(programs.wrong[name].message for name in programs.due), "each has words"


@pytest.mark.parametrize("exercise", BROKEN)
def test_right_programs_of_all_kinds_answer_the_courses_calls(exercise):
    paths = sorted((ROOT / "tests" / "kit" / "alternatives" / exercise).glob("*.py"))
    right = [load_solution(path)[FUNCTIONS.get(exercise, exercise)] for path in paths]
    assert right
    assert bank(exercise, *right).own.problem is None


@pytest.mark.parametrize("exercise", BROKEN)
def test_the_ordinary_call_stands_in_the_exercise(exercise):
    """The first of the solution's calls, which counts for nothing."""
    said = COURSE.stub(f"break_{exercise}").read_text(encoding="utf-8").partition("an ordinary call:\n")[2]
    example = textwrap.dedent(said.partition('"""')[0])
    names = {"torch": torch}
    exec(f"def cases():\n{textwrap.indent(example, '    ')}", names)
    (given,), (first, *_) = names["cases"](), load_solution(COURSE.solution(f"break_{exercise}"))["cases"]()
    assert pytree.equal(given, first)
