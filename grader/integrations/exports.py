"""Reports in the columns and files that gradebooks take: Canvas, Moodle, Gradescope, JUnit, plain CSV."""

from __future__ import annotations

import dataclasses
import itertools
import json
import re
import xml.etree.ElementTree as xml
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from grader.course import Course, LatePenalty, hours
from grader.errors import CourseError
from grader.intake import Line, roster
from grader.intake.roster import Matches, Roster
from grader.integrations import own_columns
from grader.report import Check, ExerciseReport, Report, as_csv, class_tally, defused, oral_exam, total

CANVAS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
MOODLE = ("Username", "ID number", "Email address")
POINTS_POSSIBLE = "Points Possible"
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclasses.dataclass(frozen=True)
class Exported:
    """One student to export: the report, its file's name without ending, the line of the class list, the points
    that count. `late` is how many seconds after the due date the submission came, None where nobody knows.
    """

    report: Report
    file: str
    line: Line
    counts: float
    late: float | None = None


@dataclasses.dataclass(frozen=True)
class Columns:
    """What the columns of points are called: the total, and each exercise by id if they are wanted too; and the line
    of the points possible.
    """

    total: str
    exercises: Mapping[str, str]
    possible: str = POINTS_POSSIBLE


Files = Iterator[tuple[str, str]]  # name and content, one after another
Export = Callable[[Iterable[Exported], Columns], Files]


def collected(folder: Path, charged: LatePenalty) -> tuple[list[Exported], list[str]]:
    """What each report of a folder comes to, its checks left out, and the files that are no report, with the reason."""
    entries, damaged = [], []
    for name, found in class_tally.reports(folder):
        if isinstance(found, str):
            damaged.append(f"{name}.json: {found}")
        else:
            counts, late = charged(found.student, {e.id: e.score for e in found.exercises})
            entries.append(Exported(without_checks(found), name, {}, counts, late))
    return entries, damaged


def matched(
    entries: Sequence[Exported], lines: Roster, people: Mapping[str, Line], named: Path
) -> tuple[list[Exported], list[Exported], Matches]:
    """The entries with their lines of the class list, those that have none, and how they were found.

    Raises:
        CourseError: the list, which is in the file `named`, has none of them.
    """
    students = [e.report.student for e in entries]
    found = roster.match(lines, students, people)
    if entries and not found.lines:
        raise CourseError(
            f"{named}: none of its {len(lines.lines)} lines names one of {len(entries)} students: its columns "
            f"{', '.join(lines.columns)} were compared with names like {students[0]!r}"
        )
    here = [e for e in entries if e.report.student in found.lines]
    strangers = [e for e in entries if e.report.student not in found.lines]
    return [dataclasses.replace(e, line=found.lines[e.report.student]) for e in here], strangers, found


def columns_for(entries: Sequence[Exported], course: Course, lang: str, title: str | None, each: bool) -> Columns:
    """What the columns are called: `title`, or else as the course is, and if wanted `each` exercise."""
    graded = {e.id for entry in entries for e in entry.report.exercises}
    titles = {e.id: e.title.to(lang) for e in course.exercises if e.id in graded}
    titles |= {oral_exam.ID: oral_exam.TITLE.to(lang)} if oral_exam.ID in graded else {}
    return Columns(title or course.settings.title.to(lang), titles if each else {})


def without_checks(report: Report) -> Report:
    """The report with its points only; of a large class that is much less to hold."""
    return msgspec.structs.replace(
        report, exercises=tuple(msgspec.structs.replace(e, checks=(), stdout="") for e in report.exercises)
    )


def altered(entries: Iterable[Exported]) -> list[str]:
    """The names in these entries that are written otherwise, since a spreadsheet would take them for formulas."""
    names = (name for e in entries for name in (e.report.student, *e.line.values()))
    return sorted({name for name in names if defused(name) != name})


def on_other_scales(entries: Iterable[Exported]) -> list[str]:
    """Whose line of Moodle's worksheet has another maximum than the points are of."""

    entries = list(entries)
    worksheet = own_columns.worksheet([e.line for e in entries])

    def most(entry: Exported) -> float:
        try:
            return float((entry.line[worksheet.maximum] if worksheet else "").replace(",", "."))
        except ValueError:  # a scale of words, or no worksheet at all
            return entry.report.max_score

    return [e.report.student for e in entries if abs(most(e) - e.report.max_score) > 0.005]


