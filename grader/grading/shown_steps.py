"""Shows the steps of a student's code in one call, beside the solution's."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
import numpy as np

from grader import arrays
from grader.arrays import Numpy
from grader.closeness import LEAST, VISIBLE, largest, within
from grader.diagnosis import Beside, beside, claimed, collected, file_of, is_plain, oddness, solution
from grader.diagnosis.first_wrong_step import State
from grader.errors import CourseError
from grader.grading.failing_call import call_of, checked, code_of
from grader.grading.grade import Grader
from grader.grading.typed_call import typed
from grader.grading.writer import chief
from grader.pytree import leaves
from grader.report import Picture, in_parts
from grader.sandbox.processes import OfferedCheck, ShownStep, ShownSteps, ShownValue, ShowSteps
from grader.sandbox.worker import MOST_RECORDS, UNFILLED, wire
from grader.suites import (
    MOST,
    Call,
    CheckResult,
    Compared,
    ExpectedCall,
    LoadFailed,
    NoAnswer,
    Outcome,
    StudentCode,
    Suite,
    exceptions,
    excerpts,
    result_form,
    wording,
)
from grader.texts import NOTHING, Text, one_line, plain

MOST_STEPS = 40
LONGEST_LINE = 200  # letters
MOST_MATRICES = 4  # of one value
MOST_RESULTS = 32
LARGEST = 1 << 53  # a whole number that float64 still has exactly
MOST_LETTERS = 80  # of a value
ABSENT = object()


def shown(grader: Grader, request: ShowSteps) -> ShownSteps:
    """Return the steps of the requested call, which is made alone.

    Raises:
        CourseError: the course shows no values, or there is no such call.
    """
    feedback = grader.course.settings.feedback
    if feedback != "full" and not request.teacher:
        raise CourseError(f"this course shows neither inputs nor results (feedback: {feedback}), so no steps either")
    exercise = grader.course.exercise(request.exercise)
    if exercise.kind == "tests" and not request.teacher:
        raise CourseError(f"{request.exercise} asks for calls, and the solution's would be the answer")
    try:
        code, results = code_of(grader, request.submission, request.exercise), list[CheckResult]()
        if not request.call:
            results = checked(grader, code, request.exercise, request.seed)
    except LoadFailed as failed:
        return ShownSteps(error=failed.reason)
    suite = grader.suites[request.exercise]
    check, title, call = _chosen(results, suite, request, exercise.functions)
    known = ExpectedCall(_single(call), suite.key)
    came, lost = _made(code, known.call, suite)
    compared = suite.kind == "torch" and not grader.course.visible_only
    steps = _steps(came, known.call, suite, compared)
    kept, lines = _kept(steps), code.source.splitlines()
    problem = exceptions.raised(came.raised) if came.raised else lost
    return ShownSteps(
        _offered(results), check, title, call.function, known.words(),
        tuple(_shown(number, steps[number], lines) for number in kept), len(steps) - len(kept),
        () if problem else tuple(_results(came.value, known)),
        wording.FOR_CALL.format(call=known.words(), problem=problem) if problem else NOTHING,
        bool(known.outcome.raised and known.outcome.raised.refuses), compared, tuple(_inputs(known)),
    )  # fmt: skip


def _made(code: StudentCode, call: Call, suite: Suite) -> tuple[Outcome, Text]:
    """Make the call; return its outcome, with a sentence if there is none."""
    try:
        return code.call(dataclasses.replace(call, record="steps") if suite.kind == "torch" else call), NOTHING
    except NoAnswer as lost:
        return Outcome(), lost.reason
    finally:
        code.close()


def _steps(came: Outcome, call: Call, suite: Suite, compared: bool) -> list[Beside]:
    """Return the steps with informative values, beside the solution's if those may be shown."""
    taken = claimed(came, MOST_RECORDS)
    found = [Beside(step, "unknown") for step in taken]
    if compared:
        function = suite.reference[call.function]
        found = beside(call, came, taken, solution(function, file_of(function), call))
    return [step for step in found if step.step.operation not in UNFILLED]


