"""Writes reports in the columns and files of gradebooks: Canvas, Moodle, Gradescope, JUnit, plain CSV."""

from __future__ import annotations

import itertools
import json
import xml.etree.ElementTree as xml
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from grader.course import hours
from grader.integrations import own_columns
from grader.integrations.exported import Columns, Exported
from grader.integrations.markup import document, node
from grader.report import Check, ExerciseReport, Report, as_csv, defused, total
from grader.texts import NOTHING, Text
from grader.texts import plain as words

CANVAS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
MOODLE = ("Username", "ID number", "Email address")


Files = Iterator[tuple[str, str]]  # name and content, one after another
Export = Callable[[Iterable[Exported], Columns], Files]


def plain(entries: Iterable[Exported], columns: Columns) -> Files:
    """Return everything, one line per student, the columns of the class list first; no points that are not final."""
    entries = list(entries)
    known = list(dict.fromkeys(c for e in entries for c in e.line if c != "student"))
    ids = list(dict.fromkeys(x.id for e in entries for x in e.report.exercises))
    late = ["hours_late", "points_that_count"] if any(e.late is not None for e in entries) else []
    rows: list[list[Any]] = [["student", *known, "status", "score", "max_score", *late, *ids, "reason"]]
    for entry in entries:
        report, left = entry.report, entry.blank
        scores = {x.id: "" if x.id in left else x.score for x in report.exercises}
        charged = [hours(entry.late), cell(entry.counts)] if late else []
        rows.append(
            [report.student, *(entry.line.get(c, "") for c in known), entry.unfinished or report.status,
             "" if left else report.score, report.max_score, *charged, *(scores.get(i, "") for i in ids),
             said(report.reason, columns)]
        )  # fmt: skip
    yield "grades.csv", table(rows)


def canvas(entries: Iterable[Exported], columns: Columns) -> Files:
    """Return Canvas's gradebook import: five columns about the person, one for each assignment, the points possible."""
    entries = list(entries)
    titles = [columns.total, *columns.exercises.values()]
    who_is_who = own_columns.gradebook([e.line for e in entries]) or CANVAS
    rows: list[list[Any]] = [[*who_is_who, *titles]]
    nobody = [""] * (len(who_is_who) - 1)
    possible = columns.most_in_all, *(columns.most[i] for i in columns.exercises)
    rows.append([f"    {columns.possible}", *nobody, *possible])
    for entry in entries:
        who = {"Student": entry.report.student, "SIS Login ID": entry.report.student} | dict(entry.line)
        rows.append([*(who.get(c, "") for c in who_is_who), cell(entry.counts), *_scores(entry, columns)])
    yield "canvas.csv", table(rows)


def moodle(entries: Iterable[Exported], columns: Columns) -> Files:
    """Return Moodle's grading worksheet, filled in, if the class list is one; else a table for its grade import: the
    columns that identify a user, then a column of points to map to each grade item.
    """
    entries = list(entries)
    lines = [e.line for e in entries]
    if worksheet := own_columns.worksheet(lines):
        heading = list(lines[0])
        filled = [[str(cell(e.counts)) if c == worksheet.grade else e.line[c] for c in heading] for e in entries]
        yield "moodle.csv", table([heading, *filled])
        return
    known = [c for c in MOODLE if any(line.get(c) for line in lines)] or own_columns.identities(lines) or ["Username"]
    rows: list[list[Any]] = [[*known, columns.total, *columns.exercises.values()]]
    for entry in entries:
        who = {"Username": entry.report.student} | dict(entry.line)
        rows.append([*(who.get(c, "") for c in known), cell(entry.counts), *_scores(entry, columns)])
    yield "moodle.csv", table(rows)


def gradescope(entries: Iterable[Exported], columns: Columns) -> Files:
    """Return a results.json of Gradescope's autograder for each student with final points, by the report's name."""
    for entry in entries:
        if entry.counts is not None:
            yield f"gradescope/{entry.file}.json", _results(entry, entry.counts, columns)


def junit(entries: Iterable[Exported], columns: Columns) -> Files:
    """Return JUnit's XML: a file for each student, a suite for each exercise, a case for each check."""
    for entry in entries:
        suites = [_suite(entry.report, exercise, columns) for exercise in entry.report.exercises]
        whole = node("testsuites", *suites, name=entry.report.student)
        yield f"junit/{entry.file}.xml", document(whole, instead="?").decode()


