"""A student's code at work, as `grader generate` shows it: a script of the course runs behind it, in the sandbox."""

from __future__ import annotations

import dataclasses

from grader.errors import CourseError
from grader.grading.grade import MISSING, Grader
from grader.intake import Source, Submission
from grader.sandbox.processes import Part
from grader.suites import Call, LoadFailed, NoAnswer, StudentCode, StudentFile, exceptions
from grader.texts import Text, clean, translated

BEGIN, GO_ON = "begin", "go_on"
SECONDS = 3600.0  # for all of it: who watches can end it
PART_SECONDS = 60.0
BROKEN = translated("the script of the course returns something else than text")
UNWRITTEN = translated("it is not written yet: it still raises NotImplementedError")


def begun(
    grader: Grader, submission: Submission, exercise_id: str, script: str, arguments: tuple[str | int, ...]
) -> Part:
    """The first part of an exercise's code with the course's `script` behind it, whose `begin` gets the arguments."""
    if grader.performance:
        grader.performance.close()
    exercise = grader.course.exercise(exercise_id)
    source = submission.sources.get(exercise.source, Source())
    if source.text is None:
        return Part(error=source.refused or MISSING.format(file=f"{exercise.id}.py"))
    file = StudentFile.of(exercise, submission)
    file = dataclasses.replace(file, source=f"{file.source}\n\n{script}", graded=(BEGIN, GO_ON))
    limits = dataclasses.replace(grader.course.settings.limits, call_seconds=PART_SECONDS, exercise_seconds=SECONDS)
    grader.performance = StudentCode(grader.pool, file, limits, SECONDS)
    try:
        grader.performance.load()
    except LoadFailed as failed:
        return Part(error=failed.reason)
    asked = _asked(grader.performance, Call(BEGIN, arguments))
    return asked if isinstance(asked, Part) else gone_on(grader)


def gone_on(grader: Grader) -> Part:
    """The next part. Raises CourseError where nothing was begun, or where the script gives no text."""
    if grader.performance is None:
        raise CourseError("nothing was begun that could go on")
    asked = _asked(grader.performance, Call(GO_ON, ()))
    if isinstance(asked, Part):
        return asked
    if not isinstance(asked, str):
        raise CourseError(BROKEN.to(grader.course.settings.languages[0]))
    return Part(clean(asked))


def _asked(code: StudentCode, call: Call) -> object:
    """The value, or a last part that says why there is none."""
    try:
        outcome = code.call(call)
    except NoAnswer as lost:
        return Part(error=lost.reason)
    if outcome.raised is None:
        return outcome.value
    said: Text = UNWRITTEN if exceptions.not_started(outcome.raised) else exceptions.raised(outcome.raised)
    return Part(error=said)