def _kept(steps: Sequence[Beside]) -> list[int]:
    """Return the numbers of the first steps, and of the first wrong one."""
    first, kept = next((number for number, step in enumerate(steps) if step.first), 0), range(len(steps))[:MOST_STEPS]
    return [*kept] if first < MOST_STEPS else [*kept[:-1], first]


def _shown(number: int, found: Beside, lines: Sequence[str]) -> ShownStep:
    step = found.step
    code = one_line(lines[step.line - 1].strip(), LONGEST_LINE) if 0 < step.line <= len(lines) else ""
    return ShownStep(number + 1, step.line, step.caller, code, _of_step(found), found.first)


def _chosen(
    results: Sequence[CheckResult], suite: Suite, request: ShowSteps, functions: Sequence[str]
) -> tuple[str, Text, Call]:
    """Return the typed call; else the clearest call of the requested check; else the call that a report quotes; else
    an ordinary call. Before it come the id and the title of its check.
    """
    if request.call:
        return "", NOTHING, typed(request.call, suite, functions)
    failed = chief(results)
    asked = [r for r in results if r.id == request.check] if request.check else [failed] if failed else results
    if not asked:
        raise CourseError(f"{request.exercise} has no check {request.check!r}")
    found = [(result, call) for result in asked if (call := _telling(result, suite))]
    if not found:
        raise CourseError(f"no call of {request.exercise} can be shown here")
    result, call = next((pair for pair in found if is_plain(pair[1]) and _is_small(pair[1])), found[0])
    return result.id, result.title, call


def _telling(result: CheckResult, suite: Suite) -> Call | None:
    """Return the call of a check to look at: for a failed one, the call that it is about, unless that is large."""
    if not result.failed:
        calls = [call for call, outcome in result.calls if not outcome.raised] or [call for call, _ in result.calls]
        return min(calls, key=lambda c: (not is_plain(c), not _is_small(c), *oddness(c)), default=None)
    last = call_of(result)
    if last is None or _is_small(last):
        return last
    evidence = collected([result], suite.reference)
    wrong = [e.call for e in evidence if e.broken("value") and _is_small(e.call)]
    return min(wrong, key=oddness, default=last)


def _is_small(call: Call) -> bool:
    """Return True if each matrix among the inputs is small enough to look at."""
    return all(max(array.shape[-2:], default=0) <= MOST for array in call.arrays)


def _single(call: Call) -> Call:
    """Return the call, or the first of several in a row, with only its value asked for."""
    return Call(
        call.function, call.args[0] if call.turns else call.args, call.kwargs,
        made=call.made and dataclasses.replace(call.made, objects=1), take=call.take, left=call.left, nan=call.nan,
    )  # fmt: skip


def _offered(results: Sequence[CheckResult]) -> tuple[OfferedCheck, ...]:
    """Return the checks with a call; of those that differ only in dtype, one that failed or has a precise dtype."""
    found: dict[str, CheckResult] = {}
    for result in results:
        call = call_of(result)
        if call is None:
            continue
        before = found.setdefault(in_parts(result.id)[0], result)
        if not before.failed and (result.failed or not is_plain(call_of(before) or call)):
            found[in_parts(result.id)[0]] = result
    return tuple(OfferedCheck(r.id, r.title, r.verdict) for r in found.values())


def _of_step(found: Beside) -> ShownValue:
    """Return the value of a step, beside the value of the solution's step that it stands for."""
    name, value = plain(found.step.operation), found.step.value
    if found.expected is None or (actual := _numbers(value)) is None:
        return _alone(name, value, found.state)
    expected, right = arrays.exact(found.expected), np.ones(actual.shape, bool)
    if found.state == "wrong":
        most = VISIBLE * max(largest(expected), LEAST)
        right = within(arrays.exact(actual), expected, most, nan=True)
    pictures = excerpts(Compared(name, actual, expected, right), MOST_MATRICES)
    return ShownValue(name, found.state, actual.shape, _kind(value), pictures)


