"""The figures of judgement: what they follow from, what falls short, and the page that publishes them."""

from __future__ import annotations

import dataclasses
import re
import shutil
from pathlib import Path

import pytest

import grader
from grader.authoring import judgement, judgement_page
from grader.course import course as courses

IDS = ("scale", "pair")


def test_mutants_that_are_not_as_written_are_a_course_error(tmp_path, toy_copy):
    course = courses.load(toy_copy)
    path = course.root / judgement.MUTANTS
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("scale: {killed: 3}\n", encoding="utf-8")
    with pytest.raises(judgement.CourseError, match="make mutants"):
        judgement.mutants(course)


def written(course, *evidence, engine="e1"):
    return judgement_page.publish(course, evidence, judgement.inputs(course), engine)


def test_publishing_leaves_the_words_around_the_figures(toy_copy):
    course = courses.load(toy_copy)
    caught, tried = judgement.Caught("adds", 1, "other", ("less",)), judgement.Tried("loop", (2, 5))
    flips = (judgement.Flip("adds", "test_values[cpu]"),)
    right = judgement.Tried("lambda", ())
    e = judgement.SuiteEvidence("scale", 7, 5, (caught,), (right, tried), ("squeezed of scale",), flips)
    page = written(course, e)
    words = "Before.\n\n" + page.read_text(encoding="utf-8") + "\nAfter.\n"
    page.write_text(words, encoding="utf-8")
    written(course, e)
    assert page.read_text(encoding="utf-8") == words
    in_full = judgement_page.details(e)
    for said in ("| `adds` | 1 | **named wrongly**: `less` |", "**loop** fails at seeds 2, 5."):
        assert said in in_full
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
        written(course, e)


def test_the_figures_of_what_was_not_measured_stay(toy_copy):
    course = courses.load(toy_copy)
    scale, pair = (
        judgement.SuiteEvidence(id, 7, 2, (judgement.Caught("adds", 3, "alone", ()),), (), (), ()) for id in IDS
    )
    before = judgement_page.published(courses.load((page := written(course, scale, pair)).parents[1]))
    assert before.engine == "e1"
    assert {id: f.inputs for id, f in before.exercises.items()} == judgement.inputs(course)
    (course.root / "tests" / "hidden" / "scale.py").write_text("# another\n", encoding="utf-8")
    (course.root / judgement.MUTANTS).parent.mkdir(parents=True)
    (course.root / judgement.MUTANTS).write_text("pair: {killed: 3, equivalent: [a], survived: []}", encoding="utf-8")
    written(course, dataclasses.replace(scale, checks=8), engine="e2")
    after = judgement_page.published(course)
    assert after.engine == "e1", "of another engine are the figures of one exercise only"
    assert after.exercises["scale"].inputs == judgement.inputs(course)["scale"] != before.exercises["scale"].inputs
    assert after.exercises["scale"].row[1] == "8"
    assert after.exercises["pair"] == dataclasses.replace(
        before.exercises["pair"], row=("pair", "7", "1", "1", "1", "0", "0", "0", "4", "3", "1", "0", "0", "2")
    )
    assert "| all | 15 | 2 |" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "file",
    [
        "tests/hidden/scale.py",
        "tests/hidden/lib/far.py",
        "solutions/scale.py",
        "tests/kit/alternatives/scale/loop.py",
    ],
)
def test_whatever_an_exercise_is_judged_by_makes_its_figures_old(toy_copy, file):
    suite, library = toy_copy / "tests" / "hidden" / "scale.py", toy_copy / "tests" / "hidden" / "lib"
    suite.write_text(f"from hidden.lib import near\n{suite.read_text(encoding='utf-8')}", encoding="utf-8")
    library.mkdir()
    (library / "near.py").write_text("from hidden.lib import far\n", encoding="utf-8")
    (library / "far.py").write_text("X = 1\n", encoding="utf-8")
    before = judgement.inputs(courses.load(toy_copy))
    path = toy_copy / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text((path.read_text(encoding="utf-8") if path.is_file() else "") + "# more\n", encoding="utf-8")
    after = judgement.inputs(courses.load(toy_copy))
    assert [id for id in after if after[id] != before[id]] == ["scale"]


