"""`grader study`: shows the course as pages in the browser, on the learner's own machine."""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import sys
import webbrowser
from typing import Annotated

from grader.cli import common
from grader.cli.learn import Workplace
from grader.texts import translated

OPEN = translated("The course is open at {address}\nCtrl-C ends it; what you wrote is in {folder}.")
RUNS = translated("The course is open already, at {address}")
NO_BROWSER = translated("No browser could be opened here; open this address yourself.")


def _port(said: str) -> int:
    if said.isdecimal() and int(said) < 1 << 16:
        return int(said)
    raise argparse.ArgumentTypeError(f"a port is a number from 0 to 65535, not {said!r}")


PORT = common.option("the port of the page (default: 8300, or one that is free)", "N", type=_port)
NO_PAGE = common.option("print the address only", flag="--no-browser", action="store_false")


@dataclasses.dataclass(frozen=True)
class StudyOptions(common.DeviceOptions, common.FolderOptions):
    """The options of `grader study`."""

    port: Annotated[int | None, PORT]
    browser: Annotated[bool, NO_PAGE]


@common.command("study", "Open the course in your browser: read, write, and see what is wrong.", "grader study")
def run_study(options: StudyOptions) -> int:
    for package in ("nicegui", "jinja2", "latex2mathml"):
        common.need(package)
    with contextlib.ExitStack() as stack:
        fork_server = common.start_fork_server(options.course)
        stack.callback(fork_server.close)
        from grader.study import Session, place, serve

        work = Workplace.of(options)
        there, listening = place(work.course.root, options.port)
        if listening is None:
            work.screen.say(RUNS, address=there.address)
            _shown(work, options, there.address)
            return 0
        stack.enter_context(listening)
        session = Session(
            work.course, work.folder, fork_server, lambda: common.start_fork_server(options.course), options.device,
            options.seed,
        )  # fmt: skip

        def ready() -> None:
            work.screen.say(OPEN, address=there.address, folder=work.called)
            sys.stdout.flush()
            _shown(work, options, there.address)

        with contextlib.suppress(KeyboardInterrupt):  # which is how it is ended
            serve(session, options.lang, there, listening, ready)
    return 0


def _shown(work: Workplace, options: StudyOptions, address: str) -> None:
    if options.browser and not webbrowser.open(address):
        work.screen.say(NO_BROWSER)
