"""Of the texts beside a suite, a line that is none is an error with its place."""

from __future__ import annotations

import pytest

from grader.course import suite_texts
from grader.errors import CourseError
from grader.texts import Text


def catalogue(folder, text: str) -> dict[str, Text]:
    (folder / "scale.yaml").write_text(text, encoding="utf-8")
    return suite_texts.catalogue(folder / "scale.py")


def test_no_texts(tmp_path):
    assert suite_texts.catalogue(tmp_path / "scale.py") == {}
    assert catalogue(tmp_path, "# nothing yet\n") == {}


def test_texts_by_name(tmp_path):
    found = catalogue(tmp_path, 'adds: "It adds."\nhalf: "Half only."\n')
    assert found == {"adds": Text("It adds."), "half": Text("Half only.")}


def test_titles_of_laws_are_said_in_chinese():
    assert [title.key for title in suite_texts.LAW_TITLES.values() if title.to("zh") == title.key] == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('adds: ["x"]\n', r"scale\.yaml:1: not `name: \"text\"` but 'adds'"),
        ('# a remark\nadds: {en: "x", zh: "y"}\n', r"scale\.yaml:2: not `name: \"text\"` but 'adds'"),
        ('adds: "x"\nhalf: "y"\nadds: "z"\n', r"scale\.yaml:3: 'adds' is there twice"),
        ('adds: "x\n', r"scale\.yaml: .*; is a text in quotes missing one\?"),
        ('- "x"\n', r"scale\.yaml:1: should hold lines of the form `name: \"text\"`"),
    ],
)
def test_a_line_that_is_no_text(tmp_path, text, said):
    with pytest.raises(CourseError, match=said):
        catalogue(tmp_path, text)