def plain(entries: Iterable[Exported], columns: Columns) -> Files:
    """Everything there is, a line a student, with the columns of the class list first."""
    entries = list(entries)
    known = list(dict.fromkeys(c for e in entries for c in e.line if c != "student"))
    ids = list(dict.fromkeys(x.id for e in entries for x in e.report.exercises))
    late = ["hours_late", "points_that_count"] if any(e.late is not None for e in entries) else []
    rows: list[list[Any]] = [["student", *known, "status", "score", "max_score", *late, *ids, "reason"]]
    for entry in entries:
        report, scores = entry.report, {x.id: x.score for x in entry.report.exercises}
        charged = [hours(entry.late), entry.counts] if late else []
        rows.append(
            [report.student, *(entry.line.get(c, "") for c in known), report.status, report.score, report.max_score,
             *charged, *(scores.get(i, "") for i in ids), report.reason or ""]
        )  # fmt: skip
    yield "grades.csv", table(rows)


def canvas(entries: Iterable[Exported], columns: Columns) -> Files:
    """Canvas's gradebook import: five columns that say who, one for each assignment, and the points possible."""
    entries = list(entries)
    most = {x.id: x.max_score for e in entries for x in e.report.exercises}
    possible = max((e.report.max_score for e in entries), default=0.0)
    titles = [columns.total, *columns.exercises.values()]
    who_is_who = own_columns.gradebook([e.line for e in entries]) or CANVAS
    rows: list[list[Any]] = [[*who_is_who, *titles]]
    rows.append(
        [
            f"    {columns.possible}",
            *[""] * (len(who_is_who) - 1),
            possible,
            *(most.get(i, "") for i in columns.exercises),
        ]
    )
    for entry in entries:
        who = {"Student": entry.report.student, "SIS Login ID": entry.report.student} | dict(entry.line)
        rows.append([*(who.get(c, "") for c in who_is_who), entry.counts, *_scores(entry, columns)])
    yield "canvas.csv", table(rows)


def moodle(entries: Iterable[Exported], columns: Columns) -> Files:
    """Moodle's grading worksheet, filled in, where the class list is one; else a table for its grade import: what
    identifies a user, then a column of points to map to each grade item.
    """
    entries = list(entries)
    lines = [e.line for e in entries]
    if worksheet := own_columns.worksheet(lines):
        heading = list(lines[0])
        filled = [[str(e.counts) if c == worksheet.grade else e.line[c] for c in heading] for e in entries]
        yield "moodle.csv", table([heading, *filled])
        return
    known = [c for c in MOODLE if any(line.get(c) for line in lines)] or own_columns.identities(lines) or ["Username"]
    rows: list[list[Any]] = [[*known, columns.total, *columns.exercises.values()]]
    for entry in entries:
        who = {"Username": entry.report.student} | dict(entry.line)
        rows.append([*(who.get(c, "") for c in known), entry.counts, *_scores(entry, columns)])
    yield "moodle.csv", table(rows)


def gradescope(entries: Iterable[Exported], columns: Columns) -> Files:
    """A results.json of Gradescope's autograder for each student, by the name of the report's file."""
    for entry in entries:
        yield f"gradescope/{entry.file}.json", _results(entry)


def junit(entries: Iterable[Exported], columns: Columns) -> Files:
    """JUnit's XML: a file for each student, a suite for each exercise, a case for each check."""
    for entry in entries:
        suites = xml.Element("testsuites", name=_xml(entry.report.student))
        suites.extend(_suite(entry.report, exercise) for exercise in entry.report.exercises)
        xml.indent(suites)
        content = xml.tostring(suites, encoding="unicode")
        yield f"junit/{entry.file}.xml", f'<?xml version="1.0" encoding="UTF-8"?>\n{content}\n'


