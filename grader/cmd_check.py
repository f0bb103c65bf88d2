"""`grader check`: one's own work, at once."""

from __future__ import annotations

import argparse
import secrets
from pathlib import Path
from typing import Any

from grader import console
from grader.errors import CourseError
from grader.words import Text

PAGE = "report.html"
VISIBLE = Text(
    "These are the visible examples only; what you hand in is marked by suites that check far more.",
    "以上只是可见示例；提交之后会由更全面的测试评分。",
)


def add(commands: Any) -> None:
    """Describe the command to the parser."""
    check = console.command(commands, "check", run_check, "check one's own work")
    check.add_argument("ids", nargs="*", metavar="ID", help="an exercise to show in detail")
    check.add_argument(
        "--dir", type=Path, metavar="DIR", help="the folder with the exercise files (default: exercises)"
    )
    check.add_argument("--json", action="store_true", help="print the report as JSON")
    check.add_argument(
        "--html", nargs="?", type=Path, const=Path(PAGE), metavar="FILE", help=f"write a page too (default: {PAGE})"
    )
    console.run_options(check)


def run_check(options: argparse.Namespace) -> int:
    warm = console.start_warm(confined=True)
    from grader import course as courses
    from grader.learning import Progress
    from grader.report import Report
    from grader.submission import Source, load

    try:
        if options.html and options.html.suffix not in (".html", ".htm"):
            raise CourseError(f"--html {options.html}: a page's name ends in .html; exercises go before --html")
        course = courses.find(options.course)
        only = course.chosen(options.ids)
        folder = options.dir or course.root / "exercises"
        if not folder.is_dir():
            raise CourseError(f"{folder}: no such folder; --dir names the folder with your exercise files")
        submission = load(folder, course.sources, course.settings.limits.source_kb)
        seed = options.seed if options.seed is not None else secrets.randbelow(1 << 31)
        show = console.screen(options.lang)
        lane = warm.lane(course, console.lane_options(options, only))
        text = lane.grade(submission, submission.fingerprint(console.fingerprint_context(course, options)), seed)
    finally:
        warm.close()
    report = Report.from_json(text)
    progress = Progress(course, folder)
    if progress.own:
        sources = submission.sources
        progress.note(report.exercises, {e.id: sources.get(e.source, Source()).text for e in course.exercises})
    if options.html:
        from grader import disk, html, suite_texts

        disk.write(options.html, html.student_page(report, course, options.lang, suite_texts.read(course)))
    if options.json:
        print(text)
    else:
        (show.details if only else show.overview)(report, course)
        if report.score < report.max_score and any(e.score for e in report.exercises):
            show.line(f"seed {seed}", "dim")
        if course.visible_only:
            show.say(VISIBLE, "dim")
        if options.html:
            show.line(f"page: {options.html}")
        for trouble in progress.troubles:
            show.say(trouble, "yellow")
    return 0 if all(e.status == "passed" for e in report.exercises) else 1
