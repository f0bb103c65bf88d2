"""Saves the call that a report quotes, with its inputs, so that it can be made again outside the grader."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from grader import arrays, parts, pytree
from grader.arrays import Tensor, torch
from grader.errors import CourseError
from grader.grading.grade import Grader
from grader.grading.writer import chief
from grader.intake import Source, Submission
from grader.sandbox.processes import GeneratorForm, SavedCall
from grader.sandbox.worker import callbacks
from grader.suites import Call, CheckResult, Given, LoadFailed, StudentCode, StudentFile

SEED = 7


def save(grader: Grader, submission: Submission, exercise: str, seed: str, file: bytes) -> SavedCall:
    """Write the inputs of the call that a report on this exercise would quote into a file, for `grader debug`.

    seed: a whole number, which has more digits than a number in a message can have.

    Raises:
        CourseError: the course shows no inputs, or there is no call to save.
    """
    feedback = grader.course.settings.feedback
    if feedback == "verdict":
        raise CourseError("this course shows no inputs (feedback: verdict); call your function yourself to debug it")
    try:
        results = checked(grader, code_of(grader, submission, exercise), exercise, seed)
    except LoadFailed:
        return SavedCall()
    shown = chief(results)
    call = call_of(shown or results[0])
    if call is None:
        raise CourseError(f"the suite of {exercise} calls nothing")
    kept = Given if torch is None else Given | GeneratorForm
    if handed := [leaf for leaf in pytree.leaves(_inputs(call)) if isinstance(leaf, kept)]:
        said = f"the suite hands {handed[0]!r} to {call.function}, which stays with the grader"
        raise CourseError(f"{said}; to debug {call.function}, call it with a function of your own")
    inputs = _inputs(call) if feedback == "full" else pytree.mapped(_other_values, _inputs(call))
    path = Path(os.fsdecode(file))
    if torch is not None and any(map(parts.kind, pytree.leaves(inputs, whole=True))):
        raise CourseError(
            "the call has a table, which a course of torch cannot write down; call your function yourself"
        )
    if torch is not None:
        torch.save(inputs, path)
    else:
        path.write_text(repr(_written(inputs)), encoding="utf-8")
    return SavedCall(call.function, call.made is not None, call.turns, call.gradients, shown is not None)


def code_of(grader: Grader, submission: Submission, id: str) -> StudentCode:
    """Return the student's code, not loaded yet. Raises CourseError if there is none."""
    exercise = grader.course.exercise(id)
    if exercise.kind == "questions":
        raise CourseError(f"{exercise.id} has questions and no code to debug")
    if submission.sources.get(exercise.source, Source()).text is None:
        raise CourseError(f"there is no {exercise.id}.py to debug")
    limits = grader.course.settings.limits
    file, key = StudentFile.of(exercise, submission), grader.suites[exercise.id].key
    return StudentCode(grader.pool, file, limits, limits.exercise_seconds, key)


def checked(grader: Grader, code: StudentCode, exercise: str, seed: str) -> list[CheckResult]:
    """Return what each check finds in the code, which can be called once more in a fresh process.

    Raises:
        LoadFailed: it cannot be imported.
    """
    try:
        code.load()
        return grader.run(grader.course.exercise(exercise), code, int(seed))
    finally:
        code.close()


def call_of(result: CheckResult) -> Call | None:
    """Return the call that a check is about."""
    return result.last or next((call for call, _ in reversed(result.calls)), None)


def _inputs(call: Call) -> Mapping[str, Any]:
    """Return plain containers and tensors that record no gradient yet."""
    given = {"args": list(call.args), "kwargs": dict(call.kwargs), "made": call.made and call.made.as_dict()}
    found: Mapping[str, Any] = pytree.mapped(arrays.detached, given)
    return found


class _Written:
    """An array, a table or a generator as the Python text that makes it again with numpy's names."""

    def __init__(self, value: Any) -> None:
        self._value = value

    def __repr__(self) -> str:
        if isinstance(value := self._value, GeneratorForm):
            made = f"lambda bits: (setattr(bits, 'state', {json.loads(value.state)!r}), random.Generator(bits))[1]"
            return f"({made})(random.{value.name}())"
        if name := parts.kind(value):
            return f"together({name!r}, {_written(parts.apart(value))!r})"
        if value.dtype.kind in "mM":
            return f"{_Written(value.view(np.int64))!r}.view({value.dtype.name!r})"
        name = value.dtype.str if value.dtype.kind == "U" else value.dtype.name
        return f"array({value.tolist()}, {name!r}).reshape({value.shape})"


def _written(value: Any) -> Any:
    if isinstance(value, tuple | list):
        return type(value)(map(_written, value))
    if isinstance(value, np.ndarray | GeneratorForm) or parts.kind(value):
        return _Written(value)
    if isinstance(value, dict):
        return {key: _written(item) for key, item in value.items()}
    return value.item() if isinstance(value, np.generic) else value


def _other_values(leaf: Any) -> Any:
    """Return an array of the same shape and kind with other values, or a generator in another state; else None."""
    random = np.random.default_rng(SEED)
    if isinstance(leaf, GeneratorForm):
        return callbacks.form_of(random)
    if isinstance(leaf, Tensor):
        if leaf.is_floating_point():
            return torch.from_numpy(random.standard_normal(tuple(leaf.shape))).to(leaf.dtype)
        return leaf.flatten()[torch.from_numpy(random.permutation(leaf.numel()))].reshape(leaf.shape)
    if isinstance(leaf, np.ndarray):
        real = np.issubdtype(leaf.dtype, np.floating)
        return np.asarray(random.standard_normal(leaf.shape), leaf.dtype) if real else random.permuted(leaf)
    return leaf
