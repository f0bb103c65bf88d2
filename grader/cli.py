"""The command line: parse, call one function, print, exit. The only place that prints or reads the environment."""

from __future__ import annotations

import argparse
import contextlib
import functools
import importlib.metadata
import json
import locale
import os
import secrets
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader.errors import CourseError, GraderError, MachineError

if TYPE_CHECKING:
    from grader import progress
    from grader.batch import Grades
    from grader.course import Course
    from grader.lanes import Warm
    from grader.render import Screen

KEPT = (
    "PATH",
    "LD_LIBRARY_PATH",
    "SYSTEMROOT",
    "TEMP",
    "TMP",
)  # what Python itself needs to start; nothing else is passed on


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; its exit code."""
    options = parser().parse_args(arguments)
    try:
        code: int = options.run(options)
        return code
    except CourseError as error:
        print(f"grader: {error}", file=sys.stderr)
        return 2
    except GraderError as error:
        print(f"grader: {error}", file=sys.stderr)
        return 3
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 1
    except KeyboardInterrupt:
        print("\ngrader: stopped; what was graded is kept", file=sys.stderr)
        return 130


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(prog="grader", description="Check and grade the attention course.")
    top.add_argument("--version", action="version", version=f"attention-kit {kit_version()}")
    commands = top.add_subparsers(title="commands", required=True, metavar="COMMAND")

    check = command(commands, "check", run_check, "check one's own work")
    check.add_argument("ids", nargs="*", metavar="ID", help="an exercise to show in detail")
    check.add_argument(
        "--dir", type=Path, metavar="DIR", help="the folder with the exercise files (default: exercises)"
    )
    check.add_argument("--json", action="store_true", help="print the report as JSON")

    grade = command(commands, "grade", run_grade, "grade a folder of submissions")
    grade.add_argument("submissions", type=Path, metavar="SUBMISSIONS", help="holds a folder or .zip for each student")
    grade.add_argument("--out", type=Path, required=True, metavar="RESULTS", help="where the reports go")
    grade.add_argument("--jobs", type=int, metavar="N", help="how many to grade at a time (default: one a core)")
    grade.add_argument("--exercise", action="append", default=[], metavar="ID", dest="ids", help="only this exercise")
    grade.add_argument("--cluster", metavar="ADDRESS", help="a Dask cluster: tcp://host:8786 or a scheduler file")
    grade.add_argument("--regrade", action="store_true", help="grade again what is graded; list changed scores and why")
    grade.add_argument("--quiet", action="store_true", help="print nothing but errors")
    grade.add_argument("--json-lines", action="store_true", help="print each outcome as a line of JSON")
    grade.add_argument("--unsafe-no-sandbox", action="store_true", help="grade even where the wall cannot be built")
    for sub in (check, grade):
        sub.add_argument("--device", choices=["auto", "cpu", "cuda"], default="auto")
        sub.add_argument("--seed", type=int, metavar="N", help="repeat a run with the inputs of this seed")

    lint = command(commands, "lint", run_lint, "prove that the course is sound")
    lint.add_argument("--evidence", action="store_true", help="measure the suites and write docs/judgement.md")
    lint.add_argument("--seeds", type=int, default=20, metavar="N", help="seeds for right solutions (default: 20)")
    command(commands, "doctor", run_doctor, "show which layers of the wall this machine offers")
    return top


def command(commands: Any, name: str, run: Any, what: str) -> argparse.ArgumentParser:
    sub: argparse.ArgumentParser = commands.add_parser(name, help=what, description=f"{what[0].upper()}{what[1:]}.")
    sub.set_defaults(run=run)
    sub.add_argument("--lang", choices=["en", "zh"], default=default_language())
    sub.add_argument("--course", type=Path, default=Path(), metavar="DIR", help="the course folder (default: this one)")
    return sub


def default_language() -> str:
    """`zh` in a Chinese locale, else `en`."""
    named = next((v for k in ("LC_ALL", "LC_MESSAGES", "LANG") if (v := os.environ.get(k))), None)
    return "zh" if (named or locale.getlocale()[0] or "").lower().startswith(("zh", "chinese")) else "en"


def kit_version() -> str:
    try:
        return importlib.metadata.version("attention-kit")
    except importlib.metadata.PackageNotFoundError:
        return "unknown"


def start_warm(confined: bool) -> Warm:
    """Start importing torch as early as possible; the rest of the command happens meanwhile."""
    from grader.lanes import Warm

    return Warm(environment(), confined)


def environment() -> dict[str, str]:
    """What the processes that grade see of ours."""
    return {k: os.environ[k] for k in KEPT if k in os.environ}


def screen(lang: str, stderr: bool = False) -> Screen:
    from rich.console import Console

    from grader.render import Screen

    console = Console(stderr=stderr, highlight=False)
    if not console.is_terminal:
        console.width = 160
    return Screen(lang, console)


def lane_options(options: argparse.Namespace, only: Sequence[str]) -> dict[str, Any]:
    return {"lang": options.lang, "device": options.device, "only": list(only), "kit": kit_version()}


def fingerprint_context(course: Course, options: argparse.Namespace) -> dict[str, str]:
    """Everything beside the hand-in that a report depends on, by what to call it."""
    torch = importlib.metadata.version("torch")
    chosen = json.dumps([sorted(options.ids), options.device, options.lang])
    return {**course.digests(), "kit": kit_version(), "torch": torch, "options": chosen}


def run_check(options: argparse.Namespace) -> int:
    warm = start_warm(confined=True)
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
        show = screen(options.lang)
        lane = warm.lane(course, lane_options(options, only))
        text = lane.grade(submission, submission.fingerprint(fingerprint_context(course, options)), seed)
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


def run_grade(options: argparse.Namespace) -> int:
    with contextlib.ExitStack() as opened:
        warm = None  # a cluster imports torch on its workers
        if not options.cluster:
            warm = opened.enter_context(contextlib.closing(start_warm(confined=not options.unsafe_no_sandbox)))
        from grader import batch
        from grader import course as courses
        from grader.submission import entries, strays
        from grader.summary import Fault, Row

        course = courses.find(options.course)
        only = [course.exercise(i).id for i in options.ids]
        ids = only or [e.id for e in course.exercises]
        jobs = options.jobs if options.jobs is not None else os.cpu_count() or 1
        if jobs < 1:
            raise CourseError(f"--jobs {jobs}: at least one lane is needed")
        students = entries(options.submissions, [e.id for e in course.exercises])
        versions = fingerprint_context(course, options)
        show = screen(options.lang)
        lanes, jobs = lanes_for(options, warm, course, only, min(jobs, len(students)))
        opened.enter_context(contextlib.closing(lanes))
        results = opened.enter_context(contextlib.closing(batch.Results(options.out)))
        context = batch.Context(options.lang, results.seed(options.seed), versions, options.regrade)
        before = results.rows(options.lang) if options.regrade else {}
        outcomes: list[Row | Fault] = []
        try:
            stream = batch.grade_all(students, course, lanes, jobs, results, context)
            for outcome in shown(stream, len(students), options):
                outcomes.append(outcome)
        finally:
            results.write_summary([o for o in outcomes if isinstance(o, Row)], ids)
    faults = sum(isinstance(o, Fault) for o in outcomes)
    if not options.quiet and not options.json_lines:
        show.class_table(outcomes, ids)
        show.line(f"{len(outcomes) - faults} graded, {faults} not; seed {context.seed}; {lanes.where}")
        if options.submissions not in students and (others := strays(options.submissions, students)):
            show.line(f"neither a folder nor a .zip, so not graded: {', '.join(others)}", "yellow")
        show.changes(before, outcomes)
        show.line(f"reports: {results.folder / 'reports'}   summary: {results.folder / 'summary.csv'}")
    return 3 if faults else 0


def lanes_for(
    options: argparse.Namespace, warm: Warm | None, course: Course, only: Sequence[str], jobs: int
) -> tuple[Grades, int]:
    """Lanes on this machine or on a cluster, and how many submissions to keep under way."""
    from grader import batch

    if warm is None:
        try:
            from grader import cluster
        except ImportError as error:
            raise CourseError(f"--cluster needs Dask: pip install 'attention-kit[cluster]' ({error})") from error
        remote = cluster.ClusterLanes(options.cluster, course, lane_options(options, only), environment())
        return remote, 2 * remote.threads
    local = batch.Lanes(warm, course, lane_options(options, only), jobs)
    missing = {"landlock", "seccomp"} - set(local.open_one().isolation)
    if missing and not options.unsafe_no_sandbox:
        raise MachineError(refusal(missing))
    return local, jobs


def shown(stream: progress.Stream, total: int, options: argparse.Namespace) -> progress.Stream:
    """The outcomes as they come, with what the options and the terminal ask for beside them."""
    from grader import progress

    if options.json_lines:
        return progress.json_lines(stream, functools.partial(print, flush=True))
    if options.quiet:
        return stream
    if sys.stderr.isatty():
        return progress.bar(stream, total)
    return progress.lines(stream, total, functools.partial(print, file=sys.stderr))


def refusal(missing: set[str]) -> str:
    """Why strangers' code is not run here, and what to do."""
    from grader.confine import survey

    lines = [f"  {layer.name}: {layer.detail}. {layer.remedy}" for layer in survey() if layer.name in missing]
    listed = "\n".join(lines)
    return (
        f"this machine cannot build the wall that strangers' code needs:\n{listed}\n"
        "See `grader doctor`. --unsafe-no-sandbox grades all the same; do that only with files that you trust."
    )


def run_lint(options: argparse.Namespace) -> int:
    warm = start_warm(confined=True)
    from grader import course as courses
    from grader import judgement, lint

    try:
        course = courses.find(options.course)
        problems = [*lint.static_problems(course), *lint.dynamic_problems(course, warm, kit_version())]
        if options.evidence:
            made_from = judgement.digest(course)
            figures = list(lint.evidence(course, warm, kit_version(), options.seeds))
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

    show = screen(options.lang)
    layers = survey()
    for layer in layers:
        show.line(f"{'✔' if layer.active else '✘'} {layer.name:<12} {layer.detail}", "" if layer.active else "red")
        if not layer.active and layer.remedy:
            show.line(layer.remedy, indent=15)
    safe = {"landlock", "seccomp"} <= {layer.name for layer in layers if layer.active}
    show.line("`grader grade` can run strangers' code here." if safe else "`grader grade` will refuse to run here.")
    return 0 if safe else 3


if __name__ == "__main__":
    sys.exit(main())
