"""Opens a batch for `grader grade`, follows it, and reports the outcome."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import os
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec

from grader import packages
from grader.batch import AnyEntry, ForkServer, GradingPool, GradingProcess, Pool, batch, environment
from grader.cli import common
from grader.cli.common import option
from grader.course import Course, LatePenalty
from grader.errors import CourseError, MachineError
from grader.intake import downloads
from grader.report import Fault, GradedWith, Results, Row, graded_with, often_missing, results
from grader.report.results import faults as faults_in
from grader.sandbox.confinement import REQUIRED, survey
from grader.texts import one_line

if TYPE_CHECKING:
    from grader.rendering.terminal import Stream


SUBMISSIONS = "a platform's download, or a folder with a folder, .zip or .ipynb for each student"
FROM = option("where SUBMISSIONS comes from (default: detected)", flag="--from", choices=tuple(downloads.FORMATS))
ONLY = option("only this exercise or unit; may be repeated", "ID", flag="--exercise")


@dataclasses.dataclass(frozen=True)
class GradeOptions(common.SuiteOptions, common.TimedOptions):
    """The options of `grader grade`."""

    submissions: Annotated[Path, common.name("SUBMISSIONS", SUBMISSIONS)]
    out: Annotated[Path, option("the folder for the reports", "RESULTS", required=True)]
    jobs: Annotated[int | None, option("the number of parallel gradings (default: one a core)", "N")]
    ids: Annotated[tuple[str, ...], ONLY]
    cluster: Annotated[str | None, option("a Dask cluster: tcp://host:8786 or a scheduler file", "ADDRESS")]
    regrade: Annotated[bool, option("grade everything again; list changed scores and why")]
    students: Annotated[
        tuple[str, ...], option("only this student, by id, name or e-mail; may be repeated", "WHO", flag="--student")
    ]
    format: Annotated[str | None, FROM]
    match: Annotated[str | None, option("the student of each submission: a table, or a pattern of names", "CSV|REGEX")]
    groups: Annotated[Path | None, option("table of the groups; a submission counts for each member", "CSV")]
    dry_run: Annotated[bool, option("show who handed in what, and grade nothing")]
    quiet: Annotated[bool, option("print errors only")]
    json_lines: Annotated[bool, option("print each outcome as a line of JSON")]
    unsafe_no_sandbox: Annotated[bool, option("grade even where the sandbox cannot be built")]
    nbgrader: Annotated[Path | None, option("put the scores into this nbgrader course", "COURSE")]
    assignment: Annotated[str | None, option("with --nbgrader: the assignment to grade", "NAME")]
    add_students: Annotated[bool, option("with --nbgrader: add students that it lacks")]


@dataclasses.dataclass(frozen=True)
class BatchRun:
    """A running batch: its submissions, its folder of reports, and the outcomes as they come.

    `before` are the lines of the existing reports, `waiting` the students whom an earlier batch could not grade and
    this one does not, `apart` those whose reports were moved away.
    """

    options: GradeOptions
    course: Course
    ids: Sequence[str]
    total: int
    results: Results
    before: Mapping[str, Row]
    waiting: Sequence[Fault]
    apart: Sequence[str]
    penalty: LatePenalty
    surroundings: str
    stream: Stream

    def finish(self, stream: Stream, others: Sequence[str] = ()) -> list[Row | Fault]:
        """Take all outcomes of the stream, show the progress, write summary, page and the students not graded.

        If these cannot be written, they are named on the terminal. Raises MachineError.

        Args:
            others: items beside the submissions that no rule covers.
        """
        from grader.rendering.pages import class_page

        outcomes: list[Row | Fault] = []
        try:
            for outcome in with_progress(stream, self.total, self.options):
                outcomes.append(outcome)
        except BaseException:
            self._write_summary(outcomes)
            raise
        try:
            self.results.free_room()
            results.keep(self.options.out, [*self.waiting, *outcomes], self.compared(outcomes))
            self._write_summary(outcomes)
        except MachineError:
            name_faults(outcomes)
            raise
        try:
            class_page.write(self.options.out, self.course, self.options.lang)
        finally:
            self._show(outcomes, others)
        return outcomes

    def _write_summary(self, outcomes: Sequence[Row | Fault]) -> None:
        self.results.free_room()
        lines = {**self.before, **{o.student: o for o in outcomes}}
        self.results.write_summary(rows([*lines.values()]), self.ids, self.options.lang, self.penalty)

    def compared(self, outcomes: Sequence[Row | Fault]) -> Mapping[str, Row]:
        """Return the lines before this run to compare with: all for a regrade, else those that changed unasked."""
        return self.before if self.options.regrade else results.unasked(self.before, rows(outcomes))

    def _show(self, outcomes: Sequence[Row | Fault], others: Sequence[str]) -> None:
        """Show the batch as a table, and the places of its files."""
        if self.options.quiet:
            name_faults(outcomes)
        if self.options.quiet or self.options.json_lines:
            return
        from grader.rendering.terminal import class_table

        screen, folder = common.screen(self.options.lang), self.results.folder
        class_table.class_table(screen, outcomes, self.course.columns(self.ids), self.penalty)
        failed, unusable = faults(outcomes), sum(row.unusable for row in rows(outcomes))
        left = f", {unusable} rejected" if unusable else ""
        screen.line(f"{len(outcomes) - failed - unusable} graded, {failed} not graded{left} {self.surroundings}")
        missing: dict[int, list[str]] = {}
        for id, count in often_missing(rows(outcomes)).items():
            missing.setdefault(count, []).append(id)
        for count, ids in missing.items():
            said = f"{count} of {len(rows(outcomes))} submissions have no {', '.join(ids)}"
            screen.line(f"{said}: is it called something else there, or not part of this batch (--exercise)?", "yellow")
        if kept := len(self.before.keys() - {o.student for o in outcomes}):
            screen.line(f"{kept} graded before and not in this batch: left as they are")
        for what, named in (
            ("skipped, because no student could be found for", others),
            (f"no longer among the submissions, so moved to {folder / 'earlier'}", self.apart),
            ("changed by hand; the changed points count, --regrade grades again", self.results.edited),
            (
                "changed by hand or damaged, and replaced by a new report; the old one is kept as",
                self.results.replaced,
            ),
        ):
            if named:
                screen.line(f"{what}: {', '.join(map(one_line, dict.fromkeys(named)))}", "yellow")
        class_table.changes(screen, self.compared(outcomes), outcomes)
        paths = {"reports": folder / "reports", "summary": folder / "summary.csv", "page": folder / "index.html"}
        screen.line("   ".join(f"{name}: {path}" for name, path in paths.items()))

    def needs_a_look(self, outcomes: Sequence[Row | Fault]) -> bool:
        """Return True if an item that no rule covers may be somebody's work."""
        return any(row.unusable for row in rows(outcomes)) or bool(often_missing(rows(outcomes)))


