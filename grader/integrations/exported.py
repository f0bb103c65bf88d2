"""Prepares each student of a class for a gradebook: the points that count, the person, what is not final."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

from grader.course import Course, LatePenalty, total
from grader.errors import CourseError
from grader.intake import Line, roster
from grader.intake.roster import Matches
from grader.integrations import own_columns
from grader.report import ClassList, ExerciseReport, Report, class_tally, defused, oral_exam, redact

REJECTED, WAITING, FAULTY = "rejected", "waiting", "not graded"  # why points are not final
POINTS_POSSIBLE = "Points Possible"
LONGEST = 200  # characters of a column's name; Canvas takes 255


@dataclasses.dataclass(frozen=True)
class Exported:
    """One student to export: the report, its file's name without ending, the line of the class list.

    Attributes:
        counts: the points that count, None if they are not final.
        scores: the same for each exercise.
        late: how many seconds after the due date the submission came, None if that is not known.
        unfinished: why something is not final, "" if everything is.
        blank: the exercises whose points are not final.
        edited: True if a person has changed the report.
    """

    report: Report
    file: str
    line: Line
    counts: float | None
    scores: Mapping[str, float | None]
    late: float | None = None
    unfinished: str = ""
    blank: frozenset[str] = frozenset()
    edited: bool = False


@dataclasses.dataclass(frozen=True)
class Columns:
    """The names of the columns of points: the total, and each exercise by id if they are wanted, too; the points
    possible in all, and for each exercise, in the course's numbers; the language; and the line of the points possible.
    """

    total: str
    exercises: Mapping[str, str]
    most_in_all: float
    most: Mapping[str, float]
    lang: str = "en"
    possible: str = POINTS_POSSIBLE


def collected(
    folder: Path, charged: LatePenalty, level: str, faulty: Collection[str] = (), zero: bool = False
) -> tuple[list[Exported], list[str]]:
    """Return the points of each report of a folder, without its checks, and damaged files with the reasons.

    Args:
        level: the feedback that leaves with the files.
        faulty: the students whom the last batch could not grade; their reports are of an earlier one.
        zero: unusable submissions and answers that wait for a person have no points; else they are left open.
    """
    entries, damaged = [], []
    for name, found in class_tally.reports(folder):
        if isinstance(found, str):
            damaged.append(f"{name}.json: {found}")
        else:
            entries.append(_exported(redact(found, level), name, charged, found.student in faulty, zero))
    return sorted(entries, key=lambda e: e.report.student), damaged


def _exported(report: Report, file: str, charged: LatePenalty, faulty: bool, zero: bool) -> Exported:
    waits = frozenset(e.id for e in report.exercises if _waits(e))
    unfinished = FAULTY if faulty else REJECTED if report.status == REJECTED else WAITING if waits else ""
    whole = frozenset(e.id for e in report.exercises) if unfinished != WAITING else waits
    blank = whole if faulty or (unfinished and not zero) else frozenset[str]()
    final = not unfinished or (zero and not faulty)
    student, raw = report.student, {e.id: e.score for e in report.exercises}
    counts, late = charged(student, raw)
    scores = {i: None if i in blank else charged.of_exercise(student, i, score) for i, score in raw.items()}
    facts = (counts if final else None, scores, late, unfinished, blank, not report.sums_up)
    return Exported(without_checks(report), file, {}, *facts)


def _waits(exercise: ExerciseReport) -> bool:
    """Return True if a person has the last word on a part of it, and has not given it."""
    return exercise.status == WAITING or any(c.answer is not None and not c.graded for c in exercise.checks)


def matched(
    entries: Sequence[Exported], listed: ClassList, people: Mapping[str, Line]
) -> tuple[list[Exported], list[Exported], Matches]:
    """Return the entries with their lines of the class list, in its order; those without; and the matches.

    Raises:
        CourseError: the list has none of them.
    """
    students = [e.report.student for e in entries]
    found = roster.match(listed, students, people)
    if entries and not found.lines:
        raise CourseError(
            f"{listed.file}: none of its {len(listed.lines)} lines names one of {len(entries)} students: its columns "
            f"{', '.join(listed.columns)} were compared with names like {students[0]!r}"
        )
    place = {id(line): number for number, line in enumerate(listed.lines)}
    here = [
        dataclasses.replace(e, line=found.lines[e.report.student]) for e in entries if e.report.student in found.lines
    ]
    strangers = [e for e in entries if e.report.student not in found.lines]
    return sorted(here, key=lambda e: place[id(e.line)]), strangers, found


def columns_for(
    entries: Sequence[Exported], course: Course, lang: str, title: str | None, each: bool, graded: Sequence[str]
) -> Columns:
    """Return the columns' names: `title`, or else the title of what was graded, and if wanted `each` exercise.

    Args:
        graded: the ids of the exercises; if they were not recorded, those in the reports.
    """
    worth: dict[str, float] = {}
    for exercise in (x for entry in entries for x in entry.report.exercises):
        worth[exercise.id] = max(worth.get(exercise.id, 0.0), exercise.max_score)
    points = {e.id: float(e.points) for e in course.exercises if e.id in worth or e.id in graded}
    most = worth | points
    titles = {e.id: e.title.to(lang) for e in course.exercises if e.id in points}
    titles |= {oral_exam.ID: oral_exam.TITLE.to(lang)} if oral_exam.ID in worth else {}
    possible = total(most.values())
    return Columns(title or _title(course, points, lang), titles if each else {}, possible, most, lang)


def _title(course: Course, graded: Collection[str], lang: str) -> str:
    """Return the course's title, and for a part of it the units that were graded, and exercises of others."""
    title = course.settings.title.to(lang)
    if all(e.id in graded for e in course.exercises):
        return title
    parts = []
    for unit in course.settings.units:
        ids = [e.id for e in unit.exercises]
        parts += [unit.title.to(lang)] if ids and all(i in graded for i in ids) else [i for i in ids if i in graded]
    named = f"{title}: {', '.join(parts)}"
    return named if len(named) <= LONGEST else f"{title}: {parts[0]} – {parts[-1]} ({len(parts)})"


def without_checks(report: Report) -> Report:
    """Return the report with its points only; for a large class that saves much memory."""
    return msgspec.structs.replace(
        report, exercises=tuple(msgspec.structs.replace(e, checks=(), stdout="") for e in report.exercises)
    )


def altered(entries: Iterable[Exported]) -> list[str]:
    """Return the names that are written otherwise, since a spreadsheet would take them for formulas."""
    names = (name for e in entries for name in (e.report.student, *e.line.values()))
    return sorted({name for name in names if defused(name) != name})


def on_other_scales(entries: Iterable[Exported], possible: float) -> list[str]:
    """Return the students whose line of Moodle's worksheet has another maximum than their points."""
    entries = list(entries)
    worksheet = own_columns.worksheet([e.line for e in entries])

    def most(entry: Exported) -> float:
        try:
            return float((entry.line[worksheet.maximum] if worksheet else "").replace(",", "."))
        except ValueError:  # a scale of words, or no worksheet at all
            return possible

    return [e.report.student for e in entries if abs(most(e) - possible) > 0.005]