def table(rows: Sequence[Sequence[Any]]) -> str:
    """CSV whose texts no spreadsheet takes for formulas."""
    return as_csv([defused(c) if isinstance(c, str) and not c.startswith("    ") else c for c in row] for row in rows)


def _scores(entry: Exported, columns: Columns) -> list[float | str]:
    """Points by exercise, cut as the total is; nothing for what was not graded."""
    share = entry.counts / entry.report.score if entry.report.score else 1.0
    scores = {x.id: round(x.score * share, 4) for x in entry.report.exercises}
    return [scores.get(i, "") for i in columns.exercises]


def _results(entry: Exported) -> str:
    """One test for each exercise; see https://gradescope-autograders.readthedocs.io/en/latest/specs/ for the format."""
    tests = [
        {
            "name": exercise.id,
            "number": str(number),
            "score": exercise.score,
            "max_score": exercise.max_score,
            **_status(exercise),
            "output": "\n".join(_told(exercise)),
            "output_format": "text",
        }
        for number, exercise in enumerate(entry.report.exercises, 1)
    ]
    results = {"score": entry.counts, "output": entry.report.reason or "", "output_format": "text", "tests": tests}
    return json.dumps(results, ensure_ascii=False, indent=1)


def _status(exercise: ExerciseReport) -> dict[str, str]:
    """Whether it passed; nothing as long as a person has the last word."""
    return {} if exercise.status == "waiting" else {"status": "passed" if exercise.status == "passed" else "failed"}


def _told(exercise: ExerciseReport) -> Iterator[str]:
    """What a student reads about an exercise: what the mistake is, then its checks, dtypes together."""
    yield from (d.message for d in exercise.diagnoses)
    if exercise.reason and not (exercise.checks and exercise.diagnoses):
        yield exercise.reason
    for title, group in itertools.groupby(exercise.checks, lambda c: c.title):
        same = list(group)
        failed = [c for c in same if c.failed]
        score, most = total(c.points for c in same), total(c.max_points for c in same)
        yield f"{'✘' if failed else '✔'} {score:g} / {most:g}  {title}"
        yield from dict.fromkeys(f"    {line}" for c in failed[:1] for line in c.reason.splitlines())


def _cases(exercise: ExerciseReport) -> Sequence[Check]:
    """The checks; for an exercise that had none, such as a missing one, a check that stands for all of it."""
    whole = Check(exercise.id, exercise.id, "failed", exercise.score, exercise.max_score, exercise.reason or "", 0.0)
    return exercise.checks or (whole,)


def _suite(report: Report, exercise: ExerciseReport) -> xml.Element:
    cases = _cases(exercise)
    kinds = {"passed": None, "skipped": "skipped", "failed": "failure"}
    found = [kinds.get(c.verdict, "error") for c in cases]
    suite = xml.Element(
        "testsuite", name=_xml(f"{report.student}: {exercise.id}"), tests=str(len(cases)),
        failures=str(found.count("failure")), errors=str(found.count("error")), skipped=str(found.count("skipped")),
        time=f"{sum(c.seconds for c in cases):.4f}",
    )  # fmt: skip
    for check, kind in zip(cases, found, strict=True):
        name = {"classname": _xml(f"{report.student}.{exercise.id}"), "name": _xml(check.id)}
        case = xml.SubElement(suite, "testcase", name, time=f"{check.seconds:.4f}")
        if kind:
            told = xml.SubElement(case, kind, message=_xml(check.reason.partition("\n")[0]), type=check.verdict)
            told.text = _xml(check.reason)
    if exercise.stdout:
        printed = "\n".join(f"│ {line}" for line in exercise.stdout.splitlines())  # none is a line of the build's log
        xml.SubElement(suite, "system-out").text = _xml(printed)
    return suite


def _xml(text: str) -> str:
    """Without the characters that XML cannot hold."""
    return _NOT_XML.sub("?", text)


FORMATS: Mapping[str, Export] = {
    "csv": plain, "canvas": canvas, "moodle": moodle, "gradescope": gradescope, "junit": junit,
}  # fmt: skip
NEED_A_LINE = ("canvas", "moodle")  # they refuse a file with a student whom they do not know
NEED_CHECKS = ("gradescope", "junit")
