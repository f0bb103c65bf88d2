"""One report as a page or as a fragment for notebooks: what to look at first, then every exercise with its checks."""

from __future__ import annotations

import dataclasses
import functools
import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar

from markupsafe import Markup

from grader import catalogues
from grader.course import Course, SuiteTexts
from grader.rendering.pages import svg
from grader.report import Cell, Check, ExerciseReport, Picture, Report, in_parts, oral_exam, same, total
from grader.texts import Text

MOST_PICTURES = 3  # an exercise
MANY = 8  # exercises that are grouped by unit
Words = Text | str
T = TypeVar("T")
Others = Mapping[str, Report]
NONE: Others = {}
NO_TEXTS = SuiteTexts({}, {})
_CHINESE = re.compile(r"[\u4e00-\u9fff]")


@dataclasses.dataclass(frozen=True)
class Panel:
    """One drawing and what it shows, a key of the page's words."""

    name: str
    drawing: Markup


@dataclasses.dataclass(frozen=True)
class PicturedResult:
    """A wrong result: its drawings, and its numbers (each with whether it is wrong) for who cannot see them."""

    name: str
    shape: Sequence[int]
    panels: tuple[Panel, ...]
    numbers: tuple[tuple[str, list[list[tuple[str, bool]]]], ...]


@dataclasses.dataclass(frozen=True)
class Group:
    """One check in all its variants (dtypes, devices)."""

    title: Words
    points: float
    max_points: float
    verdict: str
    variants: tuple[tuple[str, str], ...]
    reasons: tuple[Words, ...]


@dataclasses.dataclass(frozen=True)
class Block:
    """One exercise as the page shows it. `chief` is the title of the check that `reason` comes from."""

    id: str
    title: Words
    status: str
    score: float
    max_score: float
    reason: Words
    chief: Words
    explanations: tuple[Words, ...]
    groups: tuple[Group, ...]
    pictures: tuple[PicturedResult, ...]
    stdout: str
    file: str
    remarks: tuple[Words, ...]

    @property
    def passed(self) -> int:
        """How many checks passed, variants taken together."""
        return sum(g.verdict == "passed" for g in self.groups)


@dataclasses.dataclass(frozen=True)
class Part:
    """A unit of the course with its exercises; without a title where there is but one."""

    title: Words
    blocks: tuple[Block, ...]

    @property
    def score(self) -> float:
        return total(b.score for b in self.blocks)

    @property
    def max_score(self) -> float:
        return total(b.max_score for b in self.blocks)


def parts(shown: Sequence[Block], course: Course | None) -> list[Part]:
    """The exercises by the units of the path, in its order."""
    return [Part(title, tuple(found)) for title, found in by_unit({b.id: b for b in shown}, course)]


def by_unit(shown: Mapping[str, T], course: Course | None) -> list[tuple[Words, list[T]]]:
    """What is shown of each exercise under its unit's title, along the path; without a title where that is little."""
    left = dict(shown)
    units = course.path if course and len(shown) >= MANY else ()
    found: list[tuple[Words, list[T]]]
    found = [(u.title, [left.pop(e.id) for e in u.exercises if e.id in left]) for u in units]
    return [(title, part) for title, part in (*found, ("", [*left.values()])) if part]


def blocks(
    report: Report, course: Course | None, texts: SuiteTexts, others: Others = NONE, said: str = "en"
) -> list[Block]:
    """The report's exercises, with titles and explanations in all languages where the course is at hand.

    Args:
        others: the same report in other languages, from which reasons are taken too. said: the language of this one.
    """
    known = {e.id: e for e in course.exercises} if course else {}
    titles = {oral_exam.ID: oral_exam.TITLE} | {id: exercise.title for id, exercise in known.items()}
    views = {id: exercise.view for id, exercise in known.items()}
    by_id = {lang: {e.id: e for e in other.exercises} for lang, other in others.items()}
    tell = functools.partial(_in_each, said)
    return [
        _block(
            e, {lang: found[e.id] for lang, found in by_id.items() if e.id in found}, tell, titles.get(e.id, e.id),
            views.get(e.id, "matrix"), texts,
        )
        for e in report.exercises
    ]  # fmt: skip


Tell = Callable[[str, Mapping[str, str | None]], Words]


def _in_each(lang: str, said: str, otherwise: Mapping[str, str | None]) -> Words:
    """A sentence in all languages in which it is at hand."""
    others = {other: sentence for other, sentence in otherwise.items() if sentence}
    return Text.of({lang: said, **others}) if said and others else said


