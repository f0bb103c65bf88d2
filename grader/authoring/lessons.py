"""Builds lessons: texts in each language whose numbers and drawings are computed from the solutions.

`lessons/A.en.md`, `lessons/A.zh.md` and so on hold names in double braces, and `lessons/A.py` a function
`blocks(course)` that returns their values: a string, a Text, or a drawing. So a number that the reference does not
give cannot be printed.
"""

from __future__ import annotations

import dataclasses
import functools
import importlib
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import msgspec

from grader.arrays import Tensor, torch
from grader.closeness import VISIBLE
from grader.course import Course, Unit
from grader.errors import CourseError
from grader.rendering import lesson_text
from grader.report import Cell, Picture
from grader.suites import Suites, load_solution, open_package
from grader.texts import Text, plain

_NAME = re.compile(r"\{\{(\w+)\}\}")
_BY_HAND = re.compile(r"(?<![§\w.])\d+\.\d|\d,\d{3}|\d{4,}")  # a section of an article is written §6.4
_LINK = re.compile(r"\]\([^)]*\)")
MOST = 12  # rows and columns of a drawing
Use = Callable[[SimpleNamespace], Tensor]


@dataclasses.dataclass(frozen=True)
class Captioned:
    """A drawing with its words in all languages: its caption, and those of one that a reader moves."""

    caption: Text
    drawing: lesson_text.Drawing

    def to(self, lang: str) -> str:
        """Return it as it stands in the lesson of this language."""
        said: dict[str, Any] = {"caption": self.caption.to(lang)}
        if isinstance(one := self.drawing, lesson_text.Explorable):
            said["look_for"] = Text(one.look_for).to(lang)
            said["controls"] = [msgspec.structs.replace(c, label=Text(c.label).to(lang)) for c in one.controls]
            said["words"] = {name: Text(words).to(lang) for name, words in one.words.items()}
            still = one.still and msgspec.structs.replace(one.still, caption=Text(one.still.caption).to(lang))
            said["still"] = still
        return lesson_text.written(msgspec.structs.replace(self.drawing, **said))


class LessonCourse:
    """The course for a lesson's computations: the solutions, the suites' library and known mistakes."""

    def __init__(self, course: Course) -> None:
        self._course = course

    @functools.cached_property
    def _suites(self) -> Suites:
        """Return the suites of every exercise that the course describes, shipped or not."""
        ids = [e.id for e in self._course.described or self._course.exercises if e.kind == "code"]
        return Suites({i: self._course.suite(i) for i in ids}, {i: self._solution(i) for i in ids})

    def _solution(self, exercise: str) -> Path:
        return self._course.root / "solutions" / f"{exercise}.py"

    def solution(self, exercise: str) -> SimpleNamespace:
        """Return the functions of an exercise's solution, as attributes."""
        return SimpleNamespace(**load_solution(self._solution(exercise)))

    def library(self, name: str) -> ModuleType:
        """Return a module of the library that the hidden suites share, `tests/hidden/lib`."""
        open_package(self._course.root / "tests" / "hidden")
        return importlib.import_module(f"hidden.lib.{name}")

    def mistake(self, exercise: str, name: str, use: Use, view: str = "") -> Captioned:
        """Draw the result of the mistake `name` of `exercise`'s suite for `use(functions)`, beside the right one.

        Raises:
            CourseError: the suite knows no such mistake, or the result is right in spite of it.
        """
        if exercise not in self._suites:
            raise CourseError(f"a lesson shows a mistake of {exercise!r}, which is not an exercise")
        suite = self._suites[exercise]
        known = {m.name: m for m in suite.misconceptions}
        if name not in known:
            raise CourseError(f"a lesson shows the mistake {exercise}/{name}, which the suite does not know")
        right = _matrix(use(SimpleNamespace(**suite.reference)))
        wrong = _matrix(use(SimpleNamespace(**{**suite.reference, **known[name].functions})))
        close = torch.isclose(right, wrong, rtol=VISIBLE, atol=VISIBLE) if right.shape == wrong.shape else None
        if close is None or bool(close.all()):
            raise CourseError(f"a lesson shows the mistake {exercise}/{name} where it does not show")
        expected = _cells(right)
        actual = [
            [e if ok else a for e, a, ok in zip(*row, strict=True)]
            for row in zip(expected, _cells(wrong), close.tolist(), strict=True)
        ]
        view = view or next(e.view for e in self._course.described if e.id == exercise)
        picture = Picture(plain(f"{exercise}/{name}"), list(right.shape), expected, actual)
        return Captioned(known[name].message, lesson_text.Mistake("", f"{exercise}/{name}", picture, view))


def matrix(caption: str, values: Tensor) -> Captioned:
    """Return a matrix or a row as a heat map."""
    return Captioned(Text(caption), lesson_text.Matrix("", _cells(_matrix(values))))


def bars(caption: str, values: Mapping[str, float]) -> Captioned:
    """Return numbers from 0 up as bars, by their labels."""
    drawn = lesson_text.Bars("", [(label, float(value)) for label, value in values.items()])
    return Captioned(Text(caption), drawn)


