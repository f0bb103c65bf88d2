"""Results as a report in one language, which holds no more than the course's feedback allows."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Literal

import msgspec

from grader.course import Course, Exercise
from grader.diagnosis import Found, unrecognised
from grader.grading.headline import chief, pictured_once
from grader.intake import Submission
from grader.questions import Marked, Papers
from grader.report import Check, Diagnosis, Environment, ExerciseReport, Report, Status, total
from grader.suites import CheckResult, Suites
from grader.texts import Text, clean, one_line

MOST_SAID = 8000  # characters about a file that could not be used


@dataclasses.dataclass(frozen=True)
class Writer:
    """Writes the reports of a run in one of its languages."""

    lang: str
    course: Course
    suites: Suites
    papers: Papers
    environment: Environment

    def whole(self, submission: Submission, fingerprint: str, exercises: Sequence[ExerciseReport]) -> Report:
        """The report on a submission, of those on its exercises."""
        said = submission.reason()
        score, most = total(e.score for e in exercises), total(e.max_score for e in exercises)
        status: Literal["graded", "rejected"] = "rejected" if submission.refused else "graded"
        reason = one_line(self._say(said), MOST_SAID) if said else None
        facts = (reason, score, most, fingerprint, self.environment, tuple(exercises))
        return Report(submission.student, status, *facts, submission.ignored)

    def report(
        self, exercise: Exercise, results: Sequence[CheckResult], printed: str, found: Sequence[Found] = ()
    ) -> ExerciseReport:
        """An exercise whose checks were run, with the mistakes that were found behind those that failed."""
        failed, shown = [r for r in results if r.failed], chief(results)
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

    def sheet(self, exercise: Exercise, marked: Marked) -> ExerciseReport:
        """An exercise of questions."""
        found = tuple(
            Diagnosis(f"{exercise.id}/{wrong_answer.name}", self._say(wrong_answer.message), (result.id,))
            for result, wrong_answer in marked
            if wrong_answer and self._say(wrong_answer.message)
        )
        report = self.report(exercise, [result for result, _ in marked], "")
        return msgspec.structs.replace(report, diagnoses=() if self._silent else found)

    def ungraded(self, exercise: Exercise, status: Status, reason: Text, printed: str = "") -> ExerciseReport:
        """An exercise of which nothing was run, or nothing counts."""
        most = float(exercise.points) if exercise.kind == "code" else self.papers[exercise.id].automatic
        said = one_line(self._say(reason), MOST_SAID)
        return ExerciseReport(exercise.id, status, said, 0.0, most, stdout=self._printed(printed))

    def remarks(self, said: Sequence[Text]) -> tuple[str, ...]:
        """What there is to say of a file beside its results."""
        return tuple(one_line(self._say(text), MOST_SAID) for text in said)

    def _check(self, result: CheckResult) -> Check:
        points = result.max_points if result.verdict == "passed" else 0.0
        full = self._feedback == "full"
        reason = self._say(result.reason) if self._may_tell(result) else ""
        values, found = result.detail if full and result.detail else (None, None)
        if values:
            reason += "\n" + self._say(values)
        picture = found.picture(self.lang) if found else None
        title, seconds = self._say(result.title), 0.0 if self._silent else round(result.seconds, 4)
        facts = (result.verdict, points, result.max_points, clean(reason), seconds, picture)
        return Check(result.id, title, *facts, answer=result.answer, blank=result.blank, cuda=result.cuda)

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
        return (text if self._feedback == "full" else text.without_values()).to(self.lang)
