"""The published figures are true, and they are good: nothing wrong passes or gets a wrong name, nothing right fails."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from grader.authoring import evidence, judgement
from grader.course import course as courses
from grader.diagnosis import diagnose
from grader.suites.local import LocalTarget
from grader.suites.runner import Suites

pytestmark = pytest.mark.slow

COURSE = courses.load(Path(__file__).resolve().parents[3])
IDS = [e.id for e in COURSE.exercises if e.kind == "code"]
CORE = {e.id for u in COURSE.settings.units if u.id == "core" for e in u.exercises}
SEEDS = (1,)  # the figures are those of the first seed; `grader lint --evidence` tries many
# Each of them may be told twice: it refuses too much, and too little.
TWO_FAULTS = ("as_given", "remainder_the_other_way", "check_inverted")
ANEW = "run `grader lint --evidence --seeds 2` and commit docs/judgement.md"


def suites_of(exercise: str) -> Suites:
    return Suites({exercise: COURSE.suite(exercise)}, {exercise: COURSE.solution(exercise)})


@pytest.fixture(scope="module", params=IDS)
def found(request) -> judgement.Evidence:
    folder = COURSE.root / judgement.ALTERNATIVES / request.param
    asked = COURSE.exercise(request.param).functions
    return evidence.gather(suites_of(request.param), request.param, asked, folder, SEEDS)


def test_every_misconception_is_caught_and_none_gets_a_wrong_name(found):
    assert judgement.weak_points([found]) == []


def test_two_that_are_named_together_behave_alike(found):
    beside = {m.name: m.beside for m in found.misconceptions}
    for name in TWO_FAULTS:
        beside.pop(name, None)
    for name, others in beside.items():
        assert all(beside[other] == (name,) for other in others), f"{name} is confused with {others}"


def test_right_solutions_of_many_kinds_get_full_marks(found):
    assert len(found.alternatives) >= (8 if found.exercise in CORE else 3)
    assert [a for a in found.alternatives if a.failed] == []


def test_the_page_says_the_same(found):
    page = (COURSE.root / judgement.PAGE).read_text(encoding="utf-8")
    assert "\n".join(judgement.misconception_table(found)) in page, ANEW


def test_the_page_was_made_from_these_files():
    assert judgement.published(COURSE) == judgement.digest(COURSE), ANEW


def test_every_mutant_is_killed_or_excused():
    mutants = judgement.mutants(COURSE)
    assert sorted(mutants) == sorted(IDS), "run `make mutants`"
    assert {i: m.survived for i, m in mutants.items() if m.survived} == {}


def test_mutants_that_are_not_as_written_are_a_course_error(tmp_path, toy_copy):
    course = courses.load(toy_copy)
    path = course.root / judgement.MUTANTS
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("scale: {killed: 3}\n", encoding="utf-8")
    with pytest.raises(judgement.CourseError, match="make mutants"):
        judgement.mutants(course)


def test_publishing_leaves_the_words_around_the_figures(toy_copy):
    course = courses.load(toy_copy)
    caught, tried = judgement.Caught("adds", 1, "other", ("less",)), judgement.Tried("loop", (2, 5))
    flips = (judgement.Flip("adds", "test_values[cpu]"),)
    right = judgement.Tried("lambda", ())
    e = judgement.Evidence("scale", 7, 5, (caught,), (right, tried), ("squeezed of scale",), flips)
    page = judgement.publish(course, [e], judgement.digest(course))
    assert judgement.published(course) == judgement.digest(course)
    words = "Before.\n\n" + page.read_text(encoding="utf-8") + "\nAfter.\n"
    page.write_text(words, encoding="utf-8")
    judgement.publish(course, [e], judgement.digest(course))
    assert page.read_text(encoding="utf-8") == words
    for said in ("| `adds` | 1 | **named wrongly**: `less` |", "**loop** fails at seeds 2, 5."):
        assert said in words
    assert judgement.weak_points([e]) == [
        "tests/hidden/scale.py: adds is **named wrongly**: `less`",
        "tests/kit/alternatives/scale/loop.py: no full marks at seeds [2, 5]",
    ]
    assert judgement.holes([e]) == [
        "tests/hidden/scale.py: squeezed of scale gets full marks; catch it, or name it in LETS_PASS",
        "tests/hidden/scale.py: test_values[cpu] finds adds at some seeds only",
    ]
    page.write_text("no marks", encoding="utf-8")
    with pytest.raises(judgement.CourseError, match="marks"):
        judgement.publish(course, [e], judgement.digest(course))


@pytest.fixture(scope="module")
def softmax_diagnosis():
    """What the diagnosis calls a function that stands for softmax, and how many checks it fails."""
    suites = suites_of("softmax")

    def names(function) -> tuple[set[str], int]:
        target = LocalTarget({"softmax": function})
        results = list(suites.run("softmax", target, 1))
        found = diagnose("softmax", suites["softmax"], results, target.call)
        return {f.name for f in found}, sum(r.verdict == "failed" for r in results)

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
    assert [f.name for f in found] == ["merge_softmax/eps_in_the_sum"]


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
