"""`grader desk`: a class's results as pages in the browser, on the teacher's own machine."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import sys
import threading
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Annotated

from grader.batch import AnyEntry
from grader.cli import common, viva
from grader.cli.common import option
from grader.cli.graded_with import read_batch
from grader.course import Course
from grader.course import course as courses
from grader.errors import CourseError
from grader.report import Batch, graded_with, record
from grader.texts import translated

FILE = ".desk.json"
OPEN = translated("The desk is open at {address}\nCtrl-C ends it; what you decide is in {folder}.")
RUNS = translated("The desk is open already, at {address}")


@dataclasses.dataclass(frozen=True)
class DeskOptions(common.PageOptions):
    """The options of `grader desk`."""

    results: Annotated[Path, common.name("RESULTS", "the folder that `grader grade` wrote")]
    submissions: Annotated[Path | None, option("the graded folder (default: where it was then)", "DIR")]


@common.command(
    "desk", "Open a class in your browser: students, mistakes, checks, written answers; decide about points.",
    "grader desk results",
)  # fmt: skip
def run_desk(options: DeskOptions) -> int:
    for package in ("starlette", "uvicorn", "jinja2"):
        common.need(package)
    from grader.desk.desk import Desk, Sources
    from grader.desk.server import DeskServer
    from grader.serving import place, serve

    results = options.results.resolve()
    common.reports_in(options.results)
    course = courses.find(options.course)
    record.read(results)  # one that cannot be used is said before anything is opened

    def entries(known: Collection[str], opened: contextlib.ExitStack) -> Mapping[str, AnyEntry]:
        batches = viva.submissions(results, options.submissions)
        found = viva.examined(known, graded_with.read(results), batches, course, opened)
        return {entry.student: entry for entry in found}

    def batch(of: Batch, opened: contextlib.ExitStack) -> Mapping[str, AnyEntry]:
        read = read_batch(of, course, graded_with.read(results).class_list, opened)
        return {entry.student: entry for entry in read.entries}

    there, listening = place(results, results / FILE, options.port)
    screen = common.screen(options.lang)
    if listening is None:
        options.show(screen, RUNS, there.address)
        return 0
    with listening, contextlib.suppress(KeyboardInterrupt):  # which is how it is ended
        again = functools.partial(grade_again, options, course)
        sources = Sources(entries, batch, lambda: common.start_fork_server(options.course), again)
        desk = Desk(results, course, options.lang, sources)
        with contextlib.closing(desk):
            threading.Thread(target=desk.prepare, daemon=True).start()
            app = DeskServer(desk, options.lang).app(there)
            ready = functools.partial(options.show, screen, OPEN, there.address, folder=options.results)
            serve(app, listening, ready, lambda: None)
    return 0


def grade_again(options: DeskOptions, course: Course, students: Sequence[str]) -> list[list[str]]:
    """Return the command lines that grade these students again, as they were graded; one for each folder.

    Raises CourseError: nothing says where the submissions are.
    """
    graded = graded_with.read(options.results)
    ids = () if {*graded.exercises} == {e.id for e in course.exercises} else graded.exercises
    common_to_all = [
        "--out", str(options.results), "--regrade", "--quiet", *(part for id in ids for part in ("--exercise", id)),
        *(["--course", str(options.course)] if options.course else []), "--lang", options.lang,
    ]  # fmt: skip
    commands = []
    for batch in viva.submissions(options.results, options.submissions):
        mine = [s for s in students if options.submissions or s in batch.students]
        if mine:
            who = (f"--student={student}" for student in mine)
            commands.append([sys.executable, "-m", "grader", "grade", batch.folder, *common_to_all, *who])
    if not commands:
        raise CourseError(f"{options.results}: nothing says where the submissions of these students are")
    return commands
