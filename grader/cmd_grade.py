"""`grader grade`: a folder of submissions, on this machine or on a cluster."""

from __future__ import annotations

import argparse
import contextlib
import functools
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader import console
from grader.errors import CourseError, MachineError

if TYPE_CHECKING:
    from grader import progress
    from grader.batch import Grades
    from grader.course import Course
    from grader.lanes import Warm
    from grader.nb_course import NbCourse


def add(commands: Any) -> None:
    """Describe the command to the parser."""
    grade = console.command(commands, "grade", run_grade, "grade a folder of submissions")
    grade.add_argument(
        "submissions", type=Path, metavar="SUBMISSIONS", help="holds a folder, .zip or .ipynb for each student"
    )
    grade.add_argument("--out", type=Path, required=True, metavar="RESULTS", help="where the reports go")
    grade.add_argument("--jobs", type=int, metavar="N", help="how many to grade at a time (default: one a core)")
    grade.add_argument(
        "--exercise", action="append", default=[], metavar="ID", dest="ids", help="only this exercise or unit"
    )
    grade.add_argument("--cluster", metavar="ADDRESS", help="a Dask cluster: tcp://host:8786 or a scheduler file")
    grade.add_argument("--regrade", action="store_true", help="grade again what is graded; list changed scores and why")
    grade.add_argument("--times", type=Path, metavar="CSV", help="when each handed in: columns student, time")
    grade.add_argument("--quiet", action="store_true", help="print nothing but errors")
    grade.add_argument("--json-lines", action="store_true", help="print each outcome as a line of JSON")
    grade.add_argument("--unsafe-no-sandbox", action="store_true", help="grade even where the wall cannot be built")
    grade.add_argument("--nbgrader", type=Path, metavar="COURSE", help="put the scores into this nbgrader course")
    grade.add_argument("--assignment", metavar="NAME", help="with --nbgrader: the assignment to grade")
    grade.add_argument("--add-students", action="store_true", help="with --nbgrader: also those not in the gradebook")
    console.run_options(grade)


def run_grade(options: argparse.Namespace) -> int:
    with contextlib.ExitStack() as opened:
        warm = None  # a cluster imports torch on its workers
        if not options.cluster:
            warm = opened.enter_context(contextlib.closing(console.start_warm(confined=not options.unsafe_no_sandbox)))
        from grader import aftermath, batch, late, page_class, suite_texts
        from grader import course as courses
        from grader.submission import entries, load_entry, strays
        from grader.summary import Fault, Row

        course = courses.find(options.course)
        texts = suite_texts.read(course)  # now: torch is still being imported
        charge = late.charge(course.settings.late, course.settings.due, options.times) if options.times else None
        desk = nbgrader_course(options, course)
        if desk:
            opened.enter_context(contextlib.closing(desk))
        only = course.chosen(options.ids)
        ids = only or [e.id for e in course.exercises]
        jobs = options.jobs if options.jobs is not None else os.cpu_count() or 1
        if jobs < 1:
            raise CourseError(f"--jobs {jobs}: at least one lane is needed")
        students = desk.entries(options.submissions) if desk else entries(options.submissions, course.sources)
        versions = console.fingerprint_context(course, options)
        show = console.screen(options.lang)
        lanes, jobs = lanes_for(options, warm, course, only, min(jobs, len(students)))
        opened.enter_context(contextlib.closing(lanes))
        results = opened.enter_context(contextlib.closing(batch.Results(options.out)))
        load = desk.loader(course) if desk else load_entry
        context = batch.Context(options.lang, results.seed(options.seed), versions, options.regrade, load)
        before = results.rows(options.lang) if options.regrade else {}
        outcomes: list[Row | Fault] = []
        try:
            stream = batch.grade_all(students, course, lanes, jobs, results, context)
            if desk:
                stream = desk.storing(stream, students, results.stored)
            for outcome in shown(stream, len(students), options):
                outcomes.append(outcome)
        finally:
            results.write_summary([o for o in outcomes if isinstance(o, Row)], ids, charge)
        aftermath.keep(options.out, outcomes, before)
        page = page_class.write(options.out, course, texts, options.lang)
    faults = sum(isinstance(o, Fault) for o in outcomes)
    if not options.quiet and not options.json_lines:
        show.class_table(outcomes, course.columns(ids))
        show.line(f"{len(outcomes) - faults} graded, {faults} not; seed {context.seed}; {lanes.where}")
        if not desk and options.submissions not in students and (others := strays(options.submissions, students)):
            show.line(f"neither a folder nor a .zip, so not graded: {', '.join(others)}", "yellow")
        show.changes(before, outcomes)
        show.line(f"reports: {results.folder / 'reports'}   summary: {results.folder / 'summary.csv'}   page: {page}")
    for reason in (*desk.refused, *desk.failed) if desk else ():
        print(f"grader: not in the gradebook: {reason}", file=sys.stderr)
    return 3 if faults or (desk and desk.failed) else 2 if desk and desk.refused else 0


def nbgrader_course(options: argparse.Namespace, course: Course) -> NbCourse | None:
    """The nbgrader course to put scores into. Its assignment says which exercises to grade, its configuration in
    which language and, unless --seed does, from which seed.

    Raises:
        CourseError: nbgrader is not installed, or the folder, its gradebook or the assignment is not there.
    """
    if (options.nbgrader is None) != (options.assignment is None):
        raise CourseError("--nbgrader and --assignment belong together")
    if options.nbgrader and options.times:
        raise CourseError("--times: with --nbgrader, nbgrader's own late penalties hold")
    if options.nbgrader is None:
        return None
    sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type] # 2 s of import, for a format nobody uses
    try:
        from grader.nb_course import NbCourse
    except ImportError as error:
        raise CourseError(f"--nbgrader needs it installed: pip install 'attention-kit[nbgrader]' ({error})") from error
    desk = NbCourse(options.nbgrader, options.assignment, options.add_students)
    options.ids = desk.exercises(course)
    options.lang = desk.lang or options.lang
    options.seed = desk.seed if options.seed is None else options.seed
    return desk


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
        remote = cluster.ClusterLanes(
            options.cluster, course, console.lane_options(options, only), console.environment()
        )
        return remote, 2 * remote.threads
    local = batch.Lanes(warm, course, console.lane_options(options, only), jobs)
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
