"""What suites say, read without running them: titles, laws' titles, explanations wherever they stand."""

from __future__ import annotations

import pytest

from grader.course import LAW_TITLES, suite_texts
from grader.course import course as courses
from grader.texts import Text

SUITE = '''
1 / 0  # a suite is read, not run
from grader.suites import laws, misconception, misconceptions, points

@points(1)
def test_values(matches_reference, make):
    """The values are right.

    数值正确。
    """

test_gradient = laws.gradient(1, examples, "float32")
test_own = something.gradient(1, examples)

@misconception("scale")
def halves(x, factor=2.0):
    """It halves.

    它做了减半。
    """

KNOWN = misconceptions("scale", doubles=lambda x, factor=2.0: x)
'''


@pytest.fixture
def texts(toy_copy):
    (toy_copy / "tests/hidden/scale.py").write_text(SUITE, encoding="utf-8")
    (toy_copy / "tests/hidden/scale.yaml").write_text('doubles.en: "It doubles."\ndoubles.zh: "加倍了。"\n', "utf-8")
    (toy_copy / "tests/hidden/pair.py").unlink()
    return suite_texts.read(courses.load(toy_copy))


def test_titles_of_checks_and_of_laws(texts):
    said = Text("The values are right.", "数值正确。")
    assert dict(texts.titles) == {("scale", "test_values"): said, ("scale", "test_gradient"): LAW_TITLES["gradient"]}
    assert texts.title("scale", "test_values[cpu-float32]", said.zh) == said
    assert texts.title("scale", "test_values[cpu-float32]", "What it said once.") == "What it said once."
    assert texts.title("pair", "test_values[cpu]", "It said.") == "It said."


def test_explanations_of_docstrings_and_of_the_catalogue(texts):
    assert texts.explanation("scale/halves", "It halves.") == Text("It halves.", "它做了减半。")
    assert texts.explanation("scale/doubles", "加倍了。") == Text("It doubles.", "加倍了。")
    assert texts.explanation("scale/unknown", "It said.") == "It said."


@pytest.mark.parametrize("broken", ["def test(:\n", "\0", "x = '\\d'\n"])
def test_a_suite_that_is_no_python_says_nothing(toy_copy, broken):
    (toy_copy / "tests/hidden/scale.py").write_text(broken, encoding="utf-8")
    (toy_copy / "tests/hidden/scale.yaml").write_text("no: catalogue\n", encoding="utf-8")
    found = suite_texts.read(courses.load(toy_copy))
    assert not any(exercise == "scale" for exercise, _ in found.titles)
