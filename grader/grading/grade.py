"""One submission to one Report: the only place where the steps meet."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, TypeVar

import msgspec

from grader.arrays import torch
from grader.course import Course, Exercise, file_name
from grader.diagnosis import Found, diagnose, unrecognised
from grader.errors import CourseError
from grader.grading.borrowed import borrowed_operator, forbidden
from grader.grading.devices import choose, reach_cuda
from grader.grading.headline import FINE, chief, pictured_once
from grader.grading.second_device import SecondDevice
from grader.intake import NO_WORK, Source, Submission
from grader.questions import Marked, Papers
from grader.report import Check, Diagnosis, Environment, ExerciseReport, Printed, Report, Status, total
from grader.sandbox.processes import OneWorkerPool, RunOptions, WorkerPool
from grader.suites import CheckResult, LoadFailed, StudentCode, StudentFile, Suites
from grader.texts import Text, clean, one_line, translated

R = TypeVar("R")
KEPT = 500  # files of a batch whose results a grading process remembers; a report of one takes some 20 KB
ROUNDING = 1e-6  # of points
MOST_SAID = 8000  # characters about a file that could not be used
CERTAIN = ("passed", "failed", "skipped")  # what another run would find again; the rest may be the machine's doing


class Grader:
    """Suites, references and a worker pool, ready for one submission after another.

    Raises:
        CourseError: suites or solutions are broken, or CUDA was asked for where there is none.
    """

    def __init__(self, course: Course, options: RunOptions, pool: WorkerPool) -> None:
        self.course = course
        self._options = options
        self.pool, self._lang, self._langs = pool, options.lang, (options.lang, *options.also)
        self._of_submission = OneWorkerPool(pool, "cpu") if options.one_worker else None
        self.isolation = pool.layers
        self.exercises = [e for e in course.exercises if not options.only or e.id in options.only]
        self.device, devices = choose(options.device, course, lambda: reach_cuda(pool, course))
        code = [e.id for e in self.exercises if e.kind == "code"]
        suites, solutions = {i: course.suite(i) for i in code}, {i: course.solution(i) for i in code}
        self.suites = Suites(suites, solutions, kind=course.settings.arrays)
        self._second = SecondDevice(suites, solutions, pool) if self.device == "cuda" else None
        self.papers = Papers(course, pool)
        self._left = course.settings.limits.submission_seconds
        self._kept: dict[tuple[str, bytes, int], list[ExerciseReport]] = {}
        computes = "not used" if torch is None else str(torch.__version__)
        self._environment = Environment(options.kit, platform.python_version(), computes, devices, pool.layers)

    def grade(self, submission: Submission, fingerprint: str, seed: int, only: Sequence[str] = ()) -> list[Report]:
        """The report in each language of the run, graded once with inputs drawn from `seed`.

        Of the exercises opened for, those that `only` names, if any.

        With a fingerprint, which names all that the result depends on, a file of an exercise that is byte for byte one
        that was graded before gets that one's result: stubs that nobody touched are most of a class's files.

        Raises:
            MachineError: the machine is at fault.
            CourseError: the course is.
        """
        asked = [e for e in self.exercises if not only or e.id in only]
        if submission.refused and not submission.sources:
            found = [self._in_each(self._ungraded, e, "rejected", submission.refused) for e in asked]
        else:
            pairs = zip(self._graded(asked, submission, seed, keep=bool(fingerprint)), asked, strict=True)
            try:
                found = [[_placed(r, submission.sources.get(e.source)) for r in reports] for reports, e in pairs]
            finally:
                self._end_workers()
        return self._in_each(self._whole, submission, fingerprint, found)

    def _in_each(self, make: Callable[..., R], *of: Any) -> list[R]:
        """What `make` says `of` this in each language of the run."""
        said = []
        for lang in self._langs:
            self._lang = lang
            said.append(make(*of))
        return said

    def _whole(self, submission: Submission, fingerprint: str, found: Sequence[Sequence[ExerciseReport]]) -> Report:
        exercises = tuple(reports[self._langs.index(self._lang)] for reports in found)
        said = submission.reason()
        score, most = total(e.score for e in exercises), total(e.max_score for e in exercises)
        status: Literal["graded", "rejected"] = "rejected" if submission.refused else "graded"
        reason = one_line(self._say(said), MOST_SAID) if said else None
        facts = (reason, score, most, fingerprint, self._environment, exercises)
        return Report(submission.student, status, *facts, submission.ignored)

    def _graded(
        self, asked: Sequence[Exercise], submission: Submission, seed: int, keep: bool
    ) -> Iterator[list[ExerciseReport]]:
        """Each exercise in each language, within the time that is left of the submission's."""
        self._left = self.course.settings.limits.submission_seconds
        for exercise in asked:
            source = submission.sources.get(exercise.source, Source())
            if source.refused:
                yield self._in_each(self._ungraded, exercise, "rejected", source.refused)
            elif source.text is None:
                books = ", ".join({s.path: None for s in submission.sources.values() if s.number})
                missing = (NO_WORK if books else MISSING).format(name=books, file=file_name(exercise.source))
                yield self._in_each(self._ungraded, exercise, "missing", missing)
            elif exercise.kind == "questions":
                yield self._questions(exercise, source.text, submission.student)
            else:
                grade = self._remembered if keep else self._exercise
                yield grade(exercise, source, seed)

    def _remembered(self, exercise: Exercise, source: Source, seed: int) -> list[ExerciseReport]:
        """As `_exercise`, which the same file goes through once. Results that are not certain are not kept."""
        text = repr((source.text, source.number, source.cells)).encode("utf-8", "surrogatepass")
        key = exercise.id, hashlib.sha256(text).digest(), seed
        reports = self._kept.pop(key, None) or self._exercise(exercise, source, seed)
        if all(check.verdict in CERTAIN for check in reports[0].checks):
            self._kept[key] = reports
        if len(self._kept) > KEPT:
            del self._kept[next(iter(self._kept))]
        return reports

    def _questions(self, exercise: Exercise, source: str, student: str) -> list[ExerciseReport]:
        if self._left <= 0:
            late = SPENT.format(seconds=self.course.settings.limits.submission_seconds)
            return self._in_each(self._report, exercise, self.papers[exercise.id].all_with("timeout", late), "")
        self._must_sum_up(exercise, self.papers[exercise.id].points())
        return self._in_each(self._sheet, exercise, self.papers.mark(exercise, source, student, self._left))

    def _sheet(self, exercise: Exercise, marked: Marked) -> ExerciseReport:
        found = tuple(
            Diagnosis(f"{exercise.id}/{wrong_answer.name}", self._say(wrong_answer.message), (result.id,))
            for result, wrong_answer in marked
            if wrong_answer
        )
        report = self._report(exercise, [result for result, _ in marked], "")
        return msgspec.structs.replace(report, diagnoses=() if self._silent else found)

    def _exercise(self, exercise: Exercise, source: Source, seed: int) -> list[ExerciseReport]:
        limits = self.course.settings.limits
        if self._left <= 0:
            late = SPENT.format(seconds=limits.submission_seconds)
            return self._in_each(self._report, exercise, self.suites.all_with(exercise.id, "timeout", late), "")
        self._must_sum_up(exercise, self.suites.points(exercise.id))
        pool = self._of_submission or self.pool
        target = StudentCode(pool, StudentFile.of(exercise, source), limits, self._left)
        try:
            reports = self._checked(exercise, target, seed)
            return [msgspec.structs.replace(report, file=source.place(target.needed)) for report in reports]
        finally:
            self._left -= target.spent

    def _on_both(
        self, exercise: Exercise, results: list[CheckResult], target: StudentCode, seed: int
    ) -> list[CheckResult]:
        """The results with those on CUDA, where the run has it, within the time that is left."""
        if self._second is None:
            return results
        there = target.elsewhere(self._second.pool, self._left - target.spent)
        try:
            return self._second.checked(exercise.id, results, there, seed)
        finally:
            self._left -= there.spent

    def _end_workers(self) -> None:
        """Those that served one submission."""
        for pool in (self._of_submission, self._second and self._second.pool):
            if pool:
                pool.close()

    def _checked(self, exercise: Exercise, target: StudentCode, seed: int) -> list[ExerciseReport]:
        try:
            target.load()
            if borrowed := forbidden(target):
                target.close()
                return self._in_each(self._ungraded, exercise, "rejected", borrowed, target.printed)
            results = self._on_both(exercise, self._run(exercise, target, seed), target, seed)
            if borrowed := borrowed_operator(exercise, results):
                return self._in_each(self._ungraded, exercise, "rejected", borrowed, target.printed)
        except LoadFailed as error:
            results = self.suites.all_with(exercise.id, error.verdict, error.reason, error.begun)
        finally:
            target.close()
        printed = target.printed
        reports = self._in_each(self._report, exercise, results, printed, self._diagnosed(exercise, results, target))
        quoted = self._quoted(results, target) if printed else None
        return [msgspec.structs.replace(report, printed=quoted) for report in reports]

    def _run(self, exercise: Exercise, target: StudentCode, seed: int) -> list[CheckResult]:
        """One check that hangs is tried again, but where a learner waits those after it are hurried instead."""
        results, hurried = [], self._options.hurried
        tries, begun = 0 if hurried else 1, not target.may_be_stub
        for result in self.suites.run(exercise.id, target, seed, tries=tries, begun=begun):
            results.append(result)
            if hurried and result.verdict == "timeout":
                target.hurry()
        return results

    def _quoted(self, results: Sequence[CheckResult], target: StudentCode) -> Printed | None:
        """What the call prints that the report quotes, where another run of it costs little."""
        shown = chief(results)
        if self._feedback != "full" or not shown or not shown.last or shown.verdict not in ("failed", "blocked"):
            return None
        return target.printed_by(shown.last)

    def _diagnosed(self, exercise: Exercise, results: Sequence[CheckResult], target: StudentCode) -> list[Found]:
        if self._silent or not any(r.begun for r in results if r.verdict not in FINE):
            return []
        try:
            return diagnose(exercise.id, self.suites[exercise.id], results, target.call)
        finally:
            target.close()

    def _report(
        self, exercise: Exercise, results: Sequence[CheckResult], printed: str, found: Sequence[Found] = ()
    ) -> ExerciseReport:
        failed, shown = [r for r in results if r.verdict not in FINE], chief(results)
        checks = pictured_once([self._check(r) for r in results], shown.id if shown else None)
        score = total(c.points for c in checks)
        most = total(c.max_points for c in checks if c.verdict != "skipped")
        diagnoses = tuple(Diagnosis(f.name, self._say(f.message), f.checks) for f in found)
        told = {check for f in found for check in f.checks}
        said = shown.reason if shown and self._may_tell(shown) else None
        if said and shown and shown.id not in told and exercise.kind == "code" and not self._silent:
            said = unrecognised(said, [r for r in results if r.id not in told], self.suites[exercise.id], shown.last)
        blank = [r for r in results if r.verdict == "skipped" and not r.begun]  # sentences that nobody wrote
        said = blank[0].reason if blank and not failed else said
        waiting = not (failed or blank or most) or any(r.waits for r in results)  # for a person, or the hidden suite
        started = score > 0 or waiting or not (failed or blank) or any(r.begun for r in failed)
        as_given = not score and any(f.as_given for f in found)
        status: Status = "failed" if failed or blank else "waiting" if waiting else "passed"
        reason = clean(self._say(said)) if said else None
        what_is_seen = (reason, score, most, checks, diagnoses, self._printed(printed))
        facts = started, not started or as_given, shown.id if shown else None
        return ExerciseReport(exercise.id, status, *what_is_seen, *facts)

    def _must_sum_up(self, exercise: Exercise, points: float) -> None:
        """Raises CourseError where the checks are worth another sum than course.yaml says: everyone has one maximum.

        The visible examples of a student's copy count for nothing.
        """
        if abs(points - exercise.points) > ROUNDING and not self.course.visible_only:
            said = f"its checks sum to {points:g} points, not {exercise.points:g} as course.yaml says"
            raise CourseError(f"tests/hidden/{exercise.id}.py: {said}; `grader lint` lists all such")

    def _check(self, result: CheckResult) -> Check:
        points = result.max_points if result.verdict == "passed" else 0.0
        full = self._feedback == "full"
        reason = self._say(result.reason) if self._may_tell(result) else ""
        values, found = result.detail if full and result.detail else (None, None)
        if values:
            reason += "\n" + self._say(values)
        picture = found.picture(self._lang) if found else None
        title, seconds = self._say(result.title), 0.0 if self._silent else round(result.seconds, 4)
        facts = (result.verdict, points, result.max_points, clean(reason), seconds, picture)
        return Check(result.id, title, *facts, answer=result.answer, blank=result.blank, cuda=result.cuda)

    def _ungraded(self, exercise: Exercise, status: Status, reason: Text, printed: str = "") -> ExerciseReport:
        most = float(exercise.points) if exercise.kind == "code" else self.papers[exercise.id].automatic
        said = one_line(self._say(reason), MOST_SAID)
        return ExerciseReport(exercise.id, status, said, 0.0, most, stdout=self._printed(printed))

    @property
    def _feedback(self) -> str:
        """What may be shown, see docs/assessment.md: full, hints or verdict."""
        return self.course.settings.feedback

    @property
    def _silent(self) -> bool:
        """Whether this is an exam: no reason is shown, but why there was nothing to check."""
        return self._feedback == "verdict"

    def _may_tell(self, result: CheckResult) -> bool:
        """Whether students may read the reason: in an exam only why there was nothing to check."""
        return not self._silent or result.verdict == "skipped" or result.of_file

    def _printed(self, text: str) -> str:
        """What the code wrote, which may hold the inputs."""
        return clean(text, self.course.settings.limits.output_kb << 10) if self._feedback == "full" else ""

    def _say(self, text: Text) -> str:
        return (text if self._feedback == "full" else text.without_values()).to(self._lang)


MISSING = translated("{file} is missing")
SPENT = translated("not run: the exercises before it took the {seconds:g} s that a submission may take")


def _placed(report: ExerciseReport, source: Source | None) -> ExerciseReport:
    """The report with where the work was found."""
    place = source.place() if source and not report.file else ""
    return msgspec.structs.replace(report, file=place) if place else report
