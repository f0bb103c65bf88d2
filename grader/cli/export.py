"""`grader export`: writes the points of a class in the files that gradebooks take."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from grader import atomic_write
from grader.cli import common
from grader.cli.common import option
from grader.cli.graded_with import settled
from grader.course import course as courses
from grader.intake import roster
from grader.report import LEVELS, Report, redact, results

if TYPE_CHECKING:
    from grader.integrations.exported import Exported

TO = ("csv", "canvas", "moodle", "gradescope", "junit")
BLANK, ZERO = "blank", "zero"
NOT_FINAL = "what to write for points that are not final yet (default: blank)"
NAMED = 20  # in a list on the terminal
OTHER_SCALE = (
    "whose maximum grade in the worksheet is not what the points are of, and points are not scaled; set it in Moodle"
)


@dataclasses.dataclass(frozen=True)
class ExportOptions(common.TimedOptions):
    """The options of `grader export`."""

    results: Annotated[Path, common.name("RESULTS", "the folder that `grader grade` wrote")]
    to: Annotated[str, option("the target format", required=True, choices=TO)]
    out: Annotated[Path | None, option("the folder for the files (default: RESULTS/export)", "DIR")]
    column: Annotated[str | None, option("the name of the total's column (default: what was graded)", "NAME")]
    each: Annotated[bool, option("also write a column for each exercise")]
    unfinished: Annotated[str, option(NOT_FINAL, choices=(BLANK, ZERO), default=BLANK)]
    feedback: Annotated[str | None, option("the level of detail (default: as in course.yaml)", choices=LEVELS)]


@common.command("export", "Write the points of a class for a gradebook.", "grader export results --to canvas")
def run_export(options: ExportOptions) -> int:
    from grader.integrations import exported, exports

    course = courses.find(options.course)
    folder = common.reports_in(options.results)
    graded = settled(options.results, options, course)
    faulty = [f.student for f in results.faults(options.results)]
    zero, level = options.unfinished == ZERO, options.feedback or course.settings.feedback
    entries, damaged = exported.collected(folder, graded.penalty(course), level, faulty, zero)
    strangers: list[Exported] = []
    absent: Sequence[str] = ()
    possible = exported.POINTS_POSSIBLE
    if listed := graded.class_list:
        entries, strangers, found = exported.matched(entries, listed, graded.people)
        absent, possible = found.absent, listed.possible or possible
        for said in roster.told(found.taken, len(entries) + len(strangers)):
            print(said.to(options.lang))
    here = [*entries, *(() if options.to in exports.NEED_A_LINE else strangers)]
    columns = exported.columns_for(here, course, options.lang, options.column, options.each, graded.exercises)
    columns = dataclasses.replace(columns, possible=possible)
    target, names = options.out or options.results / "export", []
    whole = whole_again(here, folder, level) if options.to in exports.NEED_CHECKS else here
    for name, text in exports.FORMATS[options.to](whole, columns):
        atomic_write.write(target / name, text)
        names.append(name)
    if strangers:
        atomic_write.write(target / "unmatched.csv", next(exports.plain(strangers, columns))[1])
    where = target / names[0] if len(names) == 1 else f"{len(names)} files in {target}"
    print(f"exported {len(here)} of {len(entries) + len(strangers)} students: {where}")
    told("not in the roster, so in unmatched.csv", [e.report.student for e in strangers])
    told("in the roster, but without a report", [s for s in absent if s not in faulty])
    told("no report, so left out", damaged)
    told("changed by hand; the changed points count", [e.report.student for e in here if e.edited])
    timed = any(e.late is not None for e in here)
    told("without a time, so taken to be in time", [e.report.student for e in here if timed and e.late is None])
    if options.to == "moodle":
        told(OTHER_SCALE, exported.on_other_scales(here, columns.most_in_all))
    told("names changed, since spreadsheets would run them", exported.altered(here))
    return 1 if told_unfinished([*entries, *strangers], faulty, zero) or damaged else 0


def told_unfinished(entries: Sequence[Exported], faulty: Sequence[str], zero: bool) -> bool:
    """Name the students whose points are not final; return True if any cell is blank for that."""
    from grader.integrations.exported import REJECTED, WAITING

    what = "so without points, as --unfinished zero says" if zero else "so blank; --unfinished zero counts it as 0"
    rejected, waiting = ([e.report.student for e in entries if e.unfinished == kind] for kind in (REJECTED, WAITING))
    told(f"with a submission that could not be used, {what}", rejected)
    told(f"with answers that wait for a person, {what}", waiting)
    told("not graded, see `grader report`", faulty)
    return bool(faulty or ((rejected or waiting) and not zero))


def whole_again(entries: Sequence[Exported], folder: Path, level: str) -> Iterator[Exported]:
    """Yield the entries with their checks, read one at a time: those of a large class would not fit into memory."""
    for entry in entries:
        text = (folder / f"{entry.file}.json").read_text(encoding="utf-8")
        yield dataclasses.replace(entry, report=redact(Report.from_json(text), level))


def told(what: str, names: Sequence[str]) -> None:
    """Print a list below its title; nothing if it is empty."""
    if names:
        more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
        print(f"{len(names)} {what}: {', '.join(names[:NAMED])}{more}")