def test_the_page_keeps_how_each_mistake_is_caught_and_named(toy_copy):
    caught = [judgement.Caught("adds", 3, "alone", ()), judgement.Caught("doubles", 12, "pair", ("triples",))]
    course = courses.load(toy_copy)
    written(course, judgement.SuiteEvidence("scale", 14, 2, tuple(caught), (), (), ()))
    assert judgement_page.published(course).exercises["scale"].caught == ("3", "12+")


def test_which_exercises_are_measured(toy_copy):
    course = courses.load(toy_copy)
    inputs = judgement.inputs(course)
    assert judgement_page.to_measure("changed", course, inputs) == list(inputs)
    written(course, *(judgement.SuiteEvidence(id, 7, 2, (), (), (), ()) for id in inputs))
    assert judgement_page.to_measure("changed", course, inputs) == []
    assert judgement_page.to_measure("changed", course, {**inputs, "pair": "new"}) == ["pair"]
    assert judgement_page.to_measure("all", course, inputs) == list(inputs)
    assert judgement_page.to_measure("scale", course, inputs) == ["scale"]
    with pytest.raises(judgement.CourseError, match="scale"):
        judgement_page.to_measure("scael", course, inputs)
    with pytest.raises(judgement.CourseError, match="no suite"):
        judgement_page.to_measure("scale", course, {})


def test_another_title_makes_no_figure_old(toy_copy):
    before = judgement.inputs(courses.load(toy_copy))
    suite = toy_copy / "tests" / "hidden" / "scale.py"
    text = suite.read_text(encoding="utf-8")
    titles = re.findall(r'^def test_.*\n    """(.*)"""$', text, re.MULTILINE)
    assert titles
    for title in titles:
        text = text.replace(f'"""{title}"""', f'"""{title}\n\n    And why.\n    """')
    suite.write_text(text, encoding="utf-8")
    assert judgement.inputs(courses.load(toy_copy)) == before
    suite.write_text(text.replace("points(2)", "points(3)", 1), encoding="utf-8")
    assert judgement.inputs(courses.load(toy_copy)) != before


SAID = """
def test_sum(student):
    said = "{first}"
    expect_close(student.total(x), (1,), 1e-5, said)
    expect(x > 0, "{first}", n=3)
    return Text("{first}").format(n="one two")
"""


def test_another_sentence_makes_no_figure_old_and_another_number_does(toy_copy):
    suite = toy_copy / "tests" / "hidden" / "scale.py"
    code = suite.read_text(encoding="utf-8")

    def inputs(more: str) -> str:
        suite.write_text(code + more, encoding="utf-8")
        return judgement.inputs(courses.load(toy_copy))["scale"]

    short, long = SAID.replace("{first}", "not the sum"), SAID.replace("{first}", "the result is not the sum")
    wrapped = long.replace(
        'Text("the result is not the sum")', 'Text(\n        "the result is "\n        "not the sum",\n    )'
    )
    assert inputs(short) == inputs(long) == inputs(wrapped)
    for one, other in (("(1,)", "(1)"), ("1e-5", "1e-4"), ("one two", "one too"), ("n=3", "n=4")):
        assert inputs(short.replace(one, other)) != inputs(short), one


@pytest.mark.parametrize(
    "file",
    ["diagnosis/general.py", "suites/laws.py", "sandbox/worker/wire.py", "grading/grade.py", "arrays.py", "pytree.py"],
)
def test_whatever_judges_is_part_of_the_engine(tmp_path, monkeypatch, file):
    copy = Path(shutil.copytree(grader.__path__[0], tmp_path / "grader"))
    monkeypatch.setattr(grader, "__path__", [str(copy)])
    before = judgement.engine()
    (copy / file).write_text("# another\n", encoding="utf-8")
    assert judgement.engine() != before


def test_another_torch_is_another_engine(monkeypatch):
    before = judgement.engine()
    monkeypatch.setattr("importlib.metadata.version", lambda name: "0.0")
    assert judgement.engine() != before
