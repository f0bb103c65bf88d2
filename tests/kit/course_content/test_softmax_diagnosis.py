"""What the diagnosis calls functions that stand for softmax: an error however small gets its own name, or none."""

from __future__ import annotations

import functools
from pathlib import Path

import pytest
import torch

from grader.course import course as courses
from grader.diagnosis import diagnose
from grader.suites.local import LocalTarget
from grader.suites.runner import Suites

pytestmark = pytest.mark.slow

COURSE = courses.load(Path(__file__).resolve().parents[3])


@functools.cache
def suites_of(exercise: str) -> Suites:
    """The suite of an exercise, for all tests, so that what a known mistake answers is computed once."""
    return Suites({exercise: COURSE.suite(exercise)}, {exercise: COURSE.solution(exercise)})


@pytest.fixture(scope="module")
def softmax_diagnosis():
    """What the diagnosis calls a function that stands for softmax, and how many checks it fails."""
    suites = suites_of("softmax")

    def names(function) -> tuple[set[str], int]:
        target = LocalTarget({"softmax": function})
        results = list(suites.run("softmax", target, 1))
        found = diagnose("softmax", suites["softmax"], results, target.call)
        return {f.misconception for f in found}, sum(r.verdict == "failed" for r in results)

    return names


def exponentials(x, dim):
    return (x - x.amax(dim, keepdim=True)).exp()


@pytest.mark.parametrize("epsilon", [1e-4, 1e-5, 1e-6, 1e-8, 1e-10, 1e-12])
def test_a_number_added_to_a_sum_is_found_and_named_however_small(softmax_diagnosis, epsilon):
    def student(x, dim=-1):
        e = exponentials(x, dim)
        return e * (1 / (e.sum(dim, keepdim=True) + epsilon))

    names, failed = softmax_diagnosis(student)
    assert names == {"softmax/eps_in_denominator"}
    assert failed >= 2


@pytest.mark.parametrize("epsilon", [1e-4, 1e-5, 1e-6, 1e-8, 1e-10, 1e-12])
def test_it_is_named_beside_hidden_rows_and_sums_that_cancel_out(epsilon):
    def softmax_part(scores, v):
        m, total, o = reference["softmax_part"](scores, v)
        return m, total + epsilon, o

    suites = suites_of("merge_softmax")
    reference = suites["merge_softmax"].reference
    target = LocalTarget({**reference, "softmax_part": softmax_part})
    results = list(suites.run("merge_softmax", target, 1))
    found = diagnose("merge_softmax", suites["merge_softmax"], results, target.call)
    assert [f.misconception for f in found] == ["merge_softmax/eps_in_the_sum"]


@pytest.mark.parametrize(
    "student",
    [
        lambda x, dim=-1: exponentials(x, dim) / exponentials(x, dim).sum(dim, keepdim=True) * (1 - 1e-8),
        lambda x, dim=-1: exponentials(x, dim) / exponentials(x, dim).sum(dim, keepdim=True) + 1e-8,
        lambda x, dim=-1: exponentials(x * (1 + 1e-5), dim) / exponentials(x * (1 + 1e-5), dim).sum(dim, keepdim=True),
    ],
)
def test_another_small_error_gets_no_name(softmax_diagnosis, student):
    names, failed = softmax_diagnosis(student)
    assert names == set()
    assert failed >= 2


@pytest.mark.parametrize("epsilon", [1e-5, 1e-7, 1e-8])
def test_a_number_added_to_each_exponential_is_named_whatever_its_size(softmax_diagnosis, epsilon):
    def student(x, dim=-1):
        e = exponentials(x, dim) + epsilon
        return e / e.sum(dim, keepdim=True)

    assert softmax_diagnosis(student)[0] == {"softmax/eps_in_exponentials"}


def test_a_mistake_made_in_float32_inside_is_named_too(softmax_diagnosis):
    """In half precision it overflows elsewhere than the variant of the suite, which computes in the input's dtype."""

    def student(x, dim=-1):
        e = x.float().exp() if x.dtype != torch.float64 else x.exp()
        return (e / e.sum(dim, keepdim=True)).to(x.dtype)

    assert softmax_diagnosis(student)[0] == {"softmax/no_max_subtraction"}
