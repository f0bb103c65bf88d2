"""`grader essays`: answers in sentences as a page and a table to grade by hand, and the graded table back in."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from grader import atomic_write
from grader.cli import common
from grader.cli.common import option
from grader.cli.graded_with import settled
from grader.course import Course
from grader.course import course as courses
from grader.desk import written_anew
from grader.errors import CourseError
from grader.report import Marks, Report, class_tally, keep_marks, read_marks

if TYPE_CHECKING:
    from grader.integrations.essays import EssayQuestion

PAGE, TABLE = "essays.html", "essays.csv"
EXAMPLE = "grader essays results\ngrader essays results --take results/essays.csv"


@dataclasses.dataclass(frozen=True)
class EssaysOptions(common.TimedOptions):
    """The options of `grader essays`."""

    results: Annotated[Path, common.name("RESULTS", "the folder that `grader grade` wrote")]
    take: Annotated[Path | None, option("read the points from this table into the reports", "CSV")]
    anonymous: Annotated[bool, option("show codes instead of names, on page and table")]
    out: Annotated[Path | None, option("the folder for page and table (default: RESULTS)", "DIR")]


@common.command(
    "essays", "Grade written answers by hand: a page to read, and a table to fill in and read back.", EXAMPLE
)
def run_essays(options: EssaysOptions) -> int:
    course = courses.find(options.course)
    folder = common.reports_in(options.results)
    reports = [found for _, found in class_tally.reports(folder) if isinstance(found, Report)]
    from grader.integrations.essays import questions

    asked = questions(course)
    if not asked:
        raise CourseError("this course has no question that is answered in sentences")
    return take(options, course, reports, asked) if options.take else write(options, course, reports, asked)


def write(options: EssaysOptions, course: Course, reports: list[Report], asked: dict[str, EssayQuestion]) -> int:
    """The page and the table."""
    from grader.integrations import essays
    from grader.rendering.pages import pages

    marks = read_marks(options.results)
    entries = essays.collected(reports, asked, marks, options.anonymous)
    if not entries:
        raise CourseError(f"{options.results}: nobody has answered one of {len(asked)} questions in sentences")
    out = options.out or options.results
    table, page = out / TABLE, out / PAGE
    keep_marks(options.results, marks)  # the codes stay the same
    atomic_write.write(table, "\ufeff" + essays.table(entries, asked, options.lang))  # Excel takes it for UTF-8
    groups = [(name, asked[name], [e for e in entries if e.question == name]) for name in asked]
    atomic_write.write(page, pages.essays_page([g for g in groups if g[2]], course, options.lang))
    waiting = sum(e.points is None for e in entries)
    print(f"{len(entries)} answers, {waiting} without points: read {page}, fill in points and comment in {table},")
    print(f"then `grader essays {options.results} --take {table}`")
    return 0


def take(options: EssaysOptions, course: Course, reports: list[Report], asked: dict[str, EssayQuestion]) -> int:
    """Put the points of a table into marks, reports, summary and page."""
    from grader.integrations import essays

    assert options.take
    before = read_marks(options.results)
    marks = essays.taken(options.take, reports, asked, before)
    taken = Marks(marks, essays.worth(course, asked), before.salt)
    settled(options.results, options, course)
    graded = written_anew(options.results, course, options.lang, reports, lambda folder: keep_marks(folder, taken))
    count = sum(map(len, marks.values()))
    left = sum(c.answer is not None and not c.graded for r in graded for e in r.exercises for c in e.checks)
    print(f"{count} answers of {len(marks)} students have points now, {left} wait; reports, summary and page are new")
    return 0
