"""`grader lint` and `grader doctor`: is the course sound, can this machine run strangers' code."""

from __future__ import annotations

import argparse
from typing import Any

from grader import console


def add(commands: Any) -> None:
    """Describe the commands to the parser."""
    lint = console.command(commands, "lint", run_lint, "prove that the course is sound")
    lint.add_argument("--evidence", action="store_true", help="measure the suites and write docs/judgement.md")
    lint.add_argument("--seeds", type=int, default=20, metavar="N", help="seeds for right solutions (default: 20)")
    console.command(commands, "doctor", run_doctor, "show which layers of the wall this machine offers")


def run_lint(options: argparse.Namespace) -> int:
    warm = console.start_warm(confined=True)
    from grader import course as courses
    from grader import judgement, lint

    try:
        course = courses.find(options.course)
        problems = [*lint.static_problems(course), *lint.dynamic_problems(course, warm, console.kit_version())]
        if options.evidence:
            made_from = judgement.digest(course)
            figures = list(lint.evidence(course, warm, console.kit_version(), options.seeds))
            problems += judgement.weak_points(figures)
            print(f"wrote {judgement.publish(course, figures, made_from)}")
    finally:
        warm.close()
    for problem in problems:
        print(problem)
    print(f"{len(course.exercises)} exercises, {len(problems)} problems")
    return 1 if problems else 0


def run_doctor(options: argparse.Namespace) -> int:
    from grader.confine import survey

    show = console.screen(options.lang)
    layers = survey()
    for layer in layers:
        show.line(f"{'✔' if layer.active else '✘'} {layer.name:<12} {layer.detail}", "" if layer.active else "red")
        if not layer.active and layer.remedy:
            show.line(layer.remedy, indent=15)
    safe = {"landlock", "seccomp"} <= {layer.name for layer in layers if layer.active}
    show.line("`grader grade` can run strangers' code here." if safe else "`grader grade` will refuse to run here.")
    return 0 if safe else 3
