"""What a student's code computes in one call, step by step, beside what the solution computes there."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from grader.diagnosis import Beside, beside, claimed, file_of, is_plain, misconceptions, oddness, solution
from grader.errors import CourseError
from grader.grading import shown_values
from grader.grading.failing_call import call_of, checked
from grader.grading.grade import Grader
from grader.grading.headline import chief
from grader.report import in_parts
from grader.sandbox.processes import OfferedCheck, ShownStep, ShownSteps, ShowSteps
from grader.sandbox.worker import MOST_RECORDS, UNFILLED
from grader.suites import (
    MOST,
    Call,
    CheckResult,
    ExpectedCall,
    LoadFailed,
    NoAnswer,
    Outcome,
    StudentCode,
    Suite,
    exceptions,
    wording,
)
from grader.texts import NOTHING, Text, one_line

MOST_STEPS = 40
MOST_LETTERS = 200  # of a line


def shown(grader: Grader, request: ShowSteps) -> ShownSteps:
    """The steps of the call that is asked for, which is made alone.

    Raises:
        CourseError: the course shows no values, or there is no such call.
    """
    feedback = grader.course.settings.feedback
    if feedback != "full":
        raise CourseError(f"this course shows neither inputs nor results (feedback: {feedback}), so no steps either")
    if grader.course.exercise(request.exercise).kind == "tests":
        raise CourseError(f"{request.exercise} asks for calls, and the solution's would be the answer")
    try:
        code, results = checked(grader, request)
    except LoadFailed as failed:
        return ShownSteps(error=failed.reason)
    suite = grader.suites[request.exercise]
    result, call = _chosen(results, suite, request)
    known = ExpectedCall(_alone(call), suite.key)
    came, lost = _made(code, known.call, suite)
    compared = suite.kind == "torch" and not grader.course.visible_only
    steps = _steps(came, known.call, suite, compared)
    kept, lines = _kept(steps), code.source.splitlines()
    problem = exceptions.raised(came.raised) if came.raised else lost
    return ShownSteps(
        _offered(results), result.id, result.title, call.function, known.words(),
        tuple(_shown(number, steps[number], lines) for number in kept), len(steps) - len(kept),
        () if problem else tuple(shown_values.results(came.value, known)),
        wording.FOR_CALL.format(call=known.words(), problem=problem) if problem else NOTHING,
        bool(known.outcome.raised and known.outcome.raised.refuses), compared, tuple(shown_values.inputs(known)),
    )  # fmt: skip


def _made(code: StudentCode, call: Call, suite: Suite) -> tuple[Outcome, Text]:
    """What comes of the call, or why nothing does."""
    try:
        return code.call(dataclasses.replace(call, record="steps") if suite.kind == "torch" else call), NOTHING
    except NoAnswer as lost:
        return Outcome(), lost.reason
    finally:
        code.close()


def _steps(came: Outcome, call: Call, suite: Suite, compared: bool) -> list[Beside]:
    """The steps whose values say something, beside the solution's where those may be shown."""
    taken = claimed(came, MOST_RECORDS)
    found = [Beside(step, "unknown") for step in taken]
    if compared:
        function = suite.reference[call.function]
        found = beside(call, came, taken, solution(function, file_of(function), call))
    return [step for step in found if step.step.operation not in UNFILLED]


def _kept(steps: Sequence[Beside]) -> list[int]:
    """The numbers of the first steps, and of the first wrong one."""
    first, kept = next((number for number, step in enumerate(steps) if step.first), 0), range(len(steps))[:MOST_STEPS]
    return [*kept] if first < MOST_STEPS else [*kept[:-1], first]


def _shown(number: int, found: Beside, lines: Sequence[str]) -> ShownStep:
    step = found.step
    code = one_line(lines[step.line - 1].strip(), MOST_LETTERS) if 0 < step.line <= len(lines) else ""
    return ShownStep(number + 1, step.line, step.caller, code, shown_values.of_step(found), found.first)


def _chosen(results: Sequence[CheckResult], suite: Suite, request: ShowSteps) -> tuple[CheckResult, Call]:
    """The check that is asked for with its most telling call; else what a report quotes; else an ordinary call."""
    failed = chief(results)
    asked = [r for r in results if r.id == request.check] if request.check else [failed] if failed else results
    if not asked:
        raise CourseError(f"{request.exercise} has no check {request.check!r}")
    found = [(result, call) for result in asked if (call := _telling(result, suite))]
    if not found:
        raise CourseError(f"no call of {request.exercise} can be shown here")
    return next((pair for pair in found if is_plain(pair[1]) and _is_small(pair[1])), found[0])


def _telling(result: CheckResult, suite: Suite) -> Call | None:
    """The call of a check to look at: of one that failed the call that it is about, unless that is a large one."""
    if not result.failed:
        calls = [call for call, outcome in result.calls if not outcome.raised] or [call for call, _ in result.calls]
        return min(calls, key=lambda c: (not is_plain(c), not _is_small(c), *oddness(c)), default=None)
    last = call_of(result)
    if last is None or _is_small(last):
        return last
    evidence = misconceptions.collected([result], suite.reference)
    wrong = [e.call for e in evidence if e.broken("value") and _is_small(e.call)]
    return min(wrong, key=oddness, default=last)


def _is_small(call: Call) -> bool:
    """Whether each matrix among the inputs is small enough to look at."""
    return all(max(array.shape[-2:], default=0) <= MOST for array in call.arrays)


def _alone(call: Call) -> Call:
    """The call, of several in a row the first, of which nothing but the value is asked for."""
    return Call(
        call.function, call.args[0] if call.turns else call.args, call.kwargs,
        made=call.made and dataclasses.replace(call.made, objects=1), take=call.take, left=call.left, nan=call.nan,
    )  # fmt: skip


def _offered(results: Sequence[CheckResult]) -> tuple[OfferedCheck, ...]:
    """The checks with a call; of those that differ in dtype only, one that failed or whose dtype is precise."""
    found: dict[str, CheckResult] = {}
    for result in results:
        call = call_of(result)
        if call is None:
            continue
        before = found.setdefault(in_parts(result.id)[0], result)
        if not before.failed and (result.failed or not is_plain(call_of(before) or call)):
            found[in_parts(result.id)[0]] = result
    return tuple(OfferedCheck(r.id, r.title, r.verdict) for r in found.values())
