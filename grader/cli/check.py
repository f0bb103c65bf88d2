"""`grader check`: grades your own work at once."""

from __future__ import annotations

import contextlib
import dataclasses
import getpass
import json
import os
import secrets
import subprocess
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec

from grader import atomic_write
from grader.batch import ForkServer, GradingPool
from grader.cli import common
from grader.cli.common import option
from grader.cli.plain_output import print_json
from grader.course import Course
from grader.course import course as courses
from grader.errors import CourseError
from grader.intake import Source, Submission, downloads
from grader.report import Report, in_words, redact
from grader.texts import one_line, translated

if TYPE_CHECKING:
    from grader.learner import Progress

PAGE = "report.html"
SEED_OR_REPORT = "use the inputs of this seed again, or of this report in a RESULTS folder"
EXAMPLE = "grader check\ngrader check EXERCISE --html"
A_PROCESS = 6  # exercises for which another grading process is worth its start
COMPARE = translated("`grader answers ID` shows the rubric of each question that you have answered in sentences.")
SEED = translated("seed {seed}")
VISIBLE = translated("These are the visible examples only; what you hand in is marked by suites that check far more.")


@dataclasses.dataclass(frozen=True)
class CheckOptions(common.SuiteOptions, common.FolderOptions):
    """The options of `grader check`."""

    ids: Annotated[tuple[str, ...], common.name("ID", "show this exercise or unit in detail (default: all in brief)")]
    dir: Annotated[Path | None, common.folder(common.ANY_FORM)]
    json: Annotated[bool, option("print the report as JSON")]
    html: Annotated[Path | None, option(f"also write a page (default: {PAGE})", "FILE", nargs="?", const=Path(PAGE))]
    seed: Annotated[int | None, option(SEED_OR_REPORT, "N|REPORT", type=common.seed)]


@common.command("check", "Check your work.", EXAMPLE)
def run_check(options: CheckOptions) -> int:
    if options.html:
        common.need("jinja2")
    with contextlib.closing(common.start_fork_server(options.course)) as fork_server:
        from grader.learner import Progress

        if options.html and options.html.suffix not in (".html", ".htm"):
            raise CourseError(f"--html {options.html}: a page's name ends in .html; exercises go before --html")
        course = courses.find(options.course)
        folder = options.folder(course, packed=True)
        only = course.chosen(options.ids)
        submission = downloads.one_persons(folder, course)
        seed = options.seed if options.seed is not None else secrets.randbelow(1 << 31)
        progress = Progress(course, folder)
        whole = _report(fork_server, course, options, only, submission, seed, progress.own)
    report = redact(whole, course.settings.feedback)
    _note(course, progress, submission, report, seed)
    if options.html:
        from grader.rendering.pages import pages

        atomic_write.write(options.html, pages.student_page(report, course, options.lang, own_name()))
    if options.json:
        print_json(json.dumps(in_words(report, options.lang), ensure_ascii=False, indent=1))
    else:
        _show(options, course, report, seed, progress)
    return 0 if all(e.done for e in report.exercises) else 1


def own_name() -> str:
    """Return the user's name, by git's settings or else the system's."""
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        asked = ["git", "config", "user.name"]
        done = subprocess.run(asked, capture_output=True, text=True, encoding="utf-8", errors="replace", timeout=5)
        if name := one_line(done.stdout):
            return name
    with contextlib.suppress(OSError, KeyError, ImportError):
        return one_line(getpass.getuser())
    return ""


def _report(
    fork_server: ForkServer, course: Course, options: CheckOptions, only: Sequence[str], submission: Submission,
    seed: int, own: bool,
) -> Report:  # fmt: skip
    """Return the report. A learner's own untouched files are not graded again unless a seed is given.

    Many exercises are spread over the cores.
    """
    from grader.learner import Untouched

    versions = options.versions(course)
    run = msgspec.structs.replace(options.run_options(only), hurried=True)
    untouched = Untouched(course, submission, versions, run) if own else None
    ids = only or [e.id for e in course.exercises]
    known = {i: r for i in ids if untouched and options.seed is None and (r := untouched.report(i))}
    fingerprint = submission.fingerprint(versions)
    # The longest suites first: one that came last would keep the others waiting.
    wanted = sorted((i for i in ids if i not in known), key=lambda i: -course.suite(i).stat().st_size)
    count = min(os.cpu_count() or 1, -(-len(wanted) // A_PROCESS))
    with (
        contextlib.closing(GradingPool(fork_server, course, run, count)) as pool,
        ThreadPoolExecutor(count or 1) as threads,
    ):
        for opened in [threads.submit(pool.open_one) for _ in range(count)]:
            opened.result()
        waiting = {i: threads.submit(pool.grade, submission, fingerprint, seed, [i]) for i in wanted}
        try:
            new = {i: Report.from_json(future.result()) for i, future in waiting.items()}
        finally:  # after Ctrl-C or a fault only what has begun is waited for
            for future in waiting.values():
                future.cancel()
    if untouched:
        untouched.keep(new)
    return msgspec.structs.replace(Report.joined([{**known, **new}[i] for i in ids]), fingerprint=fingerprint)


def _note(course: Course, progress: Progress, submission: Submission, report: Report, seed: int) -> None:
    """Add this report to the learner's progress if it is on the course's own exercise files."""
    from grader.learner import debugging

    if progress.own:
        sources = submission.sources
        failed = [e.id for e in report.exercises if e.status == "failed" and e.started]
        debugging.remember(course, seed, failed)
        progress.note(report.exercises, {e.id: sources.get(e.source, Source()).text for e in course.exercises})


def _show(options: CheckOptions, course: Course, report: Report, seed: int, progress: Progress) -> None:
    screen = common.screen(options.lang)
    (screen.details if options.ids else screen.overview)(report, course)
    if report.score < report.max_score and any(e.score for e in report.exercises):
        screen.say(SEED, "dim", seed=seed)
    if not course.visible_only and any(c.answer is not None for e in report.exercises for c in e.checks):
        screen.say(COMPARE)
    if course.visible_only:
        screen.say(VISIBLE, "dim")
    if options.html:
        screen.line(f"page: {options.html}")
    for trouble in progress.troubles:
        screen.say(trouble, "yellow")
