"""`grader check`: one's own work, at once."""

from __future__ import annotations

import argparse
import secrets
from pathlib import Path
from typing import Any

from grader import console
from grader.errors import CourseError


def add(commands: Any) -> None:
    """Describe the command to the parser."""
    check = console.command(commands, "check", run_check, "check one's own work")
    check.add_argument("ids", nargs="*", metavar="ID", help="an exercise to show in detail")
    check.add_argument(
        "--dir", type=Path, metavar="DIR", help="the folder with the exercise files (default: exercises)"
    )
    check.add_argument("--json", action="store_true", help="print the report as JSON")
    console.run_options(check)


def run_check(options: argparse.Namespace) -> int:
    warm = console.start_warm(confined=True)
    from grader import course as courses
    from grader.report import Report
    from grader.submission import load

    try:
        course = courses.find(options.course)
        only = [course.exercise(i).id for i in options.ids]
        folder = options.dir or course.root / "exercises"
        if not folder.is_dir():
            raise CourseError(f"{folder}: no such folder; --dir names the folder with your exercise files")
        submission = load(folder, [e.id for e in course.exercises], course.settings.limits.source_kb)
        seed = options.seed if options.seed is not None else secrets.randbelow(1 << 31)
        show = console.screen(options.lang)
        lane = warm.lane(course, console.lane_options(options, only))
        text = lane.grade(submission, submission.fingerprint(console.fingerprint_context(course, options)), seed)
    finally:
        warm.close()
    report = Report.from_json(text)
    if options.json:
        print(text)
    else:
        (show.details if only else show.overview)(report, course)
        if report.score < report.max_score and any(e.score for e in report.exercises):
            show.line(f"seed {seed}", "dim")
    return 0 if all(e.status == "passed" for e in report.exercises) else 1