def _inputs(known: ExpectedCall) -> Iterator[ShownValue]:
    """Yield the arrays that a call is given, with their names."""
    for name, array in known.inputs()[:MOST_RESULTS]:
        yield _alone(plain(name), array, "unknown")


def _results(value: Any, known: ExpectedCall) -> Iterator[ShownValue]:
    """Yield the parts of a call's result beside the expected ones."""
    if known.outcome.raised:
        for number, leaf in enumerate(leaves(value)[:MOST_RESULTS]):
            yield _alone(result_form.part_of(value, number), leaf, "unknown")
        return
    due, allowed = known.outcome.value, iter(known.allowed)
    value = result_form.numbers_like(value, due)
    found = itertools.zip_longest(leaves(value), leaves(due), known.exact, fillvalue=ABSENT)
    for number, (leaf, wanted, exact) in enumerate(itertools.islice(found, MOST_RESULTS)):
        name = result_form.part_of(value if wanted is ABSENT else due, number)
        most = next(allowed) if isinstance(exact, np.ndarray) else 0.0
        beside = wanted, exact, most, known.call.nan
        yield _alone(name, leaf, "other") if wanted is ABSENT else _result(name, leaf, *beside)


def _result(name: Text, leaf: Any, wanted: Any, exact: Any, most: Any, nan: bool) -> ShownValue:
    actual, expected, alike = _numbers(leaf), _numbers(exact), _form(leaf) == _form(wanted)
    state: State = "wrong"
    pictures = tuple[Picture, ...]()
    if actual is not None and expected is not None and actual.shape == expected.shape:
        expected = arrays.exact(expected)
        right = within(arrays.exact(actual), expected, most, nan)
        state = "right" if right.all() and alike else state
        pictures = _pictures(leaf, Compared(name, actual, expected, right))
    elif actual is None and expected is None and alike and _kind(leaf) == _kind(wanted):
        state = "right"
    if state == "right" or (alike and pictures):
        return ShownValue(name, state, _shape(leaf), _kind(leaf), pictures)
    return msgspec.structs.replace(_alone(name, leaf, state), expected=_alone(name, wanted, "unknown"))


def _alone(name: Text, value: Any, state: State) -> ShownValue:
    numbers, pictures = _numbers(value), tuple[Picture, ...]()
    if numbers is not None:
        right = np.ones(numbers.shape, bool)
        pictures = _pictures(value, Compared(name, numbers, arrays.exact(numbers), right))
    return ShownValue(name, state, _shape(value), _kind(value), pictures)


def _pictures(value: Any, compared: Compared) -> tuple[Picture, ...]:
    """Return the pictures of an array; a bare number has none."""
    return excerpts(compared, MOST_MATRICES) if arrays.is_array(value) else ()


def _numbers(value: Any) -> Numpy | None:
    """Return a number or an array with known values as an array."""
    if arrays.is_array(value):
        return None if arrays.device(value) == "meta" else arrays.shown(value)
    if isinstance(value, bool | int | float | complex) and not (type(value) is int and abs(value) > LARGEST):
        return np.asarray(value)
    return None


def _shape(value: Any) -> tuple[int, ...]:
    return tuple(value.shape) if arrays.is_array(value) else ()


def _form(value: Any) -> Any:
    """Return the dtype and shape of an array, or the type of another value."""
    return (arrays.dtype_name(value), _shape(value)) if arrays.is_array(value) else type(value)


def _kind(value: Any) -> str:
    """Return the dtype of an array, or another value as it is written."""
    if arrays.is_array(value):
        return arrays.dtype_name(value)
    if isinstance(value, wire.Opaque):
        return one_line(wording.type_name(value), MOST_LETTERS)
    return "" if value is ABSENT else one_line(repr(value), MOST_LETTERS)