def first_to_mend(shown: Sequence[Block]) -> Block | None:
    """The exercise to look at first: one that was begun, else the next to begin; None if all passed."""
    broken = [b for b in shown if b.status not in ("passed", "waiting")]
    return next((b for b in broken if b.status in ("failed", "rejected")), broken[0] if broken else None)


def language(report: Report, texts: SuiteTexts = NO_TEXTS) -> str:
    """The language that a report was written in, as far as its characters or the titles of the suites tell."""
    said = [report.reason or ""]
    for exercise in report.exercises:
        said += [exercise.reason or "", *(c.title for c in exercise.checks)]
    if any(map(_CHINESE.search, said)):
        return "zh"
    titles = [text for text in texts.titles.values() if text.more]
    found = (lang for lang in catalogues.others() if any(t.own(lang) in said and t.own(lang) != t.en for t in titles))
    return next(found, "en")


def _block(
    exercise: ExerciseReport, others: Mapping[str, ExerciseReport], tell: Tell, title: Words, view: str,
    texts: SuiteTexts,
) -> Block:  # fmt: skip
    broken, reason = exercise.failed, exercise.reason or ""
    said = {lang: {c.id: c.reason for c in other.checks} for lang, other in others.items()}
    chief = exercise.chief_check if reason and not exercise.broken_file else None
    drawn = sorted((c for c in broken if c.picture), key=lambda c: c is not chief)
    return Block(
        exercise.id, title, exercise.state, exercise.score, exercise.max_score,
        tell(reason, {lang: other.reason for lang, other in others.items()}),
        texts.title(exercise.id, chief.id, chief.title) if chief else "",
        tuple(texts.explanation(d.misconception, d.message) for d in exercise.diagnoses),
        tuple(_groups(exercise, said, tell, texts)), tuple(_pictures(drawn, view)), exercise.stdout, exercise.file,
        tuple(_remarks(exercise, others, tell)),
    )  # fmt: skip


def _remarks(exercise: ExerciseReport, others: Mapping[str, ExerciseReport], tell: Tell) -> Iterator[Words]:
    for number, said in enumerate(exercise.remarks):
        alike = {lang: o.remarks for lang, o in others.items() if len(o.remarks) == len(exercise.remarks)}
        yield tell(said, {lang: remarks[number] for lang, remarks in alike.items()})


def _groups(
    exercise: ExerciseReport, said: Mapping[str, Mapping[str, str]], tell: Tell, texts: SuiteTexts
) -> Iterator[Group]:
    for name, members in itertools.groupby(exercise.checks, key=lambda c: in_parts(c.id)[0]):
        checks = list(members)
        bad = [c for c in checks if c.failed]
        verdict = bad[0].verdict if bad else "skipped" if all(c.verdict == "skipped" for c in checks) else "passed"
        failed = [c for c in checks if c.reason and c.verdict != "passed"]
        told = (tell(c.reason, {lang: reasons.get(c.id) for lang, reasons in said.items()}) for c in failed)
        reasons = tuple(dict.fromkeys(told))
        variants = tuple((in_parts(c.id)[1], c.verdict) for c in checks)
        yield Group(
            texts.title(exercise.id, name, checks[0].title), sum(c.points for c in checks),
            sum(c.max_points for c in checks if c.verdict != "skipped"), verdict, variants, reasons,
        )  # fmt: skip


def _pictures(checks: Sequence[Check], view: str) -> Iterator[PicturedResult]:
    """The first few different pictures."""
    seen: list[Picture] = []
    for check in checks:
        picture = check.picture
        if picture is not None and not any(_alike(picture, other) for other in seen) and len(seen) < MOST_PICTURES:
            seen.append(picture)
            yield pictured(picture, view)


def _alike(one: Picture, other: Picture) -> bool:
    """Whether two pictures would tell the same story: same result, same shape."""
    return (one.name, one.shape) == (other.name, other.shape)


def pictured(picture: Picture, view: str) -> PicturedResult:
    """The drawings of a wrong result. `view` is how the course wants it seen: matrix, pairs or places."""
    panels = [Panel(name, drawing) for name, drawing in svg.matrices(picture)]
    more = {"pairs": svg.pairs, "places": svg.places}.get(view)
    if more and (drawing := more(picture)) is not None:
        panels.append(Panel(view, drawing))
    due = [[(_exact(v), False) for v in row] for row in picture.expected]
    came = [
        [(_exact(a), not same(a, e)) for a, e in zip(*rows, strict=True)]
        for rows in zip(picture.actual, picture.expected, strict=True)
    ]
    return PicturedResult(picture.name, picture.shape, tuple(panels), (("expected", due), ("actual", came)))


def _exact(value: Cell) -> str:
    return value if isinstance(value, str) else f"{value:.6g}"
