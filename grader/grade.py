"""One submission to one Report: the only place where the steps meet."""

from __future__ import annotations

import dataclasses
import hashlib
import platform
import time
from collections.abc import Iterator, Sequence

import torch

from grader import diagnose, observe
from grader.course import Course, Exercise, file_name
from grader.devices import choose, reach_cuda
from grader.marking import Papers
from grader.nursery import Nursery
from grader.report import Check, Diagnosis, Environment, ExerciseReport, Report, total
from grader.sandbox import LoadFailed, StudentTarget
from grader.submission import Source, Submission
from grader.suite import CheckResult, Suites
from grader.withheld import forbids
from grader.words import Text, both, clean, plain


@dataclasses.dataclass(frozen=True)
class Options:
    """How a run grades. `device` is auto, cpu or cuda; `only` names exercises, () for all; `kit` is our version."""

    lang: str = "en"
    device: str = "auto"
    only: tuple[str, ...] = ()
    kit: str = ""


KEPT = 500  # files of a batch whose results a lane remembers; a report of one takes some 20 KB
CERTAIN = ("passed", "failed", "skipped")  # what another run would find again; the rest may be the machine's doing


class Grader:
    """Suites, references and a nursery, ready for one submission after another.

    Raises:
        CourseError: suites or solutions are broken, or CUDA was asked for where there is none.
    """

    def __init__(self, course: Course, options: Options, nursery: Nursery) -> None:
        self._course = course
        self._options = options
        self._nursery = nursery
        self.isolation = nursery.layers
        self.exercises = [e for e in course.exercises if not options.only or e.id in options.only]
        self.device, devices = choose(options.device, course, lambda: reach_cuda(nursery, course))
        code = [e.id for e in self.exercises if e.kind == "code"]
        self.suites = Suites({i: course.suite(i) for i in code}, {i: course.solution(i) for i in code}, self.device)
        self.papers = Papers(course, nursery)
        self._kept: dict[tuple[str, bytes, int], ExerciseReport] = {}
        self._environment = Environment(
            options.kit, platform.python_version(), torch.__version__, devices, nursery.layers
        )  # fmt: skip

    def grade(self, submission: Submission, fingerprint: str, seed: int, only: Sequence[str] = ()) -> Report:
        """Grade with inputs drawn from `seed`; of the exercises opened for, those that `only` names, if any.

        With a fingerprint, which names all that the result depends on, a file of an exercise that is byte for byte one
        that was graded before gets that one's result: stubs that nobody touched are most of a class's files.

        Raises:
            MachineError: the machine is at fault.
            CourseError: the course is.
        """
        asked = [e for e in self.exercises if not only or e.id in only]
        if submission.refused:
            exercises = tuple(self._ungraded(e, "rejected", submission.refused) for e in asked)
        else:
            exercises = tuple(self._graded(asked, submission, seed, keep=bool(fingerprint)))
        status, said = ("rejected", submission.refused) if submission.refused else ("graded", None)
        if submission.ignored:
            said = IGNORED.format(names=", ".join(submission.ignored))
        reason = clean(self._say(said)) if said else None
        score, most = total(e.score for e in exercises), total(e.max_score for e in exercises)
        return Report(submission.student, status, reason, score, most, fingerprint, self._environment, exercises)

    def _graded(
        self, asked: Sequence[Exercise], submission: Submission, seed: int, keep: bool
    ) -> Iterator[ExerciseReport]:
        """Each exercise, within the time that is left of the submission's."""
        end = time.monotonic() + self._course.settings.limits.submission_seconds
        for exercise in asked:
            source, left = submission.sources.get(exercise.source, Source()), end - time.monotonic()
            if source.refused:
                yield self._ungraded(exercise, "rejected", source.refused)
            elif source.text is None:
                yield self._ungraded(exercise, "missing", MISSING.format(file=file_name(exercise.source)))
            elif exercise.kind == "questions":
                yield self._questions(exercise, source.text, submission.student, left)
            else:
                grade = self._remembered if keep else self._exercise
                yield grade(exercise, source.text, seed, left)

    def _remembered(self, exercise: Exercise, source: str, seed: int, left: float) -> ExerciseReport:
        """As `_exercise`, which the same file goes through once. Results that are not certain are not kept."""
        key = exercise.id, hashlib.sha256(source.encode("utf-8", "surrogatepass")).digest(), seed
        report = self._kept.pop(key, None) or self._exercise(exercise, source, seed, left)
        if all(check.verdict in CERTAIN for check in report.checks):
            self._kept[key] = report
        if len(self._kept) > KEPT:
            del self._kept[next(iter(self._kept))]
        return report

    def _questions(self, exercise: Exercise, source: str, student: str, left: float) -> ExerciseReport:
        if left <= 0:
            late = SPENT.format(seconds=self._course.settings.limits.submission_seconds)
            return self._report(exercise, self.papers[exercise.id].all_with("timeout", late), "")
        marked = self.papers.mark(exercise, source, student, left)
        found = tuple(
            Diagnosis(f"{exercise.id}/{slip.name}", self._say(slip.message), (result.id,))
            for result, slip in marked
            if slip
        )
        report = self._report(exercise, [result for result, _ in marked], "")
        silent = self._course.settings.feedback == "verdict"
        return dataclasses.replace(report, diagnoses=() if silent else found)

    def _exercise(self, exercise: Exercise, source: str, seed: int, left: float) -> ExerciseReport:
        limits = self._course.settings.limits
        if left <= 0:
            late = SPENT.format(seconds=limits.submission_seconds)
            return self._report(exercise, self.suites.all_with(exercise.id, "timeout", late), "")
        target = StudentTarget(self._nursery, exercise, source, limits, left)
        try:
            target.load()
            if borrowed := forbidden(exercise, target.facts):
                target.close()
                return self._ungraded(exercise, "rejected", borrowed, target.printed)
            results = list(self.suites.run(exercise.id, target, seed))
            if borrowed := borrowed_operator(exercise, results):
                return self._ungraded(exercise, "rejected", borrowed, target.printed)
        except LoadFailed as error:
            results = self.suites.all_with(exercise.id, error.verdict, error.reason)
        finally:
            target.close()
        return self._report(exercise, results, target.printed)

    def _report(self, exercise: Exercise, results: Sequence[CheckResult], printed: str) -> ExerciseReport:
        checks = pictured_once([self._check(r) for r in results])
        failed = [r for r in results if r.verdict not in ("passed", "skipped")]
        score = total(c.points for c in checks)
        most = total(c.max_points for c in checks if c.verdict != "skipped")
        status = "failed" if failed else "passed"
        said = chief_reason(failed) if failed else None
        found = self._diagnoses(exercise, results) if failed and exercise.kind == "code" else ()
        if said and not found and exercise.kind == "code" and self._course.settings.feedback != "verdict":
            said = observe.unrecognised(said, results, self.suites[exercise.id])
        reason = clean(self._say(said)) if said else None
        return ExerciseReport(exercise.id, status, reason, score, most, checks, found, self._printed(printed))

    def _diagnoses(self, exercise: Exercise, results: Sequence[CheckResult]) -> tuple[Diagnosis, ...]:
        if self._course.settings.feedback == "verdict":
            return ()
        suite = self.suites[exercise.id]
        matches = diagnose.match(results, suite.reference, suite.misconceptions)
        return tuple(
            Diagnosis(f"{exercise.id}/{m.misconception.name}", self._say(both(m.misconception.message)), m.checks)
            for m in matches
        )

    def _check(self, result: CheckResult) -> Check:
        points = result.max_points if result.verdict == "passed" else 0.0
        feedback = self._course.settings.feedback
        reason = self._say(result.reason) if feedback != "verdict" or result.verdict == "skipped" else ""
        values, found = result.detail if feedback == "full" and result.detail else (None, None)
        if values:
            reason += "\n" + self._say(values)
        picture = found.picture(self._options.lang) if found else None
        title, seconds = self._say(result.title), round(result.seconds, 4)
        return Check(result.id, title, result.verdict, points, result.max_points, clean(reason), seconds, picture)

    def _ungraded(self, exercise: Exercise, status: str, reason: Text, printed: str = "") -> ExerciseReport:
        most = exercise.points if exercise.kind == "code" else self.papers[exercise.id].automatic
        said = clean(self._say(reason))
        return ExerciseReport(exercise.id, status, said, 0.0, most, (), (), self._printed(printed))

    def _printed(self, text: str) -> str:
        return clean(text, self._course.settings.limits.output_kb << 10)

    def _say(self, text: Text) -> str:
        return text.to(self._options.lang)


