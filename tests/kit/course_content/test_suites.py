"""The suites judge as published: nothing wrong passes or gets a wrong name, nothing right fails.

An exercise whose files changed since it was published is measured whole, as are two that the date draws; of the others
a few known mistakes and right solutions, which the date and the engine draw: of each where the engine has changed, else
of a quarter of them. `--whole` measures all of every exercise.
And no suite trips over what a student returns: whatever comes back in whatever call, each check ends with a verdict.
"""

from __future__ import annotations

import datetime
import functools
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hostile import ANY_SUITE, BUILT, RIGHT, Hostile, judged, leafwise

from grader.authoring import evidence, judgement, judgement_page, soundness
from grader.course import course as courses
from grader.diagnosis import unrecognised
from grader.suites.local import LocalTarget
from grader.suites.runner import Suites

# What code of other people's brings torch to warn of is no fault of a test's.
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::UserWarning")]

COURSE = courses.load(Path(__file__).resolve().parents[3])
CODE = [e.id for e in COURSE.exercises if e.kind == "code"]
CORE = {e.id for u in COURSE.settings.units if u.id == "core" for e in u.exercises}
RIGHT_FILES = {id: sorted((COURSE.root / judgement.ALTERNATIVES / id).glob("*.py")) for id in CODE}
PUBLISHED = judgement_page.published(COURSE)
inputs, engine = functools.cache(lambda: judgement.inputs(COURSE)), functools.cache(judgement.engine)
SEEDS = (1,)  # the figures are those of the first seed; `grader lint --evidence` tries many
# Each of them may be told twice: it refuses too much and too little, or what it answers is the rounding of another.
TWO_FAULTS = ("as_given", "remainder_the_other_way", "check_inverted", "rank_without_tolerance_of_W_O")
TODAY = datetime.datetime.now(datetime.timezone.utc).date().isoformat()
WHOLE_TODAY = random.Random(TODAY).sample(CODE, 2)
SHARE = 10  # one mistake in so many is tried
COMPARED = 8  # mistakes with which the diagnosis compares an odd value; two at once are looked for among them
CHANGED = "run `grader lint --evidence changed --seeds 2` and commit docs/judgement.md"
ALL = (
    "the engine judges otherwise than when the page was written: is that meant? Then run `make evidence` and commit it"
)


def fresh(exercise: str) -> bool:
    """Whether the page was made from the exercise's files as they are."""
    return exercise in PUBLISHED.exercises and PUBLISHED.exercises[exercise].inputs == inputs()[exercise]


@pytest.fixture(scope="module", params=CODE)
def exercise(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module")
def suites(exercise: str) -> Suites:
    """The suite of one exercise, for all tests of it, so that what a known mistake answers is computed once."""
    return Suites({exercise: COURSE.suite(exercise)}, {exercise: COURSE.solution(exercise)})


def draw(exercise: str) -> random.Random:
    """Dice that fall otherwise every day, and with every engine."""
    return random.Random(TODAY + engine() + exercise)


@functools.cache
def due() -> list[str]:
    """The exercises of which something is measured though their files are as published."""
    return CODE if PUBLISHED.engine != engine() else draw("all").sample(CODE, len(CODE) // 4)


def drawn(suites: Suites, exercise: str) -> judgement.SuiteEvidence:
    """What becomes of a few mistakes and one right solution."""
    known, dice = suites[exercise].misconceptions, draw(exercise)
    wrong = dice.sample(known, -(-len(known) // SHARE))
    return evidence.tried(suites, exercise, wrong, dice.sample(RIGHT_FILES[exercise], 1), SEEDS)


def test_the_published_figures_are_true(suites, exercise, pytestconfig):
    if not fresh(exercise) or exercise in WHOLE_TODAY or pytestconfig.getoption("whole"):
        asked, folder = COURSE.exercise(exercise).functions, COURSE.root / judgement.ALTERNATIVES / exercise
        found = evidence.gather(suites, exercise, asked, folder, SEEDS)
        assert list(confused(found)) == []
    elif exercise in due():
        found = drawn(suites, exercise)
    else:
        return
    assert [*judgement.weak_points([found]), *judgement.holes([found])] == []
    assert fresh(exercise), CHANGED
    known = [m.name for m in suites[exercise].misconceptions]
    published = dict(zip(known, PUBLISHED.exercises[exercise].caught, strict=True))
    marked = {m.name: judgement_page.marked(m) for m in found.misconceptions}
    assert marked == {name: published[name] for name in marked}, ALL


def confused(found: judgement.SuiteEvidence) -> Iterator[str]:
    """Mistakes that get two names though they behave differently."""
    beside = {m.name: m.beside for m in found.misconceptions if m.name not in TWO_FAULTS}
    for name, others in beside.items():
        if not all(beside[other] == (name,) for other in others):
            yield f"{name} is confused with {others}"


def test_the_page_is_whole_and_good():
    assert list(PUBLISHED.exercises) == CODE, CHANGED
    mutants = judgement.mutants(COURSE)
    assert sorted(mutants) == sorted(CODE), "run `make mutants`"
    assert {i: m.survived for i, m in mutants.items() if m.survived} == {}
    for id, figures in PUBLISHED.exercises.items():
        row = dict(zip(judgement_page.HEAD, figures.row, strict=True))
        assert (row["named wrongly"], row["not named"]) == ("0", "0"), id
        assert row["alternatives"] == row["full marks"] == str(len(RIGHT_FILES[id])), id
        assert (row["killed"], row["equivalent"]) == (str(mutants[id].killed), str(mutants[id].equivalent)), CHANGED
        assert len(RIGHT_FILES[id]) >= (8 if id in CORE else 3), id


def test_any_value_gets_a_verdict(suites, exercise, pytestconfig):
    """The diagnosis compares with a few known mistakes; with what a right program gives, each is compared above."""
    known = suites[exercise].misconceptions
    if not pytestconfig.getoption("whole"):
        known = draw(exercise).sample(known, min(len(known), COMPARED))
    for name, change in ANY_SUITE.items():
        failed = judged(suites, exercise, change, known)
        assert failed or name in RIGHT, name
    if "any_shape" in COURSE.suite(exercise).read_text(encoding="utf-8"):  # it takes what a student builds
        for change in BUILT.values():
            judged(suites, exercise, change, known)


def test_facts_can_be_told_of_every_call(suites, exercise):
    assert list(soundness.untold(suites, exercise)) == []


def test_facts_list_no_place_where_none_stands_out(suites, exercise):
    """A result that is off by little everywhere; `positions [] of 3 are wrong` would be no help."""
    change = leafwise(lambda t: t * 1.0002 if t.is_floating_point() else t, lambda v: v)
    nearly = Hostile(LocalTarget(suites[exercise].reference), change)
    results = list(suites.run(exercise, nearly, 1))
    for said in (unrecognised(r.reason, [r], suites[exercise]).to("en") for r in results if r.verdict == "failed"):
        _, _, facts = said.partition("what can be seen")
        assert not re.search(r"\[\]", facts), facts
