"""`grader export`: the points of a class in the files that gradebooks take."""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader import console
from grader.errors import CourseError

if TYPE_CHECKING:
    from grader.exports import Entry

TO = ("csv", "canvas", "moodle", "gradescope", "junit")
NAMED = 20  # in a list on the terminal


def add(commands: Any) -> None:
    """Describe the command to the parser."""
    export = console.command(commands, "export", run_export, "write the points of a class for a gradebook")
    export.add_argument("results", type=Path, metavar="RESULTS", help="the folder that `grader grade` wrote")
    export.add_argument("--to", required=True, choices=TO, help="who is to read it")
    export.add_argument("--out", type=Path, metavar="DIR", help="where the files go (default: RESULTS/export)")
    export.add_argument("--roster", type=Path, metavar="CSV", help="the class list, as the platform exports it")
    export.add_argument("--key", metavar="COLUMN", help="the roster's column that holds what hand-ins are called")
    export.add_argument("--column", metavar="NAME", help="the column of the total (default: the course's title)")
    export.add_argument("--each", action="store_true", help="a column for each exercise too")
    export.add_argument("--times", type=Path, metavar="CSV", help="when each handed in: columns student, time")


def run_export(options: argparse.Namespace) -> int:
    from grader import aftermath, disk, exports, late, roster, tally
    from grader import course as courses

    course = courses.find(options.course)
    folder = options.results / "reports"
    if not folder.is_dir():
        raise CourseError(f"{options.results}: no folder reports in it; name the --out folder of `grader grade`")
    entries, damaged = [], []
    charge = late.charge(course.settings.late, course.settings.due, options.times) if options.times else late.in_time
    for name, found in tally.reports(folder):
        if isinstance(found, str):
            damaged.append(f"{name}.json: {found}")
        else:
            points = exports.without_checks(found)
            entries.append(exports.Entry(points, name, {}, *charge(found.student, found.score)))
    absent: Sequence[str] = ()
    strangers: list[Entry] = []
    if options.roster:
        matches = roster.match(roster.read(options.roster, options.key), [e.report.student for e in entries])
        entries, strangers = exports.with_lines(entries, matches.lines)
        absent = matches.absent
    here = [*entries, *(() if options.to in exports.NEED_A_LINE else strangers)]
    titles = {e.id: e.title.to(options.lang) for e in course.exercises} if options.each else {}
    columns = exports.Columns(options.column or course.settings.title.to(options.lang), titles)
    target, names = options.out or options.results / "export", []
    whole = whole_again(here, folder) if options.to in exports.NEED_CHECKS else here
    for name, text in exports.FORMATS[options.to](whole, columns):
        disk.write(target / name, text)
        names.append(name)
    if strangers:
        disk.write(target / "unmatched.csv", next(exports.plain(strangers, columns))[1])
    where = target / names[0] if len(names) == 1 else f"{len(names)} files in {target}"
    print(f"exported {len(here)} of {len(entries) + len(strangers)} students: {where}")
    told("not in the roster, so in unmatched.csv", [e.report.student for e in strangers])
    told("in the roster, but without a report", absent)
    told("not graded, see `grader report`", [f.student for f in aftermath.faults(options.results)])
    told("no report, so left out", damaged)
    told("not in --times, so taken to be in time", [e.report.student for e in here if options.times and e.late is None])
    told("names changed, since spreadsheets would run them", exports.altered(here))
    return 0


def whole_again(entries: Sequence[Entry], folder: Path) -> Iterator[Entry]:
    """The entries with their checks, read one at a time: those of a large class would not fit into memory."""
    from grader.report import Report

    for entry in entries:
        text = (folder / f"{entry.file}.json").read_text(encoding="utf-8")
        yield dataclasses.replace(entry, report=Report.from_json(text))


def told(what: str, names: Sequence[str]) -> None:
    """Print a list under what it means, nothing if it is empty."""
    if names:
        more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
        print(f"{len(names)} {what}: {', '.join(names[:NAMED])}{more}")
