"""What suites say, read without running them: in both languages where a report still says the same."""

from __future__ import annotations

from grader.course import course as courses
from grader.course import suite_texts
from grader.course.law_titles import LAW_TITLES
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
