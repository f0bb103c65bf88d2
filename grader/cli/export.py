"""`grader export`: the points of a class in the files that gradebooks take."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader import whole_files
from grader.cli import common
from grader.course import Course, LatePenalty, late_penalty
from grader.course import course as courses
from grader.intake import roster
from grader.intake import times as recorded
from grader.report import Report, results

if TYPE_CHECKING:
    from grader.integrations.exports import Exported

TO = ("csv", "canvas", "moodle", "gradescope", "junit")
NAMED = 20  # in a list on the terminal
OTHER_SCALE = (
    "whose maximum grade in the worksheet is not what the points are of, and points are not scaled; set it in Moodle"
)


@dataclasses.dataclass(frozen=True)
class ExportOptions(common.TimedOptions):
    """What `grader export` is asked for."""

    results: Path
    to: str
    out: Path | None
    roster: Path | None
    key: str | None
    column: str | None
    each: bool


def add(commands: Any) -> None:
    """Describe the command to the parser."""
    export = common.command(
        commands, "export", ExportOptions, run_export, "write the points of a class for a gradebook"
    )
    export.add_argument("results", type=Path, metavar="RESULTS", help="the folder that `grader grade` wrote")
    export.add_argument("--to", required=True, choices=TO, help="who is to read it")
    export.add_argument("--out", type=Path, metavar="DIR", help="where the files go (default: RESULTS/export)")
    export.add_argument("--roster", type=Path, metavar="CSV", help="the class list, as the platform exports it")
    export.add_argument("--key", metavar="COLUMN", help="the roster's column that holds what to call students")
    export.add_argument("--column", metavar="NAME", help="the column of the total (default: the course's title)")
    export.add_argument("--each", action="store_true", help="a column for each exercise too")
    export.add_argument("--times", type=Path, metavar="CSV", help="when each handed in: columns student, time")
    export.add_argument("--extensions", type=Path, metavar="CSV", help="who has more time: columns student, due, unit")


def run_export(options: ExportOptions) -> int:
    from grader.integrations import exports

    course = courses.find(options.course)
    folder = common.reports_in(options.results)
    entries, damaged = exports.collected(folder, penalty(options.results, options, course))
    people = {h.student: h.person for h in results.handed(options.results)}
    strangers: list[Exported] = []
    absent: Sequence[str] = ()
    possible = exports.POINTS_POSSIBLE
    if options.roster:
        lines = roster.read(options.roster, options.key)
        entries, strangers, found = exports.matched(entries, lines, people, options.roster)
        absent, possible = found.absent, lines.possible or possible
        for said in roster.told(found.taken, len(entries) + len(strangers)):
            print(said.to(options.lang))
    here = [*entries, *(() if options.to in exports.NEED_A_LINE else strangers)]
    columns = exports.columns_for(entries, course, options.lang, options.column, options.each)
    columns = dataclasses.replace(columns, possible=possible)
    target, names = options.out or options.results / "export", []
    whole = whole_again(here, folder) if options.to in exports.NEED_CHECKS else here
    for name, text in exports.FORMATS[options.to](whole, columns):
        whole_files.write(target / name, text)
        names.append(name)
    if strangers:
        whole_files.write(target / "unmatched.csv", next(exports.plain(strangers, columns))[1])
    where = target / names[0] if len(names) == 1 else f"{len(names)} files in {target}"
    print(f"exported {len(here)} of {len(entries) + len(strangers)} students: {where}")
    told("not in the roster, so in unmatched.csv", [e.report.student for e in strangers])
    told("in the roster, but without a report", absent)
    told("not graded, see `grader report`", [f.student for f in results.faults(options.results)])
    told("no report, so left out", damaged)
    timed = options.times or any(e.late is not None for e in here)
    told("without a time, so taken to be in time", [e.report.student for e in here if timed and e.late is None])
    if options.to == "moodle":
        told(OTHER_SCALE, exports.on_other_scales(here))
    told("names changed, since spreadsheets would run them", exports.altered(here))
    return 0


def penalty(folder: Path, options: common.TimedOptions, course: Course) -> LatePenalty:
    """What lateness leaves of the points, by --times or by what the platform said when this was graded."""
    extensions = recorded.extensions(options.extensions) if options.extensions else []
    if options.times:
        return late_penalty.penalty(course, recorded.handed_in(options.times), extensions)
    times = {h.student: h.when for h in results.handed(folder) if h.when}
    if not extensions and not (times and late_penalty.says_so(course)):
        return late_penalty.in_time
    return late_penalty.penalty(course, times, extensions)


def whole_again(entries: Sequence[Exported], folder: Path) -> Iterator[Exported]:
    """The entries with their checks, read one at a time: those of a large class would not fit into memory."""
    for entry in entries:
        text = (folder / f"{entry.file}.json").read_text(encoding="utf-8")
        yield dataclasses.replace(entry, report=Report.from_json(text))


def told(what: str, names: Sequence[str]) -> None:
    """Print a list under what it means, nothing if it is empty."""
    if names:
        more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
        print(f"{len(names)} {what}: {', '.join(names[:NAMED])}{more}")
