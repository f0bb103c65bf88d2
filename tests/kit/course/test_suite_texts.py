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


def test_a_text_of_several_mistakes_is_written_once(tmp_path):
    found = catalogue(tmp_path, 'adds, adds_late,adds_twice: "It adds."\nhalf: "Half only."\n')
    assert found == {name: Text("It adds.") for name in ("adds", "adds_late", "adds_twice")} | {
        "half": Text("Half only.")
    }
    assert [names for names, _ in suite_texts.lines(tmp_path / "scale.yaml")] == [
        ("adds", "adds_late", "adds_twice"), ("half",),
    ]  # fmt: skip


def test_texts_that_suites_share(tmp_path):
    assert suite_texts.catalogue(tmp_path / suite_texts.SHARED) == {}
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "mistakes.yaml").write_text('adds: "It adds."\nadds: "z"\n', encoding="utf-8")
    with pytest.raises(CourseError, match=r"mistakes\.yaml:2: 'adds' is there twice"):
        suite_texts.catalogue(tmp_path / suite_texts.SHARED)
    (tmp_path / "lib" / "mistakes.yaml").write_text('adds: "It adds."\n', encoding="utf-8")
    assert suite_texts.catalogue(tmp_path / suite_texts.SHARED) == {"adds": Text("It adds.")}


def test_titles_of_laws_are_said_in_chinese():
    assert [title.key for title in suite_texts.LAW_TITLES.values() if title.to("zh") == title.key] == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('adds: ["x"]\n', r"scale\.yaml:1: not `name: \"text\"` but 'adds'"),
        ('# a remark\nadds: {en: "x", zh: "y"}\n', r"scale\.yaml:2: not `name: \"text\"` but 'adds'"),
        ('adds: "x"\nhalf: "y"\nadds: "z"\n', r"scale\.yaml:3: 'adds' is there twice"),
        ('adds: "x"\nhalf, adds: "z"\n', r"scale\.yaml:2: 'adds' is there twice"),
        ('half, half: "z"\n', r"scale\.yaml:1: 'half' is there twice"),
        ('adds, : "x"\n', r"scale\.yaml:1: not `name: \"text\"` but 'adds,'"),
        ('[adds, half]: "x"\n', r"scale\.yaml:1: not `name: \"text\"` but "),
        ('adds: "x\n', r"scale\.yaml:2: not YAML: .*; is a text in quotes missing one\?"),
        ('- "x"\n', r"scale\.yaml:1: should hold lines of the form `name: \"text\"`"),
    ],
)
def test_a_line_that_is_no_text(tmp_path, text, said):
    with pytest.raises(CourseError, match=said):
        catalogue(tmp_path, text)
