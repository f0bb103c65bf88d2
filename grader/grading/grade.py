"""Turns one submission into one Report: the only place where the steps meet, and the file to read first.

`Grader.grade` goes from exercise to exercise, `_graded` decides what there is to grade, `_checked` has the checks run
in a worker and the failures diagnosed, and the `Writer` makes the report of it.
"""

from __future__ import annotations

import platform
from collections.abc import Sequence

import msgspec

from grader import packages
from grader.arrays import torch
from grader.course import SHEET, Course, Exercise, file_name
from grader.diagnosis import diagnose, gathered, located, settled
from grader.grading.devices import SecondDevice, choose, reach_cuda
from grader.grading.forbidden_calls import borrowed_operator, forbidden
from grader.grading.writer import Writer, chief, in_a_line
from grader.intake import NO_WORK, Source, Submission
from grader.questions import Papers
from grader.report import Diagnosis, Environment, ExerciseReport, Report
from grader.sandbox.processes import OneWorkerPool, RunOptions, WorkerEnded, WorkerPool
from grader.suites import SAME_SEED, Call, CheckResult, LoadFailed, StudentCode, StudentFile, Suites
from grader.texts import Text, translated

KEPT = 500  # files of a batch whose results a grading process remembers; a report of one takes some 20 KB
MISSING = translated("{file} is missing")
SPENT = translated("not run: the exercises before it took the {seconds:g} s that a submission may take")
Judged = tuple[ExerciseReport, Sequence[int]]  # without where it was found; which other cells it needs
CERTAIN = ("passed", "failed", "skipped")  # what another run would find again; the rest may be the machine's doing