MISSING = Text("{file} is missing", "缺少 {file}")
IGNORED = Text("ignored, since only the exercises' files are read: {names}", "已忽略（只读取练习文件）：{names}")
SPENT = Text(
    "not run: the exercises before it took the {seconds:g} s that a submission may take",
    "未运行：前面的练习已用完一份提交可用的 {seconds:g} 秒",
)
BORROWED = Text(
    "line {line} uses {name}, which would do this exercise's work; write it yourself from simpler operations",
    "第 {line} 行使用了 {name}，它替你完成了本练习；请用更基本的运算自己实现",
)
RAN = Text(
    "the code runs torch's {name} ({call} is not allowed here); write it yourself from simpler operations",
    "代码运行了 torch 的 {name}（此处不允许使用 {call}）；请用更基本的运算自己实现",
)


def pictured_once(checks: Sequence[Check]) -> tuple[Check, ...]:
    """The checks with one picture for those that differ in dtype only, which keeps reports small."""
    first = {c.title: c for c in reversed(checks) if c.picture}
    return tuple(c if first.get(c.title) is c else dataclasses.replace(c, picture=None) for c in checks)


def chief_reason(failed: Sequence[CheckResult]) -> Text:
    """What to tell first: the failure with the smallest input, since that is the easiest to follow."""
    return min(failed, key=lambda r: (r.size == 0, r.size)).reason


def forbidden(exercise: Exercise, facts: dict[str, object]) -> Text | None:
    """The first call in the source that the exercise forbids."""
    match facts.get("borrowed"):
        case [str(name), int(line)] if name in exercise.forbid:
            return BORROWED.format(line=line, name=name)
    return None


def borrowed_operator(exercise: Exercise, results: Sequence[CheckResult]) -> Text | None:
    """The first operator that ran and that the exercise forbids, under whatever name it was called."""
    for name in sorted({name for r in results for _, outcome in r.calls for name in outcome.operators}):
        if call := forbids(exercise.forbid, name):
            return RAN.format(name=plain(name.strip("_")), call=call)
    return None
