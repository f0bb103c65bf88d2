"""How a check is called: directly where it needs nothing of pytest, else under its protocol; whose error it is."""

from __future__ import annotations

import pytest
from toy_suites import HEAD, course

from grader.errors import CourseError
from grader.suites.local import LocalTarget
from grader.suites.plugin import is_plain

SUITE = (
    HEAD
    + """
import pytest

@pytest.fixture
def length():
    return 3

@points(1)
def test_plain(student, make, reference, device, dtype): student.f(make.normal(2))

@points(1)
def test_fixture(student, make, length): student.f(make.normal(length))

@points(1)
@pytest.mark.parametrize("n", [1, 2])
def test_parameters(student, make, n): student.f(make.normal(n))

@points(1)
@pytest.mark.filterwarnings("error")
def test_mark(student, make): student.f(make.normal(2))

@points(1)
def test_request(student, request): assert request.node.name == "test_request[cpu]"
"""
)


def test_which_checks_need_nothing_of_pytest(tmp_path):
    suites = course(tmp_path, SUITE)
    assert {item.originalname for item in suites["f"].items if is_plain(item)} == {"test_plain"}
    assert {r.verdict for r in suites.run("f", LocalTarget({"f": lambda x: x}), 1)} == {"passed"}


def test_a_check_sees_the_reference_and_where_it_runs(tmp_path):
    suite = HEAD + (
        "@points(1)\ndef test_a(student, make, reference, device):\n"
        "    assert device == 'cpu'\n    assert reference.f(3) == 3\n    student.f(make.normal(2))\n"
    )
    (found,) = course(tmp_path, suite).run("f", LocalTarget({"f": lambda x: x}), 1)
    assert found.verdict == "passed"


@pytest.mark.parametrize("setting", ["length", "broken"])
def test_a_fixture_that_fails_is_the_suites_fault(tmp_path, setting):
    body = "1 / 0" if setting == "broken" else "return missing"
    fixture = f"import pytest\n@pytest.fixture\ndef given():\n    {body}\n"
    suite = f"{HEAD}{fixture}@points(1)\ndef test_a(student, given): pass\n"
    with pytest.raises(CourseError, match=r"(?s)test_a\[cpu\].*(ZeroDivisionError|NameError)"):
        list(course(tmp_path, suite).run("f", LocalTarget({"f": lambda x: x}), 1))
