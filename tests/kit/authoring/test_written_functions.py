"""Functions of suites as Python that students read and run."""

from __future__ import annotations

import math
import sys
from math import cos

import numpy as np
import pytest
from support import TOY

from grader.authoring import examples, visible_examples
from grader.authoring.written_functions import WrittenFunction, written
from grader.course import course as courses
from grader.suites import LocalTarget, Suites, given, load_solution
from grader.suites.given import taken

CALLABLES = TOY.with_name("toy_callables")
DEPTH, SHIFT = 2, 0.123456


def inside(least):
    def function(x: float) -> float:
        """What it is for."""
        if x < least:
            raise ValueError(f"f is not defined at {x}")
        return x**DEPTH

    return function


def helped(x):
    return inside(2)(x)


def counted(x):
    global SHIFT
    return x


def long(x):
    x += 1
    x += 1
    x += 1
    x += 1
    x += 1
    x += 1
    x += 1
    return x


CASES = {
    "of a library": (math.cos, "math.cos", ("import math",)),
    "an array's": (np.sin, "np.sin", ("import numpy as np",)),
    "with numbers from around it": (
        lambda x: SHIFT - cos(x), "f", ("import math", "def f(x):\n    return 0.123 - math.cos(x)"),
    ),
    "of several lines": (
        inside(0.5), "f",
        ("def f(x):\n    if x < 0.5:\n        raise ValueError(f'f is not defined at {x}')\n    return x ** 2",),
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_it_is_written_down(case):
    function, expression, before = CASES[case]
    found = written(taken(function), "f")
    assert (found.expression, found.before) == (expression, before)
    assert found(1.0) == pytest.approx(function(1.0), abs=1e-3)


@pytest.mark.skipif(sys.version_info < (3, 11), reason="two lambdas in one line are not told apart")
def test_two_in_one_line():
    pair = [given(lambda x: x * x, says="a square"), given(lambda x: 2 * x, at_most=20)]
    found = [written(value, name) for value, name in zip(pair, ("f", "df"), strict=True)]
    assert [f.before[0].partition("return ")[2] for f in found] == ["x * x", "2 * x"]
    assert [visible_examples.formula(f.before[0]) for f in found] == ["f(x) = x * x", "df(x) = 2 * x"]


@pytest.mark.parametrize(
    "value", [taken(helped), taken(counted), taken(long), given(inside(1), methods=("__call__",)), taken(pow), 3.0]
)
def test_it_stays_in_the_suite(value):
    assert not isinstance(written(value, "f"), WrittenFunction)


def test_a_name_of_the_file_stays_what_it_is():
    assert not isinstance(written(taken(lambda x: x), "find"), WrittenFunction)


@pytest.fixture(scope="module")
def gathered():
    course = courses.load(CALLABLES)
    ids = [e.id for e in course.exercises]
    hidden, solved = ({i: CALLABLES / folder / f"{i}.py" for i in ids} for folder in ("tests/hidden", "solutions"))
    suites = Suites(hidden, solved, kind="numpy")
    return course, {e.id: examples.gather(suites, e.id, e.functions) for e in course.exercises}


def test_examples_hand_functions_over(gathered):
    shown = {id: [e.call for e in found] for id, found in gathered[1].items()}
    assert shown["bisect"] == ["bisect(f, 0.0, 2.0)", "bisect(f2, 0.0, 1.0, tol=1e-12)"]
    told_apart = sys.version_info >= (3, 11)  # two functions written in one line
    assert shown["newton"] == ["newton(f, df, 1.0)" if told_apart else "newton(math.sin, math.cos, 3.0)"]
    assert shown["quad"][0] == "quad(math.exp, 0.0, 1.0)"
    assert not shown["metropolis"], "a generator of random numbers cannot be written"


@pytest.mark.parametrize("id", ["bisect", "newton", "quad", "solve_ivp", "descend"])
def test_the_file_of_examples_runs(gathered, id, tmp_path):
    course, found = gathered
    exercise, path = course.exercise(id), tmp_path / f"visible_{id}.py"
    stub = course.stub(id).read_text(encoding="utf-8")
    path.write_text(visible_examples.suite_source(exercise, stub, found[id], "numpy"), encoding="utf-8")
    suites = Suites({id: path}, {id: path}, kind="numpy")

    for function, verdict in ((load_solution(CALLABLES / "solutions" / f"{id}.py"), "passed"), ({id: len}, "failed")):
        assert {r.verdict for r in suites.run(id, LocalTarget(function), 0)} == {verdict}


def test_a_title_says_what_the_function_is(gathered):
    exercise = gathered[0].exercise("bisect")
    stub = gathered[0].stub("bisect").read_text(encoding="utf-8")
    source = visible_examples.suite_source(exercise, stub, gathered[1]["bisect"], "numpy")
    assert '"""bisect(f, 0.0, 2.0) gives 1.4142, where f(x) = x ** 2 - 2"""' in source