def table(rows: Sequence[Sequence[Any]]) -> str:
    """Return CSV whose texts no spreadsheet takes for formulas."""
    return as_csv([defused(c) if isinstance(c, str) and not c.startswith("    ") else c for c in row] for row in rows)


def cell(points: float | None) -> float | str:
    """Return points as a cell of a table; an empty one if they are not final."""
    return "" if points is None else points


def _scores(entry: Exported, columns: Columns) -> list[float | str]:
    """Return the points that count by exercise; nothing for what was not graded."""
    return [cell(entry.scores.get(i)) for i in columns.exercises]


def said(text: Text | None, columns: Columns) -> str:
    """Return a sentence in the language of the files."""
    return text.to(columns.lang) if text else ""


def _results(entry: Exported, counts: float, columns: Columns) -> str:
    """Return one test for each exercise; see https://gradescope-autograders.readthedocs.io/en/latest/specs/."""
    tests = [
        {
            "name": exercise.id,
            "number": str(number),
            "score": exercise.score,
            "max_score": exercise.max_score,
            **_status(exercise),
            "output": "\n".join(_told(exercise, columns)),
            "output_format": "text",
        }
        for number, exercise in enumerate(entry.report.exercises, 1)
    ]
    output = said(entry.report.reason, columns)
    results = {"score": counts, "output": output, "output_format": "text", "tests": tests}
    return json.dumps(results, ensure_ascii=False, indent=1)


def _status(exercise: ExerciseReport) -> dict[str, str]:
    """Return the status of an exercise; none as long as a person has the last word."""
    return {} if exercise.status == "waiting" else {"status": "passed" if exercise.status == "passed" else "failed"}


def _told(exercise: ExerciseReport, columns: Columns) -> Iterator[str]:
    """Yield the lines about an exercise for a student: the mistake, then its checks, dtypes together."""
    yield from (said(exercise.told(d), columns) for d in exercise.diagnoses)
    if exercise.reason and not (exercise.checks and exercise.diagnoses):
        yield said(exercise.reason, columns)
    for title, group in itertools.groupby(exercise.checks, lambda c: c.title):
        same = list(group)
        failed = [c for c in same if c.failed]
        score, most = total(c.points for c in same), total(c.max_points for c in same)
        yield f"{'✘' if failed else '✔'} {score:g} / {most:g}  {said(title, columns)}"
        yield from dict.fromkeys(f"    {line}" for c in failed[:1] for line in _why(c, columns).splitlines())


def _why(check: Check, columns: Columns) -> str:
    """Return the reason of a check, with the values that may be shown."""
    return "\n".join(filter(None, (said(check.reason, columns), said(check.values, columns))))


def _cases(exercise: ExerciseReport) -> Sequence[Check]:
    """Return the checks; for an exercise without any, such as a missing one, a check that stands for all of it."""
    reason = exercise.reason or NOTHING
    whole = Check(exercise.id, words(exercise.id), "failed", exercise.score, exercise.max_score, reason)
    return exercise.checks or (whole,)


def _suite(report: Report, exercise: ExerciseReport, columns: Columns) -> xml.Element:
    cases = _cases(exercise)
    refused = report.status == "rejected"  # nothing of it was tried
    kinds = {"passed": None, "skipped": "skipped", "failed": "error" if refused else "failure"}
    found = [kinds.get(c.verdict, "error") for c in cases]
    suite = xml.Element(
        "testsuite", name=f"{report.student}: {exercise.id}", tests=str(len(cases)),
        failures=str(found.count("failure")), errors=str(found.count("error")), skipped=str(found.count("skipped")),
        time=f"{sum(c.seconds for c in cases):.4f}",
    )  # fmt: skip
    for check, kind in zip(cases, found, strict=True):
        name = {"classname": f"{report.student}.{exercise.id}", "name": check.id}
        case = xml.SubElement(suite, "testcase", name, time=f"{check.seconds:.4f}")
        if kind:
            why = _why(check, columns)
            told = xml.SubElement(case, kind, message=why.partition("\n")[0], type=check.verdict)
            told.text = why
    if exercise.stdout:
        printed = "\n".join(f"│ {line}" for line in exercise.stdout.splitlines())  # none is a line of the build's log
        xml.SubElement(suite, "system-out").text = printed
    return suite


FORMATS: Mapping[str, Export] = {
    "csv": plain, "canvas": canvas, "moodle": moodle, "gradescope": gradescope, "junit": junit,
}  # fmt: skip
NEED_A_LINE = ("canvas", "moodle")  # they refuse a file with a student whom they do not know
NEED_CHECKS = ("gradescope", "junit")
