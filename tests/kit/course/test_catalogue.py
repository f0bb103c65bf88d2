"""The texts beside a suite: a line for each name and language, and a sentence for each way to get one wrong."""

from __future__ import annotations

import pytest

from grader.course import catalogue
from grader.errors import CourseError
from grader.texts import Text


@pytest.fixture
def read(tmp_path):
    def texts(content: str | bytes) -> dict[str, Text]:
        (tmp_path / "softmax.yaml").write_bytes(content.encode() if isinstance(content, str) else content)
        return catalogue.read(tmp_path / "softmax.py")

    return texts


def test_texts_by_name(read):
    assert read('a.en: "One."\na.zh: "一。"\nb_2.en: "Two: 2."\nb_2.zh: 二。\n') == {
        "a": Text("One.", "一。"), "b_2": Text("Two: 2.", "二。"),
    }  # fmt: skip


def test_no_catalogue_and_an_empty_one(read, tmp_path):
    assert catalogue.read(tmp_path / "other.py") == {}
    assert read("") == read("# nothing yet\n") == {}


def test_a_language_that_is_missing_stays_empty(read):
    """`grader lint` names it."""
    assert read('a.en: "One."\n') == {"a": Text("One.", "")}


WRONG = {
    'a.en: "One."\na.en: "Uno."\n': "softmax.yaml:2: 'a.en' is there twice",
    'a.en: "One."\na: "Uno."\n': "softmax.yaml:2: not `name.language: \"text\"` but 'a'",
    'a.fr: "Un."\n': "softmax.yaml:1: not `name.language: \"text\"` but 'a.fr'",
    '.en: "One."\n': "softmax.yaml:1: not `name.language: \"text\"` but '.en'",
    'a.en: ["One."]\n': "softmax.yaml:1: not `name.language: \"text\"` but 'a.en'",
    "a.en: One: two.\n": "is a text in quotes missing one?",
    'a.en: "One.\n': "is a text in quotes missing one?",
    b"a.en: \xff\n": "is a text in quotes missing one?",
}


@pytest.mark.parametrize("content", WRONG, ids=range(len(WRONG)))
def test_what_is_no_line_of_a_catalogue(read, content):
    with pytest.raises(CourseError) as caught:
        read(content)
    assert WRONG[content] in str(caught.value)
    assert "\n" not in str(caught.value)
