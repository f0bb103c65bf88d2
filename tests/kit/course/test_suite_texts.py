"""What suites say, read without running them: in both languages where a report still says the same.

Of the texts beside a suite, a line that is none is an error with its place.
"""

from __future__ import annotations

import pytest

from grader.course import course as courses
from grader.course import suite_texts
from grader.course.suite_texts import LAW_TITLES
from grader.errors import CourseError
from grader.texts import Text

ADDS = "The factor is added instead of multiplied."


def test_titles_and_explanations_of_the_toy_course(toy):
    texts = suite_texts.read(toy)
    said = "Every entry is multiplied by the factor."
    assert texts.title("scale", "test_values[cpu-float32]", said) == Text(said, "每个元素都乘以因子。")
    assert texts.explanation("scale/adds_instead", ADDS) == Text(ADDS, "加上了因子,而不是乘以因子。")


def test_a_suite_that_says_something_else_by_now(toy):
    """A page shows what the report said when it was graded."""
    assert suite_texts.read(toy).explanation("scale/adds_instead", "It adds.") == "It adds."
    assert suite_texts.read(toy).title("scale", "test_gone[cpu]", "Gone.") == "Gone."


def test_explanations_beside_a_suite_and_titles_of_laws(toy_copy):
    hidden = toy_copy / "tests" / "hidden"
    (hidden / "scale.yaml").write_text('halves.en: "It halves."\nhalves.zh: "减半了。"\n', encoding="utf-8")
    with open(hidden / "scale.py", "a", encoding="utf-8") as file:
        file.write("\n\ntest_keywords = laws.keywords(1, lambda f, make: None)\n")
    texts = suite_texts.read(courses.load(toy_copy))
    assert texts.explanation("scale/halves", "It halves.") == Text("It halves.", "减半了。")
    law = LAW_TITLES["keywords"]
    assert texts.title("scale", "test_keywords[cpu]", law.en) == law


def test_a_broken_suite_leaves_the_others_readable(toy_copy):
    (toy_copy / "tests" / "hidden" / "pair.py").write_text("nonsense(\n")
    assert suite_texts.read(courses.load(toy_copy)).explanation("scale/adds_instead", ADDS) != ADDS


def catalogue(folder, text: str) -> dict[str, Text]:
    (folder / "scale.yaml").write_text(text, encoding="utf-8")
    return suite_texts.catalogue(folder / "scale.py")


def test_no_catalogue(tmp_path):
    assert suite_texts.catalogue(tmp_path / "scale.py") == {}
    assert catalogue(tmp_path, "# nothing yet\n") == {}


def test_texts_by_name(tmp_path):
    found = catalogue(tmp_path, 'adds.en: "It adds."\nadds.zh: "用了加法。"\nhalf.en: "Half only."\n')
    assert found == {"adds": Text("It adds.", "用了加法。"), "half": Text("Half only.", "")}, (
        "lint names what is missing"
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('adds.en: "x"\nadds.fr: "y"\n', r"scale\.yaml:2: not `name\.language: \"text\"` but 'adds\.fr'"),
        ('adds: "x"\n', r"scale\.yaml:1: not `name\.language"),
        ('adds.en: ["x"]\n', r"scale\.yaml:1: not `name\.language"),
        ('adds.en: "x"\nadds.zh: "y"\nadds.en: "z"\n', r"scale\.yaml:3: 'adds\.en' is there twice"),
        ('adds.en: "x\n', r"scale\.yaml: .*; is a text in quotes missing one\?"),
        ('- "x"\n', r"scale\.yaml:1: should hold lines of the form `name\.language: \"text\"`"),
    ],
)
def test_a_line_that_is_no_text(tmp_path, text, said):
    with pytest.raises(CourseError, match=said):
        catalogue(tmp_path, text)