def started(
    options: GradeOptions, course: Course, entries: Sequence[AnyEntry], fork_server: ForkServer | None,
    opened: contextlib.ExitStack, after: GradedWith, gone: Collection[str] = (),
) -> BatchRun:  # fmt: skip
    """Open everything that the batch needs, and begin.

    Args:
        after: the data that RESULTS is graded with from now on.
        gone: the students whose reports belong to no submission any more.
    """
    only = course.chosen(options.ids)
    late = after.penalty(course)
    jobs = options.jobs if options.jobs is not None else os.cpu_count() or 1
    if jobs < 1:
        raise CourseError(f"--jobs {jobs}: at least one grading process is needed")
    pool, jobs = pool_for(options, fork_server, course, only, min(jobs, len(entries)))
    opened.enter_context(contextlib.closing(pool))
    results = opened.enter_context(contextlib.closing(Results(options.out)))
    before, ids = results.rows(), only or [e.id for e in course.exercises]
    refuse_to_lose(before.values(), course, ids, options.out)
    for name, version in packages.versions(course.settings.packages).items():
        if others := sorted({row.packages.get(name, version) for row in before.values()} - {version}):
            said = f"{options.out} holds reports of {name} {', '.join(others)}, and {version} is installed here"
            print(f"grader: {said}: who is in this batch is graded again, and points may change", file=sys.stderr)
    context = batch.Context(results.seed(options.seed), options.versions(course), options.regrade)
    there = {*gone, *(e.student for e in entries)}
    waiting = [f for f in faults_in(options.out) if f.student not in there]
    graded_with.write(options.out, msgspec.structs.replace(after.without(gone), exercises=tuple(ids)))
    apart = results.set_apart(gone)
    results.keep_room(len(entries))
    stream = batch.grade_all(entries, course, pool, jobs, results, context)
    surroundings = f"(seed {context.seed}); {pool.where}"
    kept = {student: row for student, row in before.items() if student not in gone}
    return BatchRun(
        options=options, course=course, ids=ids, total=len(entries), results=results, before=kept, waiting=waiting,
        apart=apart, penalty=late, surroundings=surroundings, stream=stream,
    )  # fmt: skip


