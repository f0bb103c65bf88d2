"""The texts beside a suite: read by name and language, and a line that is none of them is an error with its place."""

from __future__ import annotations

import pytest

from grader.course import catalogue
from grader.errors import CourseError
from grader.texts import Text


def read(folder, text: str) -> dict[str, Text]:
    (folder / "scale.yaml").write_text(text, encoding="utf-8")
    return catalogue.read(folder / "scale.py")


def test_no_catalogue(tmp_path):
    assert catalogue.read(tmp_path / "scale.py") == {}
    assert read(tmp_path, "# nothing yet\n") == {}


def test_texts_by_name(tmp_path):
    found = read(tmp_path, 'adds.en: "It adds."\nadds.zh: "用了加法。"\nhalf.en: "Half only."\n')
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
        read(tmp_path, text)
