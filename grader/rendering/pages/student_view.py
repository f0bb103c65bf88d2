"""One report as a page or as a fragment for notebooks: what to look at first, then every exercise with its checks."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import msgspec
from markupsafe import Markup

from grader.course import Course, Exercise
from grader.rendering.pages import svg
from grader.report import Cell, Check, ExerciseReport, Picture, Report, in_parts, oral_exam, same, total
from grader.texts import NOTHING, Text, plain, translated

MOST_PICTURES = 3  # an exercise
RAISED_HERE = translated("{type}: {message}")
WRONG_HERE = translated("It goes wrong here: {what}")
MANY = 8  # exercises that are grouped by unit
CAPTIONS = {  # what a drawing shows
    "expected": translated("expected"),
    "actual": translated("your result"),
    "difference": translated("difference"),
    "pairs": translated("pairs of columns (named below) as points, numbered by row: ring expected, dot the result"),
    "places": translated("where each entry belongs: row,column, under the [matrix] if it is another one; · nowhere"),
    "framed": translated("Framed entries are wrong."),
}
OF_A_CLASS = CAPTIONS | {"actual": translated("their result")}
OF_A_LESSON = CAPTIONS | {"expected": translated("right"), "actual": translated("wrong")}
T = TypeVar("T")


@dataclasses.dataclass(frozen=True)
class PicturedResult:
    """A wrong result: its drawings, and its numbers (each with whether it is wrong) for who cannot see them.

    Both stand behind what they show, a key of `CAPTIONS`.
    """

    name: Text
    shape: Sequence[int]
    panels: tuple[tuple[str, Markup], ...]
    numbers: tuple[tuple[str, list[list[tuple[str, bool]]]], ...]


@dataclasses.dataclass(frozen=True)
class CheckGroup:
    """One check in all its variants (dtypes, devices)."""

    title: Text
    points: float
    max_points: float
    verdict: str
    variants: tuple[tuple[str, str], ...]
    reasons: tuple[tuple[Text, Text], ...]


@dataclasses.dataclass(frozen=True)
class Block:
    """One exercise as the page shows it. `chief` is the title of the check that its reason comes from."""

    exercise: ExerciseReport
    title: Text
    chief: Text
    groups: tuple[CheckGroup, ...]
    pictures: tuple[PicturedResult, ...]

    @property
    def passed(self) -> int:
        """The number of checks that passed; variants of one count once."""
        return sum(g.verdict == "passed" for g in self.groups)


def by_unit(shown: Mapping[str, T], course: Course | None) -> list[tuple[Text, list[T]]]:
    """Return what is shown of exercises by title of their unit, along the path; without titles if they are few."""
    left = dict(shown)
    units = course.path if course and len(shown) >= MANY else ()
    found: list[tuple[Text, list[T]]]
    found = [(u.title, [left.pop(e.id) for e in u.exercises if e.id in left]) for u in units]
    return [(title, part) for title, part in (*found, (NOTHING, [*left.values()])) if part]


def blocks(report: Report, course: Course | None) -> list[Block]:
    """The report's exercises, with titles where the course is at hand."""
    return [block(e, course) for e in report.exercises]


def known(course: Course | None, id: str) -> Exercise | None:
    """Return the exercise of the course with this very id, if there is one."""
    return next((e for e in (course.exercises if course else ()) if e.id == id), None)


def title(course: Course | None, id: str) -> Text:
    """Return the title of an exercise of a report."""
    found = known(course, id)
    return found.title if found else oral_exam.TITLE if id == oral_exam.ID else plain(id)


def view(course: Course | None, id: str) -> str:
    """Return how the course wants a wrong result of an exercise drawn."""
    return found.view if (found := known(course, id)) else "matrix"


def first_to_mend(shown: Sequence[Block]) -> Block | None:
    """The exercise to look at first: one that was begun, else the next to begin; None if all passed."""
    broken = [b for b in shown if not b.exercise.done]
    return next((b for b in broken if b.exercise.state in ("failed", "rejected")), broken[0] if broken else None)


