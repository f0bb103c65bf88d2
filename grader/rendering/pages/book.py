"""The lessons as a static site: contents with search, a page for each unit, glossary, coverage; no network needed."""

from __future__ import annotations

import dataclasses
import functools
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import yaml
from markupsafe import Markup

from grader.course import DRAWINGS, Course, Unit
from grader.rendering import lesson_text
from grader.rendering.pages import markdown, student_view, svg
from grader.rendering.pages import pages as html
from grader.sandbox.processes import DescribedQuestion
from grader.texts import LANGUAGES, Text, translated

MARK = '<meta name="generator" content="grader book">'
_SIGNS = re.compile(r"[$`*#>|\\{}]|\]\([^)]*\)|-{3,}")
GLOSSARY, COVERAGE = translated("Glossary"), translated("What the course covers")
NONE = translated("Nothing found.")
Texts = Mapping[str, Mapping[str, str]]
Questions = Mapping[str, Sequence[DescribedQuestion]]


@dataclasses.dataclass(frozen=True)
class Chapter:
    """A page of the book: its file, its title, the HTML of each of its texts by language, and whose unit it is."""

    file: str
    title: Text
    bodies: Sequence[Mapping[str, Markup]]
    unit: Unit | None = None
    number: str = ""


def chapters_of(course: Course, units: Sequence[Unit], texts: Texts) -> list[Chapter]:
    """The units of the path that have a lesson, then glossary and coverage where the course has them.

    `texts` are those of the units of the syllabus.
    """
    languages = course.settings.languages
    figure = functools.partial(drawn, languages=languages)
    found = []
    for unit in units:
        lessons = [bodies(texts[i], languages, f"{i}-") for i in unit.read_here if texts.get(i)]
        if lessons:
            number = str(course.path.index(unit) + 1) if len(course.path) > 1 else ""
            found.append(Chapter(f"{unit.id}.html", unit.title, lessons, unit, number))
    glossary, coverage = (course.root / "docs" / name for name in ("glossary.yaml", "coverage.md"))
    if glossary.is_file():
        found.append(Chapter("glossary.html", GLOSSARY, [{"": _glossary(glossary, languages)}]))
    if coverage.is_file():
        text = coverage.read_text(encoding="utf-8").partition("\n")[2]
        found.append(Chapter("coverage.html", COVERAGE, [{"": markdown.html(text, figure, "coverage-")}]))
    return found


def pages(
    course: Course, units: Sequence[Unit], texts: Texts, questions: Questions, lang: str, evidence: bool
) -> Iterator[tuple[str, str]]:
    """(file, page) of each page.

    Args:
        evidence: whether answers and what proves them are shown.
    """
    languages = course.settings.languages
    lang = lang if lang in languages else languages[0]
    chapters = chapters_of(course, units, texts)
    links = [(c.file, c.title) for c in chapters]
    frame: dict[str, Any] = {"course": course.settings.title, "links": links, "mark": Markup(MARK)}
    scripts: tuple[str, ...] = ("switches.js", "book.js")
    styles = ("base.css", "book.css")
    index = html.embedded(_index(chapters, texts, languages))
    yield "index.html", html.page(
        "book_contents.html", styles, scripts, lang, languages, chapters=chapters, data=index,
        **frame, file="index.html",
    )  # fmt: skip
    for before, chapter, after in zip([None, *links], chapters, [*links[1:], None], strict=False):
        tasks = [
            {"exercise": e, "stub": "" if e.kind == "questions" else course.stub(e.id).read_text(encoding="utf-8"),
             "questions": questions.get(e.id, ())}
            for e in (chapter.unit.exercises if chapter.unit else ())
        ]  # fmt: skip
        moves = any("data-explore" in body for text in chapter.bodies for body in text.values())
        shown = html.page(
            "book_chapter.html", styles, (*scripts, "explore.js") if moves else scripts, lang, languages,
            own_script=course.script(DRAWINGS) if moves else "", chapter=chapter, tasks=tasks, evidence=evidence,
            before=before, after=after, answer=answer, **frame, file=chapter.file,
        )  # fmt: skip
        yield chapter.file, shown


def drawn(drawing: lesson_text.Drawing, languages: Sequence[str] = LANGUAGES) -> Markup:
    """The figure of a drawing."""
    caption = markdown.inline(drawing.caption)
    match drawing:
        case lesson_text.Matrix(rows=rows):
            return html.part("book_parts.html", "matrix", languages, caption, svg.alone(drawing.picture), rows)
        case lesson_text.Mistake(picture=picture, view=view):
            seen = student_view.pictured(picture, view)
            return html.part("book_parts.html", "mistake", languages, caption, seen, drawing.name)
        case lesson_text.Bars(bars=bars):
            most = max(value for _, value in bars) or 1.0
            shares = [(markdown.inline(label), value, 100 * value / most) for label, value in bars]
            return html.part("book_parts.html", "bars", languages, caption, shares)
        case lesson_text.Explorable(look_for=look_for, still=still):
            data = msgspec.json.encode(msgspec.structs.replace(drawing, still=None)).decode()
            shown = drawn(still, languages) if still else ""
            return html.part("book_parts.html", "explore", languages, caption, markdown.inline(look_for), shown, data)


def bodies(texts: Mapping[str, str], languages: Sequence[str], prefix: str = "") -> dict[str, Markup]:
    """A lesson's HTML by language; under no name where there is but one, so that it is always shown.

    `prefix` is that of the ids of its headings.
    """
    figure = functools.partial(drawn, languages=languages)
    many = len(texts) > 1
    return {lang if many else "": markdown.html(text, figure, f"{prefix}{lang}-") for lang, text in texts.items()}


def _glossary(path: Path, languages: Sequence[str]) -> Markup:
    """The terms in English, and in each other language of the course that the file has."""
    terms = yaml.safe_load(path.read_text(encoding="utf-8"))
    shown = ["en", *(lang for lang in languages if lang != "en" and any(lang in words for words in terms.values()))]
    listed = [{**terms[term], "en": term} for term in sorted(terms, key=str.lower)]
    return html.part("book_parts.html", "glossary", languages, shown, listed)


def answer(key: Any) -> str:
    """A key as a line: lists in brackets, tables row by row."""
    if isinstance(key, Mapping):
        return "; ".join(f"{row}: {answer(cells)}" for row, cells in key.items())
    if isinstance(key, list | tuple):
        return f"[{', '.join(map(answer, key))}]"
    return str(key)


def _index(chapters: Sequence[Chapter], texts: Texts, languages: Sequence[str]) -> dict[str, Any]:
    """Return the index of the search: link (file and anchor), language, title of the page, heading and words."""
    found = []
    for chapter in (c for c in chapters if c.unit):
        assert chapter.unit
        told = [(i, lang, text) for i in chapter.unit.read_here for lang, text in texts.get(i, {}).items()]
        for id, lang, text in told:
            for number, (heading, prose) in enumerate(lesson_text.sections(text), 1):
                words = " ".join(_SIGNS.sub(" ", prose).split())
                found.append([f"{chapter.file}#{id}-{lang}-{number}", lang, chapter.title.to(lang), heading, words])
        for exercise in chapter.unit.exercises:
            for lang in languages:
                link = f"{chapter.file}#{exercise.id}"
                found.append([link, lang, chapter.title.to(lang), exercise.title.to(lang), exercise.id])
    return {"sections": found, "none": {lang: NONE.to(lang) for lang in languages}}
