"""`grader viva`: questions about one's own code, as sheets for a class or at once for a learner; points read back."""

from __future__ import annotations

import concurrent.futures
import contextlib
import dataclasses
import functools
import hashlib
import os
import secrets
import sys
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Annotated

from grader import atomic_write
from grader.batch import AnyEntry, ForkServer, GradingPool, or_fault
from grader.cli import common
from grader.cli.batch_run import refuse_unconfined
from grader.cli.common import option
from grader.cli.graded_with import read_batch, settled
from grader.course import Course
from grader.course import course as courses
from grader.desk import written_anew
from grader.errors import CourseError
from grader.intake import load
from grader.report import Batch, Fault, GradedWith, Report, class_tally, graded_with, seeds
from grader.report.oral_exam import OralSheet, add, keep_sheets
from grader.viva import ASK, points_table

EXAMPLE = "grader viva results --to sheets\ngrader viva EXERCISE"
EXAMINER, STUDENTS, TABLE = "examiner.html", "students.html", "viva.csv"
SHEET_SECONDS = 300.0
QUESTIONS, LONGEST = 5, 20  # of a sheet
TARGET = "the folder that `grader grade` wrote, or an exercise of your own"
ONLY = option("ask only about this exercise; may be repeated", "ID", flag="--exercise")


@dataclasses.dataclass(frozen=True)
class VivaOptions(common.FolderOptions, common.TimedOptions):
    """The options of `grader viva`."""

    target: Annotated[str, common.name("RESULTS|ID", TARGET)]
    to: Annotated[Path | None, option("the folder for the sheets of a class", "DIR")]
    questions: Annotated[
        int, option(f"the number of questions on a sheet (default: {QUESTIONS})", "N", default=QUESTIONS)
    ]
    seed: Annotated[int | None, option("the same seed and student give the same sheet", "N")]
    submissions: Annotated[Path | None, option("the graded folder (default: where it was then)", "DIR")]
    exercises: Annotated[tuple[str, ...], ONLY]
    take: Annotated[Path | None, option("read the points from this table into the reports", "CSV")]
    jobs: Annotated[int | None, option("the number of sheets made in parallel (default: one a core)", "N")]
    unsafe_no_sandbox: Annotated[bool, option("go on even where the sandbox cannot be built")]


@common.command(
    "viva", "Quiz students on their own code: printed sheets for a class, or interactively for one learner.", EXAMPLE
)
def run_viva(options: VivaOptions) -> int:
    if not 1 <= options.questions <= LONGEST:
        raise CourseError(f"--questions {options.questions}: a sheet has 1 to {LONGEST}")
    if options.seed is not None and not 0 <= options.seed < 1 << 63:
        raise CourseError(f"--seed {options.seed}: write a whole number from 0 on, of at most 18 digits")
    results = Path(options.target)
    if options.take:
        return take(results, options)
    if options.to or (results / "reports").is_dir():
        return write(results, options)
    return alone(options)


def refuse_without_torch(course: Course) -> None:
    """Raises CourseError for a course whose code computes with something else."""
    if course.settings.arrays != "torch":
        raise CourseError(
            f"questions are about torch's tensors, and this course has `arrays: {course.settings.arrays}`"
        )


def alone(options: VivaOptions) -> int:
    """Ask a learner about one file, each answer judged at once; 1 unless all were right."""
    with contextlib.closing(common.start_fork_server(options.course)) as fork_server:
        from grader.rendering.terminal import oral

        course = courses.find(options.course)
        refuse_without_torch(course)
        exercise = course.exercise(options.target)
        if exercise.kind != "code":
            raise CourseError(f"{exercise.id} has no code to ask about; `grader answers {exercise.id}` explains it")
        seed = options.seed if options.seed is not None else secrets.randbelow(1 << 31)
        submission = load(options.folder(course), course)
        process = fork_server.grading_process(course, options.on_cpu([exercise.id]))
        sheet = process.ask(ASK, OralSheet, SHEET_SECONDS, submission, seed, options.questions, (exercise.id,))
    screen = common.screen(options.lang)
    count = len(sheet.questions)
    right = sum(oral.posed(screen, q, n, count, sys.stdin) for n, q in enumerate(sheet.questions, 1))
    oral.summary(screen, sheet, right)
    return 0 if right == count > 0 else 1


def write(results: Path, options: VivaOptions) -> int:
    """Sheets for everybody who has a report; the exit code."""
    if options.to is None:
        raise CourseError("--to names the folder for the sheets; `grader viva ID` asks about one of your own files")
    with contextlib.ExitStack() as opened:
        fork_server = opened.enter_context(
            contextlib.closing(common.start_fork_server(options.course, not options.unsafe_no_sandbox))
        )
        from grader.rendering.pages import pages

        batches = submissions(results, options.submissions)
        course = courses.find(options.course, apart_from=Path(batches[-1].folder))
        refuse_without_torch(course)
        only = course.chosen(options.exercises)
        known = {r.student for _, r in class_tally.reports(results / "reports") if isinstance(r, Report)}
        entries = examined(known, settled(results, options, course), batches, course, opened)
        outcomes = sheets(entries, course, options, only, seed(results, options), fork_server)
        done = sorted((o for o in outcomes if not isinstance(o, Fault)), key=lambda s: s.student)
        for name, answers in ((EXAMINER, True), (STUDENTS, False)):
            page = pages.viva_page(done, course, options.lang, answers)
            atomic_write.write(options.to / name, page)
        keep_sheets(results, done)  # `grader desk` asks the same questions
        atomic_write.write(
            options.to / TABLE, "\ufeff" + points_table.table(done, options.lang)
        )  # Excel takes it for UTF-8
    return told(done, [o for o in outcomes if isinstance(o, Fault)], results, options)


