"""Writes the page about the quality of the suites' judgement; figures stay until their exercise is measured again."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from grader.authoring.answer_sheets import table
from grader.authoring.judgement import Caught, Mutants, SuiteEvidence, mutants, verdict
from grader.course import Course
from grader.errors import CourseError

PAGE = Path("docs/judgement.md")
BEGIN, END = "<!-- figures: {} -->", "<!-- end of figures -->"
HEAD = (
    "exercise", "checks", "misconceptions", "caught by two checks or more", "named alone", "named with its twin",
    "named wrongly", "not named", "mutants", "killed", "equivalent", "alternatives", "full marks", "seeds",
)  # fmt: skip
OF_MUTANTS = slice(HEAD.index("mutants"), HEAD.index("alternatives"))
_BLOCK = re.compile(r"<!-- figures: ?(\w*) ?-->.*?<!-- end of figures -->", re.DOTALL)
_EXERCISE = re.compile(r"<!-- (\w+): (\w+): ([\d+ ]*) -->")


@dataclasses.dataclass(frozen=True)
class Figures:
    """One exercise's part of the page: the hash of its inputs, its row of the table.

    caught: how many checks catch each misconception, in the suite's order, with a + if it is named with its twin.
    """

    inputs: str
    row: tuple[str, ...]
    caught: tuple[str, ...]


@dataclasses.dataclass(frozen=True)
class Published:
    """The content of the page: the hash of the engine that judged, and each exercise's figures."""

    engine: str
    exercises: dict[str, Figures]


def published(course: Course) -> Published:
    """Return the content of the page; empty if there is none."""
    page = course.root / PAGE
    block = _BLOCK.search(page.read_text(encoding="utf-8")) if page.is_file() else None
    if block is None:
        return Published("", {})
    table = (line.strip("|").split("|") for line in block[0].splitlines() if line.startswith("| "))
    rows = {cells[0].strip(): tuple(map(str.strip, cells)) for cells in table}
    found = {id: Figures(inputs, rows[id], tuple(caught.split())) for id, inputs, caught in _EXERCISE.findall(block[0])}
    return Published(block[1], found)


def to_measure(which: str, course: Course, inputs: Mapping[str, str]) -> list[str]:
    """Return the exercises of "all", of "changed" (since the page was written), or the named one.

    Raises:
        CourseError: there is no exercise of this name, or it has no suite.
    """
    if which in ("all", "changed"):
        known = published(course).exercises if which == "changed" else {}
        return [id for id, current in inputs.items() if id not in known or known[id].inputs != current]
    exercise = course.exercise(which)
    if exercise.id not in inputs:
        raise CourseError(f"{exercise.id}: students write no code there, so there is no suite to measure")
    return [exercise.id]


def publish(course: Course, evidence: Sequence[SuiteEvidence], inputs: Mapping[str, str], engine: str) -> Path:
    """Write the figures into the page, between its two marks; the text around them stays.

    evidence: the exercises that were measured; the figures of the others stay.
    inputs: the hash of each exercise's files from before it was measured. engine: that of the engine.

    Raises:
        CourseError: the page has lost its marks.
    """
    page = course.root / PAGE
    known = published(course)
    measured = {e.exercise: figures(e, inputs[e.exercise]) for e in evidence}
    ids = [e.id for e in course.exercises if e.kind == "code"]
    parts = {id: found for id in ids if (found := measured.get(id) or known.exercises.get(id))}
    block = "\n".join(_block(parts, mutants(course), engine if measured.keys() == parts.keys() else known.engine))
    text = page.read_text(encoding="utf-8") if page.is_file() else "# Judgement\n\n" + BEGIN.format("") + END + "\n"
    text, count = _BLOCK.subn(lambda _: block, text)
    if count != 1:
        raise CourseError(f"{page}: needs the marks {BEGIN.format('')!r} and {END!r}, once each")
    page.parent.mkdir(exist_ok=True)
    page.write_text(text, encoding="utf-8")
    return page


def _block(parts: Mapping[str, Figures], known: Mapping[str, Mutants], engine: str) -> list[str]:
    """Return the lines between the marks, and the marks."""
    rows = []
    for id, f in parts.items():
        m = known.get(id, Mutants())
        counted = (str(m.killed + m.equivalent + m.survived), str(m.killed), str(m.equivalent))
        rows.append((*f.row[: OF_MUTANTS.start], *counted, *f.row[OF_MUTANTS.stop :]))
    total = ["all", *(str(sum(int(row[i]) for row in rows)) for i in range(1, len(HEAD) - 1)), ""]
    lines = [BEGIN.format(engine), "", *table([HEAD, *rows, total]), ""]
    lines += [f"<!-- {id}: {f.inputs}: {' '.join(f.caught)} -->" for id, f in parts.items()]
    return [*lines, END]


def figures(e: SuiteEvidence, inputs: str) -> Figures:
    """Return an exercise's part of the page, whose figures of mutants are written with the page."""
    named = [c.named for c in e.misconceptions]
    counts = [
        e.checks, len(named), sum(c.checks > 1 for c in e.misconceptions),
        *(named.count(kind) for kind in ("alone", "pair", "other", "none")),
        *[""] * (OF_MUTANTS.stop - OF_MUTANTS.start),
        len(e.alternatives), sum(not a.failed for a in e.alternatives), e.seeds,
    ]  # fmt: skip
    return Figures(inputs, (e.exercise, *map(str, counts)), tuple(map(marked, e.misconceptions)))


def marked(c: Caught) -> str:
    """Return how many checks catch a misconception, in the form of `Figures.caught`."""
    return f"{c.checks}+" if c.named == "pair" else str(c.checks)


def details(e: SuiteEvidence) -> list[str]:
    """Return one exercise in full: how many checks catch each misconception, the diagnosis, each right solution."""
    rows = [("misconception", f"caught by (of {e.checks})", "diagnosis")]
    rows += [(f"`{c.name}`", str(c.checks), verdict(c)) for c in e.misconceptions]
    full = [a.name for a in e.alternatives if not a.failed]
    lines = [*table(rows), "", f"Right solutions with full marks at every seed: {', '.join(full) or 'none'}."]
    lines += [f"**{a.name}** fails at seeds {', '.join(map(str, a.failed))}." for a in e.alternatives if a.failed]
    return lines
