"""A suite whose function `f(x, k=2.0)` is x * k and refuses k = 0, and what is said about a function tried on it."""

from __future__ import annotations

import pytest
from toy_suites import HEAD, Written, course

from grader.diagnosis import diagnose
from grader.suites.runner import Suites

SOLUTION = "def f(x, k=2.0):\n    if k == 0:\n        raise ValueError\n    return x * k\n"
SUITE = f"""{HEAD}
@error_bound("f")
def bound(x, k=2.0):
    return 4 * (x * k).abs()


@points(1)
@dtypes("float32", "float64")
def test_values(matches_reference, make, dtype):
    matches_reference.f(make.normal(3))
    matches_reference.f(make.normal(2, 3), k=3.0)


@points(1)
def test_zero(raises_value_error, make):
    raises_value_error.f(make.normal(3), k=0.0)


def examples(ask, make):
    ask.f(make.normal(3))


test_gradient = laws.gradient(1, examples, "float32")
test_input_unchanged = laws.inputs_unchanged(1, examples)
test_device = laws.device(1, examples)
test_remembers = laws.remembers_nothing(1, examples)


def refusing(formula):
    def f(x, k=2.0):
        if k == 0:
            raise ValueError
        return formula(x, k)
    return f


KNOWN = misconceptions(
    "f",
    adds=refusing(lambda x, k: x + k),
    ignores_k=refusing(lambda x, k: x * 2),
    halves_the_gradient=refusing(lambda x, k: x * k / 2 + (x * k / 2).detach()),
)


@misconception("f", stub=True)
def as_given(x, k=2.0):
    \"\"\"This is the code as it was handed out.\"\"\"
    return x
"""
CATALOGUE = """\
adds: "k is added, not multiplied."
ignores_k: "k is not used."
halves_the_gradient: "Half of the result is cut out of the gradient."
"""


@pytest.fixture(scope="module")
def suites_of_f(tmp_path_factory) -> Suites:
    folder = tmp_path_factory.mktemp("diagnosed")
    found = course(folder, SUITE, SOLUTION)
    (folder / "hidden" / "f.yaml").write_text(CATALOGUE, encoding="utf-8")
    return found


@pytest.fixture
def found(suites_of_f):
    """`found(f)` is what is said about a function: each mistake's name with the checks that it fails."""

    def names(function, alone=None):
        target = Written({"f": function})
        results = list(suites_of_f.run("f", target, 1))
        said = diagnose("f", suites_of_f["f"], results, alone or target.call)
        return {f.misconception: sorted({c.partition("[")[0] for c in f.checks}) for f in said}

    return names
