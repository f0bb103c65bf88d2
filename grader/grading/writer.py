"""Turns results into a report with everything that is known, in no language; readers see what the course allows."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Literal

import msgspec

from grader.course import Course, Exercise
from grader.diagnosis import unrecognised
from grader.grading.charging import counted
from grader.intake import Submission
from grader.questions import Marked, Papers
from grader.report import Check, Diagnosis, Environment, ExerciseReport, Report, Status, total
from grader.suites import CheckResult, Suites, lenient
from grader.texts import Text, clean, one_line, translated

AND_WHERE = translated("{reason}\n{where}")
MOST_SAID = 8000  # characters about a file that could not be used


@dataclasses.dataclass(frozen=True)
class Writer:
    """Writes the reports of a run."""

    course: Course
    suites: Suites
    papers: Papers
    environment: Environment

    def whole(self, submission: Submission, fingerprint: str, exercises: Sequence[ExerciseReport]) -> Report:
        """Return the report on a submission, made of those on its exercises."""
        said = submission.reason()
        score, most = total(e.score for e in exercises), total(e.max_score for e in exercises)
        status: Literal["graded", "rejected"] = "rejected" if submission.refused else "graded"
        return Report(
            student=submission.student, status=status, reason=said and said.each(in_a_line), score=score,
            max_score=most, fingerprint=fingerprint, environment=self.environment, exercises=tuple(exercises),
            ignored=submission.ignored,
        )  # fmt: skip

    def report(
        self, exercise: Exercise, results: Sequence[CheckResult], printed: str, diagnoses: Sequence[Diagnosis] = (),
        where: Text | None = None,
    ) -> ExerciseReport:  # fmt: skip
        """Return the report on an exercise whose checks were run, with the located mistakes behind failures."""
        named = {d.misconception for d in diagnoses}
        known = self.suites[exercise.id].misconceptions if named else ()
        as_given = any(m.stub and f"{exercise.id}/{m.name}" in named for m in known)  # it does what it did then
        if exercise.kind == "code":
            once = self.course.settings.charge == "once"
            results = counted(results, diagnoses, exercise.points, once, as_given)
        failed, shown = [r for r in results if r.failed], chief(results)
        checks = pictured_once([_check(r) for r in results], shown.id if shown else None)
        score = total(c.points for c in checks)
        most = total(c.max_points for c in checks if c.verdict != "skipped")
        told = {check for d in diagnoses for check in d.checks}
        said = shown.reason if shown else None
        if said and shown and shown.id not in told and exercise.kind == "code":
            rest, suite = [r for r in results if r.id not in told], self.suites[exercise.id]
            own = any(d.misconception.startswith(f"{exercise.id}/") for d in diagnoses)
            said = unrecognised(said, rest, suite, shown.last, own)
        if said and where:
            said = AND_WHERE.format(reason=said, where=where)
        blank = [r for r in results if r.verdict == "skipped" and not r.attempted]  # sentences that nobody wrote
        said = blank[0].reason if blank and not failed else said
        waiting = not (failed or blank or most) or any(r.waits for r in results)  # for a person, or the hidden suite
        started = score > 0 or waiting or not (failed or blank) or any(r.attempted for r in failed)
        status: Status = "failed" if failed or blank else "waiting" if waiting else "passed"
        return ExerciseReport(
            id=exercise.id, status=status, reason=said.each(clean) if said else None, score=score, max_score=most,
            checks=checks, diagnoses=tuple(diagnoses), stdout=self._printed(printed), started=started,
            stub=not started or (as_given and not score), chief=shown.id if shown else None,
            remarks=lenient.told([pair for r in results for pair in r.calls]),
        )  # fmt: skip

    def sheet(self, exercise: Exercise, marked: Marked) -> ExerciseReport:
        """Return the report on an exercise of questions."""
        found = tuple(
            Diagnosis(f"{exercise.id}/{wrong_answer.name}", wrong_answer.message, (result.id,))
            for result, wrong_answer in marked
            if wrong_answer
        )
        report = self.report(exercise, [result for result, _ in marked], "")
        return msgspec.structs.replace(report, diagnoses=found)

    def ungraded(self, exercise: Exercise, status: Status, reason: Text, printed: str = "") -> ExerciseReport:
        """Return the report on an exercise of which nothing was run, or nothing counts."""
        questions = exercise.kind == "questions"
        most = self.papers[exercise.id].automatic if questions else float(exercise.points)
        said = reason.each(in_a_line)
        return ExerciseReport(exercise.id, status, said, 0.0, most, stdout=self._printed(printed))

    def _printed(self, text: str) -> str:
        return clean(text, self.course.settings.limits.output_kb << 10)


def _check(result: CheckResult) -> Check:
    """Return the part of a result that the report keeps."""
    kept = {name: getattr(result, name) for name in Check.__struct_fields__}
    return Check(**{**kept, "reason": result.reason.each(clean), "seconds": round(result.seconds, 4)})


def in_a_line(text: str) -> str:
    """Return a stranger's text about an unusable file in one line."""
    return one_line(text, MOST_SAID)


def pictured_once(checks: Sequence[Check], chief: str | None = None) -> tuple[Check, ...]:
    """Return the checks with one picture, the `chief`'s own, for those that differ only in dtype, to save space."""
    in_order = sorted(checks, key=lambda c: c.id != chief)
    first = {c.title: c for c in reversed(in_order) if c.picture}
    return tuple(c if first.get(c.title) is c else msgspec.structs.replace(c, picture=None) for c in checks)


def chief(results: Sequence[CheckResult]) -> CheckResult | None:
    """Return the failed check that shows the mistake best; answered questions come before others."""
    return min((r for r in results if r.failed), key=lambda r: (r.blank, r.salience), default=None)
