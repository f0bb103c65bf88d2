"""The course's lessons: one for each unit, built from the solutions, alike in both languages."""

from __future__ import annotations

import re

import pytest
import yaml
from markdown_it import MarkdownIt
from support import ROOT

from grader.authoring import lessons
from grader.course import course as courses
from grader.rendering.lesson_text import Explorable, Mistake, parts, sections
from grader.rendering.terminal.lesson import with_plain_formulas
from grader.texts import places

COURSE = courses.load(ROOT)
UNITS = [unit.id for unit in COURSE.settings.units]
GLOSSARY = yaml.safe_load((ROOT / "docs" / "glossary.yaml").read_text(encoding="utf-8"))
CHINESE = re.compile(r"[\u4e00-\u9fff]")


@pytest.fixture(scope="module")
def built() -> dict[str, dict[str, str]]:
    return lessons.build(COURSE, UNITS)


@pytest.mark.parametrize("unit", UNITS)
def test_every_unit_has_a_lesson_in_both_languages(built, unit):
    english, chinese = (built[unit][lang] for lang in ("en", "zh"))
    assert len(sections(english)) == len(sections(chinese)) >= 4
    drawings = [[p for p in parts(text) if not isinstance(p, str)] for text in (english, chinese)]
    assert [type(d) for d in drawings[0]] == [type(d) for d in drawings[1]]
    assert [d for d in drawings[0] if isinstance(d, Mistake)], "what people get wrong"
    assert all(CHINESE.search(d.caption) for d in drawings[1])
    assert not any(CHINESE.search(d.caption) for d in drawings[0])
    assert english.count("$$") == chinese.count("$$"), "the same formulas"


@pytest.mark.parametrize("unit", UNITS)
def test_drawings_to_move_have_their_words_in_both_languages(built, unit):
    found = [[p for p in parts(built[unit][lang]) if isinstance(p, Explorable)] for lang in ("en", "zh")]
    for one, other in zip(*found, strict=True):
        assert sorted(places(one.words["says"])) == sorted(places(other.words["says"]))
        assert [(c.name, c.start, c.values) for c in one.controls] == [
            (c.name, c.start, c.values) for c in other.controls
        ]
        pairs = [(one.look_for, other.look_for), *((words, other.words[name]) for name, words in one.words.items())]
        pairs += [(a.label, b.label) for a, b in zip(one.controls, other.controls, strict=True)]
        assert [(en, zh) for en, zh in pairs if CHINESE.search(en) or not CHINESE.search(zh)] == []


@pytest.mark.parametrize("unit", UNITS)
def test_formulas_have_a_plain_form(built, unit):
    for text in built[unit].values():
        prose = "".join(part for part in parts(text) if isinstance(part, str))
        assert "$" not in with_plain_formulas(prose)


@pytest.mark.parametrize("unit", UNITS)
def test_chinese_lessons_use_the_terms_of_the_glossary(built, unit):
    for term, words in GLOSSARY.items():
        for other in words["not"]:
            assert other not in built[unit]["zh"], f"{term} is {words['zh']} here, not {other}"


@pytest.mark.parametrize("unit", UNITS)
def test_no_mark_of_markdown_is_left_over(built, unit):
    """A full stop before the closing ** in Chinese leaves the asterisks standing."""
    for text in built[unit].values():
        prose = "".join(part + "\n\n" for part in parts(text) if isinstance(part, str))
        shown = MarkdownIt().enable("table").render(re.sub(r"\$+[^$]+\$+", "", prose))
        assert "*" not in re.sub(r"<code>.*?</code>", "", shown, flags=re.DOTALL)


@pytest.mark.parametrize("unit", UNITS)
def test_the_letters_of_shapes_are_explained_in_the_first_lesson(built, unit):
    shape = re.compile(r"\[[A-Z]\w*(?:, ?[\w./]+)+\]")
    for lang, text in built[unit].items():
        used = {word for found in shape.findall(text) for word in re.findall(r"[A-Z]\w*", found)}
        told = next(line for line in built["core"][lang].splitlines() if "[B, T, D]" in line)
        assert used <= set(re.findall(r"[A-Z](?:[a-z]|_\w+)?(?![A-Za-z])", told)), used