def told(done: Sequence[OralSheet], faults: Sequence[Fault], results: Path, options: VivaOptions) -> int:
    """Say what there is now, and who could not be asked and why; the exit code."""
    assert options.to
    count = sum(len(s.questions) for s in done)
    print(f"{count} questions for {sum(bool(s.questions) for s in done)} of {len(done) + len(faults)} students:")
    print(
        f"{options.to / EXAMINER} with the answers, {options.to / STUDENTS} without, {options.to / TABLE} for points,"
    )
    print(f"then `grader viva {results} --take {options.to / TABLE}`")
    short = [s for s in done if len(s.questions) < options.questions]
    for sheet in short:
        why = "; ".join(f"{u.exercise or 'the submission'}: {u.reason.to(options.lang)}" for u in sheet.unasked)
        print(f"{sheet.student}: {len(sheet.questions)} of {options.questions} questions: {why or '-'}")
    for fault in faults:
        print(f"grader: {fault.student}: {fault.reason}", file=sys.stderr)
    return 3 if faults else 1 if any(not s.questions for s in done) else 0


def submissions(results: Path, named: Path | None) -> list[Batch]:
    """Return the graded batches, from the folder that was named, else from where they were then. Raises CourseError."""
    common.reports_in(results)
    graded = graded_with.read(results)
    batches = [graded.told(named)] if named else list(graded.batches)
    gone = next((b.folder for b in batches if not Path(b.folder).exists()), None)
    if gone or not batches:
        there = f"{gone} is not there any more" if gone else "nothing says where the submissions are"
        raise CourseError(f"{results}: {there}; --submissions names the folder that was graded")
    return batches


def examined(
    known: Collection[str], graded: GradedWith, batches: Sequence[Batch], course: Course, opened: contextlib.ExitStack
) -> list[AnyEntry]:
    """The submissions of those who have a report, each as it was graded last."""
    found: dict[str, AnyEntry] = {}
    for batch in batches:
        read = read_batch(batch, course, graded.class_list, opened)
        wanted = {*known} & (batch.students or {*known})
        found |= {e.student: e for e in read.entries if e.student in wanted}
    where = ", ".join(dict.fromkeys(b.folder for b in batches))
    if absent := sorted({*known} - found.keys()):
        print(f"grader: no submission in {where} of {', '.join(absent)}", file=sys.stderr)
    if not found:
        raise CourseError(f"{where}: holds no submission of those who have a report")
    return list(found.values())


def seed(results: Path, options: VivaOptions) -> int:
    """The one that is wanted, else one made of the batch's, so that the same class gets the same sheets again.

    It stands on the sheets, and nobody may learn the batch's from it.
    """
    if options.seed is not None:
        return options.seed
    try:
        text = (results / seeds.FILE).read_text(encoding="utf-8").strip()
    except OSError:
        text = ""
    return int.from_bytes(hashlib.sha256(f"viva {text}".encode()).digest()[:4], "big")


def sheets(
    entries: Sequence[AnyEntry], course: Course, options: VivaOptions, only: Sequence[str], seed: int,
    fork_server: ForkServer,
) -> list[OralSheet | Fault]:  # fmt: skip
    """A sheet or a fault for each, spread over the cores."""
    jobs = max(1, min(options.jobs or os.cpu_count() or 1, len(entries)))
    pool = GradingPool(fork_server, course, options.on_cpu(only), jobs)

    def sheet(entry: AnyEntry) -> OralSheet:
        asked = entry.load(course), seed, options.questions, tuple(only)
        return pool.ask(lambda process: process.ask(ASK, OralSheet, SHEET_SECONDS, *asked))

    with contextlib.closing(pool), concurrent.futures.ThreadPoolExecutor(jobs) as threads:
        refuse_unconfined(pool.open_one(), options.unsafe_no_sandbox)
        return list(threads.map(functools.partial(or_fault, sheet), entries))


def take(results: Path, options: VivaOptions) -> int:
    """Put the points of a table into reports, summary and page."""
    assert options.take
    course = courses.find(options.course)
    reports = [r for _, r in class_tally.reports(common.reports_in(results)) if isinstance(r, Report)]
    answered = points_table.taken(options.take, [r.student for r in reports])
    settled(results, options, course)
    written_anew(results, course, options.lang, reports, lambda to: add(to, answered))
    print(f"the oral exam of {len(answered)} students is in the reports; summary and page are new")
    return 0
