"""`grader desk`: a class's results as pages in the browser, on the teacher's own machine."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import threading
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Annotated

from grader.batch import Entry
from grader.cli import common, viva
from grader.cli.common import option
from grader.course import course as courses
from grader.report import graded_with, record
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
    from grader.desk.desk import Desk
    from grader.desk.server import Server
    from grader.serving import place, serve

    results = options.results.resolve()
    common.reports_in(options.results)
    course = courses.find(options.course)
    record.read(results)  # one that cannot be used is said before anything is opened

    def entries(known: Collection[str], opened: contextlib.ExitStack) -> Mapping[str, Entry]:
        batches = viva.submissions(results, options.submissions)
        found = viva.examined(known, graded_with.read(results), batches, course, opened)
        return {entry.student: entry for entry in found}

    there, listening = place(results, results / FILE, options.port)
    screen = common.screen(options.lang)
    if listening is None:
        options.show(screen, RUNS, there.address)
        return 0
    with listening, contextlib.suppress(KeyboardInterrupt):  # which is how it is ended
        desk = Desk(results, course, options.lang, entries, lambda: common.start_fork_server(options.course))
        with contextlib.closing(desk):
            threading.Thread(target=desk.prepare, daemon=True).start()
            app = Server(desk, options.lang).app(there.port, there.token)
            ready = functools.partial(options.show, screen, OPEN, there.address, folder=options.results)
            serve(app, there, listening, ready, lambda: None)
    return 0
