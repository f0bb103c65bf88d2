"""`grader grade`: grades a folder of submissions, on this machine or on a cluster."""

from __future__ import annotations

import contextlib
import dataclasses
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from grader import catalogues
from grader.batch import ForkServer
from grader.cli import common
from grader.cli.batch_run import GradeOptions, faults, naming, started
from grader.cli.graded_with import class_list, read_batch, with_tables
from grader.cli.report import called
from grader.course import Course
from grader.course import course as courses
from grader.errors import CourseError
from grader.intake.entries import Entry
from grader.report import Batch, GradedWith, Handed, graded_with

if TYPE_CHECKING:
    from grader.integrations.nbgrader import NbCourse


EXAMPLE = """\
grader grade submissions.zip --roster class.csv --out results --dry-run
grader grade submissions.zip --roster class.csv --out results"""


@common.command("grade", "Grade the submissions of a class: a folder, a zip or a platform's download.", EXAMPLE)
def run_grade(options: GradeOptions) -> int:
    with contextlib.ExitStack() as opened:
        fork_server = None  # a cluster imports torch on its workers
        if not options.dry_run:
            common.need("jinja2")  # the class's page
        if not (options.cluster or options.dry_run):
            confined = not options.unsafe_no_sandbox
            fork_server = opened.enter_context(contextlib.closing(common.start_fork_server(options.course, confined)))

        course = courses.find(options.course, apart_from=options.submissions)
        if options.out.resolve().is_relative_to(options.submissions.resolve()):  # they would be graded the next time
            raise CourseError(f"--out {options.out}: lies in the submissions folder; choose a folder beside it")
        for lang in course.settings.languages:  # the class's page is in all of them
            catalogues.of(lang)
        if options.nbgrader is None and options.assignment is None:
            return graded_folder(options, course, fork_server, opened)
        nb_course = opened.enter_context(contextlib.closing(nbgrader_course(options, course)))
        ids, lang = tuple(nb_course.exercises()), nb_course.lang or options.lang
        seed = nb_course.seed if options.seed is None else options.seed
        options = dataclasses.replace(options, ids=ids, lang=lang, seed=seed)
        return graded_notebooks(options, course, nb_course, fork_server, opened)


def graded_folder(
    options: GradeOptions, course: Course, fork_server: ForkServer | None, opened: contextlib.ExitStack
) -> int:
    """Grade a folder of submissions, or a platform's download; return the exit code."""
    from grader.rendering.terminal import entries_table

    before, ids = graded_with.read(options.out), course.chosen(options.ids)
    listed, told = class_list(before, options), as_told(options, before)
    here = msgspec.structs.replace(told, folder=str(options.submissions))  # what it is called, if it is a link
    reading = read_batch(here, course, listed, opened)
    known = reading.known
    if listed and known and not known.taken:
        raise CourseError(
            f"{listed.file}: none of its lines names one of {len(reading.entries)} submissions, called like "
            f"{reading.entries[0].student!r}; --match says whose each is"
        )
    screen = common.screen(options.lang, stderr=options.json_lines)
    if options.dry_run or (reading.format != "folder" and not options.quiet):
        wanted = [e.source for e in course.exercises if e.id in ids or not ids]
        entries_table.show(screen, reading, course, list(dict.fromkeys(wanted)), guessed=told.format is None)
    if known and not options.quiet:
        absent = [name for name in known.absent if name not in before.handed]
        entries_table.class_list(screen, dataclasses.replace(known, absent=absent), len(reading.entries))
    entries = chosen(options, reading.entries)
    batch = msgspec.structs.replace(told, handed=tuple(Handed(e.student, e.when, e.person) for e in entries))
    gone = set[str]() if options.students else before.gone(batch)
    if options.students:  # the others stay as they were graded
        others = (h for b in before.batches if b.folder == batch.folder for h in b.handed)
        kept = tuple(h for h in others if h.student not in batch.students)
        batch = msgspec.structs.replace(batch, handed=(*kept, *batch.handed))
    after = with_tables(before, options, course, batch.students).with_batch(batch)
    if options.dry_run:
        return 0
    with naming(entries):
        run = started(options, course, entries, fork_server, opened, after, gone)
    outcomes = run.finish(run.stream, reading.others)
    return 3 if faults(outcomes) else 1 if run.needs_a_look(outcomes) or reading.doubtful else 0


def chosen(options: GradeOptions, entries: Sequence[Entry]) -> Sequence[Entry]:
    """Return the submissions of those whom `--student` names; all without it. Raises CourseError for nobody's name."""
    if not options.students:
        return entries
    people = {e.student: e.person for e in entries}
    wanted = {called(name, people.keys(), people, options.submissions, "submission") for name in options.students}
    return [e for e in entries if e.student in wanted]


def as_told(options: GradeOptions, before: GradedWith) -> Batch:
    """Return the folder and the options for reading it: the current ones, else those of the earlier grading."""
    told = before.told(options.submissions)
    match = options.match and (str(Path(options.match).resolve()) if Path(options.match).is_file() else options.match)
    groups = options.groups and str(options.groups.resolve())
    return Batch(told.folder, options.format or told.format, match or told.match, groups or told.groups)


def graded_notebooks(
    options: GradeOptions, course: Course, nb_course: NbCourse, fork_server: ForkServer | None,
    opened: contextlib.ExitStack,
) -> int:  # fmt: skip
    """Grade an assignment of an nbgrader course and store the scores in it; return the exit code."""
    with naming(entries := nb_course.entries()):
        run = started(options, course, entries, fork_server, opened, graded_with.read(options.out))
    outcomes = run.finish(nb_course.storing(run.stream, run.results.stored))
    for reason in (*nb_course.refused, *nb_course.failed):
        print(f"grader: not in the gradebook: {reason}", file=sys.stderr)
    if faults(outcomes) or nb_course.failed:
        return 3
    return 2 if nb_course.refused else 1 if run.needs_a_look(outcomes) else 0


def nbgrader_course(options: GradeOptions, course: Course) -> NbCourse:
    """Return the nbgrader course to store scores in. Its assignment names the exercises to grade, its configuration the
    language and, unless --seed does, the seed.

    Raises:
        CourseError: nbgrader is not installed, or the folder, its gradebook or the assignment does not exist.
    """
    if options.nbgrader is None or options.assignment is None:
        raise CourseError("--nbgrader and --assignment belong together")
    if options.students:
        raise CourseError("--student: with --nbgrader, the whole assignment is graded")
    if options.times:
        raise CourseError("--times: with --nbgrader, nbgrader's own late penalties hold")
    sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type] # 2 s of import, for a format nobody uses
    try:
        from grader.integrations.nbgrader import NbCourse
    except ImportError as error:
        raise CourseError(f"--nbgrader needs nbgrader: pip install nbgrader ({error})") from error
    return NbCourse(options.nbgrader, options.assignment, options.submissions, course, options.add_students)