@contextlib.contextmanager
def naming(entries: Sequence[AnyEntry]) -> Iterator[None]:
    """Add the names of the students who are not graded to a MachineError inside, before a batch begins."""
    try:
        yield
    except MachineError as error:
        raise MachineError(f"{error}\nnot graded: {', '.join(one_line(e.student) for e in entries)}") from error


def refuse_to_lose(before: Iterable[Row], course: Course, ids: Sequence[str], folder: Path) -> None:
    """Raise CourseError if reports with points for exercises that the run leaves out would be replaced."""
    held = dict.fromkeys(id for row in before for id in row.scores)
    lost = [e.id for e in course.exercises if e.id in held and e.id not in ids]
    if not held.keys() & set(ids):  # of another course, or of the last hand-in
        lost = list(held)
    if lost:
        said = f"holds points for {', '.join(lost)}, which this run does not grade and would replace"
        raise CourseError(f"{folder}: {said}; grade them too, or choose another --out")


def pool_for(
    options: GradeOptions, fork_server: ForkServer | None, course: Course, only: Sequence[str], jobs: int
) -> tuple[Pool, int]:
    """Return grading processes on this machine or on a cluster, and how many submissions to keep under way."""
    run = options.run_options(only)
    if fork_server is None:
        try:
            from grader.batch.cluster import ClusterPool
        except ImportError as error:
            raise CourseError(f"--cluster needs Dask: pip install distributed ({error})") from error
        remote = ClusterPool(str(options.cluster), course, run, environment(course.root))
        return remote, 2 * remote.threads
    local = GradingPool(fork_server, course, run, jobs)
    refuse_unconfined(local.open_one(), options.unsafe_no_sandbox)
    return local, jobs


def refuse_unconfined(process: GradingProcess, unsafe: bool) -> None:
    """Raise MachineError if strangers' code would run outside the sandbox, unless somebody wants that."""
    if not unsafe and (missing := REQUIRED - set(process.isolation)):
        lines = [f"  {layer.name}: {layer.detail}. {layer.remedy}" for layer in survey() if layer.name in missing]
        listed = "\n".join(lines)
        raise MachineError(
            f"this machine cannot build the sandbox that strangers' code needs:\n{listed}\n"
            "See `grader doctor`. --unsafe-no-sandbox grades all the same; do that only with files that you trust."
        )


def with_progress(stream: Stream, total: int, options: GradeOptions) -> Stream:
    """Yield the outcomes as they come, with the progress that the options and the terminal ask for."""
    from grader.rendering.terminal import batch_progress

    if options.json_lines:
        return batch_progress.json_lines(stream, functools.partial(print, flush=True), options.lang)
    if options.quiet:
        return stream
    if sys.stderr.isatty():
        return batch_progress.bar(stream, total)
    return batch_progress.lines(stream, total, functools.partial(print, file=sys.stderr))


def rows(outcomes: Sequence[Row | Fault]) -> list[Row]:
    """Return the outcomes that have a report."""
    return [outcome for outcome in outcomes if isinstance(outcome, Row)]


def faults(outcomes: Sequence[Row | Fault]) -> int:
    """Return how many could not be graded."""
    return sum(isinstance(outcome, Fault) for outcome in outcomes)


def name_faults(outcomes: Sequence[Row | Fault]) -> None:
    """Name the students who could not be graded, with the reasons."""
    for outcome in outcomes:
        if isinstance(outcome, Fault):
            print(f"grader: {one_line(outcome.student)}: not graded: {outcome.reason}", file=sys.stderr)
