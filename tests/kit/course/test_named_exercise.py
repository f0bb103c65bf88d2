"""Names of exercises as people give them."""

from __future__ import annotations

import pytest

from grader.course.named_exercise import meant
from grader.course.settings import Exercise
from grader.texts import Text

SUITE = """
@question(1, Table(("Q", "K"), ("rows",), Number()))
def shifted(lab):
    lab.wrong_answer("nothing", 3, "It moves.")
"""
COPY = """shifted = asked(
    'shifted',
    Number(),
)
"""


@pytest.mark.parametrize("suite", [SUITE, COPY])
@pytest.mark.parametrize(("said", "found"), [("shifted", True), ("nothing", False), ("Q", False), ("rows", False)])
def test_questions_find_their_exercise_and_other_words_of_a_suite_do_not(tmp_path, suite, said, found):
    path = tmp_path / "quiz.py"
    path.write_text(suite, encoding="utf-8")
    quiz = Exercise("quiz", Text("Quiz", ""), 1.0, (), "questions")
    assert (meant(said, [quiz], [path]) is quiz) is found
