"""`grader study`: shows the course as pages in the browser, on the learner's own machine."""

from __future__ import annotations

import contextlib
import dataclasses

from grader.cli import common
from grader.cli.learn import Workplace, beginning_with
from grader.texts import translated

FILE = "study.json"
OPEN = translated("The course is open at {address}\nCtrl-C ends it; what you wrote is in {folder}.")
RUNS = translated("The course is open already, at {address}")


@dataclasses.dataclass(frozen=True)
class StudyOptions(common.DeviceOptions, common.FolderOptions, common.PageOptions):
    """The options of `grader study`."""


@common.command("study", "Open the course in your browser: read, write, and see what is wrong.", "grader study")
def run_study(options: StudyOptions) -> int:
    for package in ("nicegui", "jinja2", "latex2mathml"):
        common.need(package)
    with contextlib.ExitStack() as stack:
        fork_server = common.start_fork_server(options.course)
        stack.callback(fork_server.close)
        from grader.learner import progress
        from grader.serving import place, serve
        from grader.study import END, StudyServer, StudySession, StudyViews

        work = Workplace.of(options)
        kept = work.course.root / progress.FOLDER / FILE
        with contextlib.suppress(OSError):
            progress.make(kept.parent)
        there, listening = place(work.course.root, kept, options.port)
        if listening is None:
            options.show(work.screen, RUNS, there.address)
            return 0
        stack.enter_context(listening)
        session = StudySession(
            work.course, work.folder, fork_server, beginning_with(fork_server, options.course), options.device,
            options.seed,
        )  # fmt: skip

        def ready() -> None:
            options.show(work.screen, OPEN, there.address, folder=work.called)

        app = StudyServer(session, StudyViews(session, options.lang)).app(there)
        with contextlib.suppress(KeyboardInterrupt), session.running():  # which is how it is ended
            serve(app, listening, ready, lambda: session.tell({"kind": END}))
    return 0