class Grader:
    """Suites, references and a worker pool, ready for one submission after another.

    Raises:
        CourseError: suites or solutions are broken, or CUDA was asked for where there is none.
    """

    def __init__(self, course: Course, options: RunOptions, pool: WorkerPool) -> None:
        self.course, self.pool, self._options = course, pool, options
        self.performance: StudentCode | None = None  # what `grader generate` began
        self._of_submission = OneWorkerPool(pool, "cpu") if options.one_worker else None
        self.exercises = [e for e in course.exercises if not options.only or e.id in options.only]
        self.device, devices = choose(options.device, course, lambda: reach_cuda(pool, course))
        code = [e.id for e in self.exercises if e.kind != "questions"]
        suites, solutions = {i: course.suite(i) for i in code}, {i: course.solution(i) for i in code}
        points = {e.id: e.points for e in self.exercises}
        self.suites = Suites(suites, solutions, "cpu", course.settings.arrays, course.settings.accepts, points)
        self._second = SecondDevice(suites, solutions, pool, points) if self.device == "cuda" else None
        self.papers = Papers(course, pool)
        self._left = course.settings.limits.submission_seconds
        self._kept: dict[tuple[str, bytes, int], Judged] = {}
        computes = "not used" if torch is None else str(torch.__version__)
        versions = packages.versions(course.settings.packages)
        environment = Environment(options.kit, platform.python_version(), computes, devices, pool.layers, versions)
        self._writer = Writer(course, self.suites, self.papers, environment)

    def grade(self, submission: Submission, fingerprint: str, seed: int, only: Sequence[str] = ()) -> Report:
        """Return the report on a submission, with inputs drawn from `seed`.

        Args:
            fingerprint: names everything that the result depends on; with one, a file that equals one graded before
                gets its result without another run. Most files of a class are untouched stubs.
            only: grade just these exercises; empty means all.

        Raises:
            MachineError: the machine is at fault.
            CourseError: the course is at fault.
        """
        asked = [e for e in self.exercises if not only or e.id in only]
        self._left = self.course.settings.limits.submission_seconds
        found = []
        try:
            for exercise in asked:
                left = self._left
                try:
                    report = self._graded(exercise, submission, seed, bool(fingerprint))
                except WorkerEnded:  # from outside: once more, with as much time
                    self._left = left
                    report = self._graded(exercise, submission, seed, bool(fingerprint))
                found.append(report)
        finally:
            for pool in (self._of_submission, self._second and self._second.pool):
                if pool:  # its workers served one submission
                    pool.close()
        whole = self._writer.whole(submission, fingerprint, found)
        return msgspec.structs.replace(whole, sheets=self._sheets(asked, submission))

    def _graded(self, exercise: Exercise, submission: Submission, seed: int, keep: bool) -> ExerciseReport:
        """Return the report on one exercise. keep: judge an equal file once, unless its results are uncertain."""
        source = submission.sources.get(exercise.source, Source())
        needed: Sequence[int] = ()
        if refused := source.refused or (None if submission.sources else submission.refused):
            report = self._writer.ungraded(exercise, "rejected", refused)
        elif source.text is None:
            books = ", ".join({s.path: None for s in submission.sources.values() if s.number})
            missing = (NO_WORK if books else MISSING).format(name=books, file=file_name(exercise.source))
            report = self._writer.ungraded(exercise, "missing", missing)
        elif exercise.kind == "questions":
            report = self._questions(exercise, source.text, submission.student)
        else:
            file = StudentFile.of(exercise, submission)
            key = exercise.id, file.digest(), seed
            judged = (self._kept.pop(key, None) if keep else None) or self._exercise(exercise, file, seed)
            report, needed = judged
            if keep and not report.remarks and all(check.verdict in CERTAIN for check in report.checks):
                self._kept[key] = judged
            if len(self._kept) > KEPT:
                del self._kept[next(iter(self._kept))]
        return msgspec.structs.replace(report, file=source.place(needed))

    def _exercise(self, exercise: Exercise, file: StudentFile, seed: int) -> Judged:
        """Return what holds for every file with this text and these files beside it, wherever it was found."""
        limits = self.course.settings.limits
        if self._left <= 0:
            late = SPENT.format(seconds=limits.submission_seconds)
            return self._writer.report(exercise, self.suites.all_with(exercise.id, "timeout", late), ""), []
        pool, suites = self._of_submission or self.pool, self.suites
        key, calls = suites[exercise.id].key, suites.prepared(exercise.id, seed)
        target = StudentCode(pool, file, limits, self._left, key, calls)
        try:
            report = self._checked(exercise, target, seed)
            remarks = tuple(remark.each(in_a_line) for remark in target.remarks)
            return msgspec.structs.replace(report, remarks=(*remarks, *report.remarks)), target.needed
        finally:
            self._left -= target.link.spent

    def _checked(self, exercise: Exercise, target: StudentCode, seed: int) -> ExerciseReport:
        try:
            target.load()
            if forbidden_calls := forbidden(target):
                target.close()
                return self._writer.ungraded(exercise, "rejected", forbidden_calls, target.link.printed)
            results = self._on_both(exercise, self.run(exercise, target, seed), target, seed)
            if forbidden_calls := borrowed_operator(exercise, results):
                return self._writer.ungraded(exercise, "rejected", forbidden_calls, target.link.printed)
        except LoadFailed as error:
            results = self.suites.all_with(exercise.id, error.verdict, error.reason, error.attempted)
        finally:
            target.close()
        printed = target.link.printed
        code = exercise.kind == "code"  # the mistakes behind what fails are those of functions
        told = self._diagnosed(exercise, results, target, seed) if code else ((), None)
        report = self._writer.report(exercise, results, printed, *told)
        shown = chief(results) if printed else None  # another run of the call that the report quotes costs little
        quoted = shown and shown.last and shown.verdict in ("failed", "blocked") and target.printed_by(shown.last)
        return msgspec.structs.replace(report, printed=quoted or None)

    def run(
        self, exercise: Exercise, target: StudentCode, seed: int, only: Sequence[int] | None = None
    ) -> list[CheckResult]:
        """Return the result of each check, or of those with these numbers.

        One that hangs is tried again; if a learner waits, later ones get less time.
        """
        results, hurried = [], self._options.hurried
        tries, attempted = 0 if hurried else 1, not target.may_be_stub
        for result in self.suites.run(exercise.id, target, seed, only, tries, attempted):
            results.append(result)
            if hurried and result.verdict == "timeout":
                target.link.hurry()
        return results

    def _on_both(
        self, exercise: Exercise, results: list[CheckResult], target: StudentCode, seed: int
    ) -> list[CheckResult]:
        """Return the results with those on CUDA, if the run has it, within the time that is left."""
        if self._second is None:
            return results
        there = target.elsewhere(self._second.pool, self._left - target.link.spent)
        try:
            return self._second.checked(exercise.id, results, there, seed)
        finally:
            self._left -= there.link.spent

    def _diagnosed(
        self, exercise: Exercise, results: Sequence[CheckResult], target: StudentCode, seed: int
    ) -> tuple[list[Diagnosis], Text | None]:
        """Return the mistakes behind the failures, and the place in the file that they come from."""
        if not any(r.attempted for r in results if r.failed):
            return [], None
        suite = self.suites[exercise.id]
        evidence = gathered(suite, results)
        if seed != SAME_SEED and not self._options.hurried and not settled(suite, evidence):
            results, seed = self._at_same_seed(exercise, results, target, seed), SAME_SEED
            evidence = gathered(suite, results)

        def rehearsed() -> dict[str, list[Call]]:
            known = self.suites.rehearsed(exercise.id, seed)
            return {check: [e.call for e in answers] for check, answers in known.items()}

        try:
            found = diagnose(exercise.id, suite, results, target.call, evidence)
            return found, located(suite, evidence, found, target.source, target.call, rehearsed)
        finally:
            target.close()

    def _at_same_seed(
        self, exercise: Exercise, results: Sequence[CheckResult], target: StudentCode, seed: int
    ) -> Sequence[CheckResult]:
        """Return the checks with calls that are the same at every seed, so that what is named is the same, too.

        This is needed where no single mistake explains all that failed, as it would at any seed; a learner does not
        wait for it. A check whose verdict is another one there keeps the calls of this run, as does one that may end
        otherwise next time. This takes none of the time that the submission has for its exercises.
        """
        numbers = [n for n, result in enumerate(results) if result.verdict in CERTAIN]
        again = target.elsewhere(self._of_submission or self.pool, self._left - target.link.spent)
        try:
            again.load()
            there = dict(zip(numbers, self.run(exercise, again, SAME_SEED, numbers), strict=True))
        except LoadFailed:
            return results
        finally:
            again.close()
        pairs = ((result, there.get(n, result)) for n, result in enumerate(results))
        return [
            other if (one.verdict, one.wrong_values) == (other.verdict, other.wrong_values) else one
            for one, other in pairs
        ]

    def _questions(self, exercise: Exercise, source: str, student: str) -> ExerciseReport:
        if self._left <= 0:
            late = SPENT.format(seconds=self.course.settings.limits.submission_seconds)
            return self._writer.report(exercise, self.papers[exercise.id].all_with("timeout", late), "")
        return self._writer.sheet(exercise, self.papers.mark(exercise, source, student, self._left))

    def _sheets(self, asked: Sequence[Exercise], submission: Submission) -> tuple[str, ...]:
        """Return the hashes of the answers that were marked, if the course counts them."""
        source = submission.sources.get(SHEET, Source()).text
        if not (self.course.settings.attempts and source and any(e.kind == "questions" for e in asked)):
            return ()
        return tuple(filter(None, [self.papers.answers(source, submission.student)]))