def block(exercise: ExerciseReport, course: Course | None) -> Block:
    """One exercise as a page shows it."""
    chief = exercise.chief_check if exercise.reason and not exercise.broken_file else None
    drawn = sorted((c for c in exercise.failed if c.picture), key=lambda c: c is not chief)
    groups, pictures = _groups(exercise), _pictures(drawn, view(course, exercise.id))
    named = title(course, exercise.id)
    return Block(exercise, named, chief.title if chief else NOTHING, tuple(groups), tuple(pictures))


def _groups(exercise: ExerciseReport) -> Iterator[CheckGroup]:
    for _, members in itertools.groupby(exercise.checks, key=lambda c: in_parts(c.id)[0]):
        checks = list(members)
        bad = [c for c in checks if c.failed]
        verdict = bad[0].verdict if bad else "skipped" if all(c.verdict == "skipped" for c in checks) else "passed"
        told = [c for c in checks if c.reason and c.verdict != "passed"]
        yield CheckGroup(
            title=checks[0].title, points=total(c.points for c in checks),
            max_points=total(c.max_points for c in checks if c.verdict != "skipped"), verdict=verdict,
            variants=tuple((in_parts(c.id)[1], c.verdict) for c in checks),
            reasons=tuple(dict.fromkeys((c.reason, c.values) for c in told)),
        )  # fmt: skip


def _pictures(checks: Sequence[Check], view: str) -> Iterator[PicturedResult]:
    """The first few different pictures."""
    seen: list[Any] = []
    for check in checks:
        picture = check.picture
        story = picture and (picture.name, picture.shape)  # two with the same would tell the same one
        if picture is not None and story not in seen and len(seen) < MOST_PICTURES:
            seen.append(story)
            yield pictured(picture, view)


def pictured(picture: Picture, view: str) -> PicturedResult:
    """The drawings of a wrong result. `view` is how the course wants it seen: matrix, pairs or places."""
    panels = [*svg.matrices(picture)]
    more = {"pairs": svg.pairs, "places": svg.places}.get(view)
    if more and (drawing := more(picture)) is not None:
        panels.append((view, drawing))
    due = [[(_exact(v), False) for v in row] for row in picture.expected]
    came = [
        [(_exact(a), not same(a, e)) for a, e in zip(*rows, strict=True)]
        for rows in zip(picture.actual, picture.expected, strict=True)
    ]
    return PicturedResult(picture.name, picture.shape, tuple(panels), (("expected", due), ("actual", came)))


def alone(picture: Picture, caption: str) -> PicturedResult:
    """The drawing of a value with nothing beside it; `caption` is a key of the page's captions."""
    rows = [[(_exact(v), False) for v in row] for row in picture.expected]
    return PicturedResult(picture.name, picture.shape, ((caption, svg.alone(picture)),), ((caption, rows),))


def _exact(value: Cell) -> str:
    return value if isinstance(value, str) else f"{value:.6g}"


def marked(reasons: Iterable[Text]) -> list[tuple[int, Text]]:
    """The lines of a file that verdicts speak of, with what the first one says, in words that fit below them."""
    found: dict[int, Text] = {}
    for reason in reasons:
        for line, said in _lines(reason, reason):
            found.setdefault(line, _below(said))
    return sorted(found.items())


def _below(said: Text) -> Text:
    """The sentence without its line and what stands there."""
    values = said.values
    if values.get("type") and values.get("message"):
        return RAISED_HERE.format(type=values["type"], message=values["message"])
    if "what" in values:
        return WRONG_HERE.format(what=values["what"])
    kept = {name: NOTHING if isinstance(v, Text) and "line" in v.values else v for name, v in values.items()}
    return msgspec.structs.replace(said, values=kept)


def _lines(text: Text, whole: Text) -> Iterator[tuple[int, Text]]:
    """Each line that is named in the text, with the innermost sentence that names it; `whole` is the one around."""
    said = whole if text.key.startswith((" ", ",")) or not text.key else text  # else it is a piece of one
    if type(line := text.values.get("line")) is int and line > 0:
        yield line, said
    for inner in text.values.values():
        if isinstance(inner, Text):
            yield from _lines(inner, said)
