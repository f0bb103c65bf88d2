# ruff: noqa: E501 # a table of tests and what becomes of them
"""Teachers' pytest tests become checks, or a line says why not; none of them is run."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from grader.authoring import from_tests
from grader.authoring.pytest_bodies import Check, Untranslatable
from grader.authoring.pytest_checks import translated_test
from grader.authoring.pytest_files import PytestFile, found_in
from grader.errors import CourseError

HEAD = """\
import math
import numpy as np
import numpy.testing as npt
import pytest
import torch
from pytest import approx
import linalg as la
from linalg import f, g as renamed, Stack
from other import elsewhere
PRE = f(1)
def helper(x):
    assert f(x) == 1
def own(x):
    return x
@pytest.fixture
def start():
    return 3
@pytest.fixture(scope="module")
def data(start):
    return np.arange(start)
@pytest.fixture
def solved():
    return f(1)
@pytest.fixture
def built(solved):
    return solved
@pytest.fixture
def opened():
    yield 1
@pytest.fixture(params=[1, 2])
def many():
    return 1
@pytest.fixture
def itself(itself):
    return itself
"""


def translated(text: str, head: str = HEAD) -> Check:
    tree = ast.parse(head + text)
    ((test, inside),) = found_in(tree)
    return translated_test(PytestFile(Path("test_linalg.py"), tree), test, inside)


def lines(check: Check) -> list[str]:
    return "\n".join(map(ast.unparse, check.body)).splitlines()


SAID = ", 'the solution fails: "
TRANSLATED = {
    "a value": ("assert f(1) == 2", ["matches_reference.f(1)", f"assert reference.f(1) == 2{SAID}f(1) == 2'"]),
    "turned round": ("assert 2 == f(1)", ["matches_reference.f(1)", f"assert 2 == reference.f(1){SAID}2 == f(1)'"]),
    "none": ("assert f(1) is None", ["matches_reference.f(1)", f"assert reference.f(1) is None{SAID}f(1) is None'"]),
    "of a module": ("assert la.f(1) == 2", ["matches_reference.f(1)", f"assert reference.f(1) == 2{SAID}la.f(1) == 2'"]),
    "renamed": ("assert renamed(1) == 2", ["matches_reference.g(1)", f"assert reference.g(1) == 2{SAID}renamed(1) == 2'"]),
    "numpy": (
        "x = np.ones(2)\n    npt.assert_allclose(f(x), x)",
        ["x = np.ones(2)", "matches_reference.f(x)", "npt.assert_allclose(reference.f(x), x)"],
    ),
    "torch": (
        "torch.testing.assert_close(f(2), torch.ones(2))",
        ["matches_reference.f(2)", "torch.testing.assert_close(reference.f(2), torch.ones(2))"],
    ),
    "a result with a name": (
        "y = f(1)\n    assert y == 2",
        ["matches_reference.f(1)", "y = reference.f(1)", f"assert y == 2{SAID}y == 2'"],
    ),
    "a result that is looked at otherwise": (
        "y = f(1)\n    assert y == 2\n    assert len(y) == 3",
        ["y = student.f(1)", "expect(y == 2, '`y == 2` does not hold')", "expect(len(y) == 3, '`len(y) == 3` does not hold')"],
    ),
    "part of a comparison": (
        "y = f(1)\n    assert y == 2 and y < 3",
        ["y = student.f(1)", "expect(y == 2 and y < 3, '`y == 2 and y < 3` does not hold')"],
    ),
    "there and back": ("assert f(la.g(1)) == 1", ["expect(student.f(student.g(1)) == 1, '`f(la.g(1)) == 1` does not hold')"]),
    "two results": ("assert f(1) == f(-1)", ["expect(student.f(1) == student.f(-1), '`f(1) == f(-1)` does not hold')"]),
    "a sentence of the teacher": ("assert f(1) > 0, 'positive'", ["expect(student.f(1) > 0, 'positive')"]),
    "a function": (
        "assert f(lambda x: x, np.sin) == 1",
        ["matches_reference.f(lambda x: x, np.sin)",
         f"assert reference.f(lambda x: x, np.sin) == 1{SAID}f(lambda x: x, np.sin) == 1'"],
    ),
    "a refusal": ("with pytest.raises(ValueError, match='x'):\n        f(-1)", ["raises_value_error.f(-1)"]),
    "a loop": (
        "for x in (1, 2):\n        assert f(x) == own(x)",
        ["for x in (1, 2):", "    matches_reference.f(x)", f"    assert reference.f(x) == own(x){SAID}f(x) == own(x)'"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", TRANSLATED)
def test_what_is_asserted_of_a_result(case):
    written, check = TRANSLATED[case]
    assert lines(translated(f"def test_it():\n    {written}\n")) == check


ALLOWED = {
    "assert f(1) == approx(2)": (1e-6, 1e-12),
    "assert f(1) == approx(2, rel=1e-3)": (1e-3, 1e-12),
    "assert f(1) == approx(2, 1e-3, 0.5)": (1e-3, 0.5),
    "assert math.isclose(f(1), 2, abs_tol=1e-4)": (1e-9, 1e-4),
    "assert np.allclose(f(1), 2)": (1e-5, 1e-8),
    "npt.assert_allclose(f(1), 2, 1e-4)": (1e-4, 0.0),
    "npt.assert_allclose(f(1), 2)\n    assert f(2) == approx(3)": (1e-6, 1e-12),
    "torch.testing.assert_close(f(1), 2, rtol=0, atol=1e-3)": (0.0, 1e-3),
}


@pytest.mark.parametrize("written", ALLOWED)
def test_the_widest_tolerance_of_a_function_is_kept(written):
    assert translated(f"def test_it():\n    {written}\n").allowed == {"f": ALLOWED[written]}


@pytest.mark.parametrize("written", ["assert f(1) == 2", "torch.testing.assert_close(f(1), 2)"])
def test_without_one_it_is_what_is_usual(written):
    assert translated(f"def test_it():\n    {written}\n").allowed == {}


REFUSED = {
    "def test_it(tmp_path):\n    assert f(tmp_path) == 1": "uses the fixture tmp_path, which a check does not have",
    "def test_it(solved):\n    assert f(solved) == 1": "uses solved, which calls the student's code outside of a test",
    "def test_it(built):\n    assert f(built) == 1": "its fixture solved calls the student's code; put its lines into the test",
    "def test_it(opened):\n    assert f(opened) == 1": "its fixture opened does more than return data",
    "def test_it(many):\n    assert f(many) == 1": "its fixture many does more than return data",
    "def test_it(itself):\n    assert f(itself) == 1": "uses the fixture itself, which a check does not have",
    "def test_it():\n    assert PRE == 1": "uses PRE, which calls the student's code outside of a test",
    "def test_it():\n    helper(1)": "uses helper, which calls the student's code outside of a test",
    "def test_it():\n    with pytest.raises(TypeError):\n        f(1)": "expects TypeError; a check asks for ValueError alone",
    "def test_it():\n    with pytest.raises(ValueError) as e:\n        f(1)": "looks at the exception itself",
    "def test_it():\n    assert list(map(f, [1])) == [1]": "hands f itself over, or uses it without calling it",
    "def test_it():\n    s = Stack()\n    assert s.pop() == 1": "makes an object of the student's class Stack",
    "def test_it():\n    x = [2, 1]\n    f(x)\n    assert x == [1, 2]": "cannot tell what `f(x)` asserts",
    "def test_it():\n    assert f(1) == 1\n    assert elsewhere(1) == 1": "calls functions of linalg and other",
    "def test_it():\n    assert 1 + 1 == 2": "asserts nothing about a function of a student's module",
    "def test_it():\n    if f(1):\n        assert f(2) == 1": "depends on what the student's code returns",
    "def test_it():\n    npt.assert_array_less(f(1), 2)": "cannot tell what `npt.assert_array_less(f(1), 2)` asserts",
    "def test_it():\n    assert f(1) == approx(1, rel=own(1))": "allows `own(1)`, which is not a number written out",
    "async def test_it():\n    assert f(1) == 1": "is asynchronous",
    "@pytest.mark.xfail\ndef test_it():\n    assert f(1) == 1": "is decorated with @pytest.mark.xfail",
    "@pytest.mark.parametrize('x', [pytest.param(1, marks=[])])\ndef test_it(x):\n    assert f(x) == 1": "a parameter with marks",
    "@pytest.mark.parametrize('x', [1], indirect=True)\ndef test_it(x):\n    assert f(x) == 1": "parametrized in an unusual way",
    "class TestIt(unittest.TestCase):\n    def test_it(self):\n        self.assertEqual(f(1), 1)": "unittest class TestIt",
    "class TestIt:\n    x = 1\n    def test_it(self):\n        assert f(self.x) == 1": "its class TestIt sets something up",
}  # fmt: skip


@pytest.mark.parametrize("written", REFUSED)
def test_what_cannot_be_translated_is_said(written):
    with pytest.raises(Untranslatable) as refused:
        translated(written)
    assert REFUSED[written] in str(refused.value)


def test_parameters_are_loops():
    check = translated(
        "@pytest.mark.parametrize('a', [pytest.param(1, id='one'), 2])\n@pytest.mark.slow\n"
        "@pytest.mark.parametrize(['b', 'c'], [(1, 2)])\ndef test_it(a, b, c):\n    assert f(a, b) == c\n"
    )
    first, second, third = lines(check)[:3]
    assert (first, third) == ("for a in [1, 2]:", "        matches_reference.f(a, b)")
    assert second in ("    for b, c in [(1, 2)]:", "    for (b, c) in [(1, 2)]:")  # Python 3.10 writes the latter
    assert check.title == "It."


def test_a_fixture_that_returns_data_is_a_function():
    check = translated("@pytest.mark.parametrize('a', [1, 2])\ndef test_it(a, data):\n    assert f(data, a) == 1\n")
    head, data, call, _ = lines(check)
    assert (head, data) == ("for a in [1, 2]:", "    data = given_data(given_start())")
    assert call == "    matches_reference.f(data, a)"


def test_fixtures_of_conftest_go_into_the_suite(tmp_path):
    (tmp_path / "conftest.py").write_text(
        "import numpy as np\nimport pytest\n\n@pytest.fixture\ndef data():\n    return np.ones(3)\n"
    )
    (tmp_path / "test_a.py").write_text("from linalg import f\n\ndef test_it(data):\n    assert f(data) == 3\n")
    suite = from_tests.suite(from_tests.read(tmp_path, None).exercises["linalg"])
    assert "def given_data():\n    return np.ones(3)\n" in suite
    assert 'def test_it(matches_reference, reference):\n    """It."""\n    data = given_data()\n' in suite
    assert "pytest" not in suite


def test_all_names_of_a_star_are_the_student_s():
    check = translated("from math import *\ndef test_it():\n    assert h(len([1])) == 1\n", "from homework import *\n")
    assert (check.modules, lines(check)[0]) == ({"homework"}, "matches_reference.h(len([1]))")


def test_a_module_beside_the_tests_is_not_the_student_s(tmp_path):
    (tmp_path / "helpers.py").touch()
    (tmp_path / "test_a.py").write_text("from helpers import f\n\ndef test_it():\n    assert f(1) == 1\n")
    with pytest.raises(CourseError, match="asserts nothing about a function of a student's module"):
        from_tests.read(tmp_path, None)


def test_two_files_about_one_module_are_one_suite(tmp_path):
    text = "from linalg import f\nX = {}\n\ndef test_it():\n    assert f(X) == 1\n"
    for name, value in (("a", 1), ("b", 1), ("c", 2)):
        (tmp_path / f"test_{name}.py").write_text(text.format(value))
    found = from_tests.read(tmp_path, None)
    assert [c.name for c in found.exercises["linalg"].checks] == ["test_it", "test_it_2"]
    assert found.refused == [f"{tmp_path / 'test_c.py'}:4: test_it: needs a X that is another one elsewhere; rename it"]


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("notes.py", "", "holds no test_*.py and no *_test.py"),
        ("test_a.py", "def (", "cannot be read as Python: invalid syntax"),
    ],
)
def test_what_is_no_test_is_said_in_a_line(tmp_path, name, text, said):
    (tmp_path / name).write_text(text)
    with pytest.raises(CourseError, match=".*" + said.replace("*", "\\*")) as error:
        from_tests.read(tmp_path, None)
    assert "\n" not in str(error.value)