def explore(
    kind: str, caption: str, look_for: str, controls: Sequence[lesson_text.Control], words: Mapping[str, str],
    still: Captioned | None = None, **data: Tensor | Sequence[float],
) -> Captioned:  # fmt: skip
    """Return a drawing that a reader moves. `words["says"]` is the sentence with its numbers; `data` is unchanged."""
    numbers = {name: [float(value) for value in values] for name, values in data.items()}
    picture = msgspec.structs.replace(still.drawing, caption=still.caption.key) if still else None
    assert not isinstance(picture, lesson_text.Mistake | lesson_text.Explorable)
    drawn = lesson_text.Explorable(kind, "", look_for, list(controls), dict(words), numbers, picture)
    return Captioned(Text(caption), drawn)


def control(name: str, label: str, start: float, values: Sequence[float]) -> lesson_text.Control:
    """Return a control that moves through these values, in rising order; a tick box if they are 0 and 1.

    Raises:
        CourseError: it does not start at one of them.
    """
    if start not in values or list(values) != sorted(values):
        raise CourseError(f"a lesson's control {name!r} starts at {start}, which is not one of its rising values")
    return lesson_text.Control(name, label, start, list(values))


@dataclasses.dataclass(frozen=True)
class LessonTable:
    """A Markdown table whose head is in all languages."""

    head: Sequence[Text]
    rows: Sequence[Sequence[str]]

    def to(self, lang: str) -> str:
        """Return it as it stands in the lesson of this language."""
        lines = [[cell.to(lang) for cell in self.head], ["---"] * len(self.head), *self.rows]
        return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def table(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> LessonTable:
    """Return a Markdown table."""
    texts = [[numbers(c) if isinstance(c, float | Tensor) else str(c) for c in row] for row in rows]
    return LessonTable([Text(cell) for cell in head], texts)


def numbers(values: Tensor | Sequence[Any] | float, digits: int = 4) -> str:
    """Return a number, a row or a matrix with this many decimals."""
    values = values.tolist() if isinstance(values, Tensor) else values
    if isinstance(values, Sequence):
        return f"[{', '.join(numbers(value, digits) for value in values)}]"
    return f"{float(values) + 0.0:.{digits}f}"


def count(value: int) -> str:
    """Return a whole number with commas between the thousands."""
    return f"{value:,}"


def holds(claim: bool | Tensor, what: str) -> None:
    """Assert a claim that the text makes in words.

    Raises:
        CourseError: it is false.
    """
    if not bool(claim):
        raise CourseError(f"a lesson claims what is not so: {what}")


def build(course: Course, units: Sequence[str]) -> dict[str, dict[str, str]]:
    """Return the lessons of these units by language; none of a unit for which the course has no text.

    Raises:
        CourseError: a language or a name is missing, a number is written by hand, or a claim does not hold.
    """
    shown = LessonCourse(course)
    return {u.id: _built(course, shown, u) for u in course.settings.units if u.id in units}


def _built(course: Course, shown: LessonCourse, unit: Unit) -> dict[str, str]:
    sources = {lang: course.lesson(unit.id, lang) for lang in course.settings.languages}
    there = [lang for lang, path in sources.items() if path.is_file()]
    if not there:
        return {}
    if absent := sorted({*sources} - {*there}):
        raise CourseError(f"{sources[absent[0]]}: missing; the lesson is there in another language")
    script = course.root / "lessons" / f"{unit.id}.py"
    texts = {lang: path.read_text(encoding="utf-8") for lang, path in sources.items()}
    if not script.is_file():  # a student's copy: built already
        return texts
    blocks = load_solution(script)["blocks"](shown)
    units = {f"unit_{i}": i for stage in course.settings.path for i in stage.lessons}  # of what is not shipped the id
    units |= {f"unit_{i}": str(n) for n, u in enumerate(course.path, 1) for i in u.read_here}
    return {lang: _filled(f"lessons/{unit.id}.{lang}.md", text, blocks, units, lang) for lang, text in texts.items()}


def _filled(file: str, text: str, blocks: Mapping[str, Any], units: Mapping[str, str], lang: str) -> str:
    """Return the text with the computed values in its places; `unit_A` is the number of the unit with lesson A."""
    prose = _LINK.sub(lambda match: " " * len(match[0]), text)
    if found := _BY_HAND.search(prose):
        line = text.count("\n", 0, found.start()) + 1
        raise CourseError(
            f"{file}:{line}: the number at {found[0]!r} is written by hand; compute it in the lesson's .py"
        )
    named = set(_NAME.findall(text))
    if unknown := sorted(named - {*blocks, *units}):
        raise CourseError(f"{file}: nothing is computed for {{{{{unknown[0]}}}}}")
    if unused := sorted(set(blocks) - named):
        raise CourseError(f"{file}: {{{{{unused[0]}}}}} is computed and never shown")
    said = {name: b if isinstance(b, str) else str(b.to(lang)) for name, b in {**units, **blocks}.items()}
    return _NAME.sub(lambda match: said[match[1]], text)


def _matrix(values: Tensor) -> Tensor:
    values = values.detach().double()
    found = values if values.dim() > 1 else values.unsqueeze(0)
    if found.dim() != 2 or max(found.shape) > MOST or not found.numel():
        raise CourseError(
            f"a lesson draws a tensor of shape {tuple(values.shape)}: expected a matrix of at most {MOST} rows"
        )
    return found


def _cells(values: Tensor) -> list[list[Cell]]:
    return [
        [float(f"{v:.6g}") if v == v and abs(v) != float("inf") else str(v) for v in row] for row in values.tolist()
    ]
