"""A student's file, and changed copies of it, run in the sandbox; and whether two results are surely the same."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Sequence
from typing import Any

from grader import arrays, pytree
from grader.arrays import Tensor, torch
from grader.closeness import certain
from grader.course import Limits
from grader.sandbox.processes import Edit, Edits, FindEdits, WorkerPool
from grader.sandbox.worker import MOST_RECORDS, wire
from grader.suites import (
    Call,
    LoadFailed,
    NoAnswer,
    Outcome,
    StudentCode,
    StudentFile,
    Suites,
    WorkerLink,
    first_answer,
)
from grader.texts import one_line
from grader.viva.inputs import SEED

SECONDS = 10.0  # of the clock for one copy of a file: its import and all calls
CALL_SECONDS = 2.0
HALF = (torch.float16, torch.bfloat16) if torch is not None else ()
Results = list[Outcome | None]


class Code:
    """One file of one student; `name` and `source` are as handed in."""

    def __init__(self, pool: WorkerPool, file: StudentFile, limits: Limits) -> None:
        self._pool, self._file = pool, file
        seconds = min(limits.call_seconds, CALL_SECONDS)
        self._limits = dataclasses.replace(limits, call_seconds=seconds)
        self.source = file.source
        self.borrowed: tuple[str, int, str] | None = None
        """The first forbidden call in the source, its line, and the file if it is another one."""

    def edits(self) -> tuple[Edit, ...]:
        """Return the possible edits of the code. Raises LoadFailed if it is not Python."""
        with contextlib.closing(WorkerLink(self._pool, self._limits, SECONDS)) as link:
            link.start()
            found, _ = first_answer(link, FindEdits(self.source), Edits, self._file.name)
        return tuple(e for e in found.edits if e.start <= e.end <= len(self.source))

    def results(self, calls: Sequence[Call], edit: Edit | None = None) -> Results:
        """Return what each call gives, in a fresh process; None from the first that hangs, dies or does not answer.

        Raises:
            LoadFailed: the file cannot be imported.
        """
        file = dataclasses.replace(self._file, source=edit.applied(self.source)) if edit else self._file
        found: Results = [None] * len(calls)
        with contextlib.closing(StudentCode(self._pool, file, self._limits, SECONDS)) as target:
            target.load()
            if edit is None:
                self.borrowed = target.borrowed
            with contextlib.suppress(NoAnswer):
                for i, call in enumerate(calls):
                    found[i] = target.call(call)
        return found

    def tried(self, calls: Sequence[Call], edit: Edit) -> Results:
        """Return the `results` of a changed copy; None for each call if it cannot even be imported."""
        try:
            return self.results(calls, edit)
        except LoadFailed:
            return [None] * len(calls)

    def failed(self, suites: Suites, exercise: str) -> list[Call]:
        """The calls at which checks of the exercise fail. Raises LoadFailed."""
        with contextlib.closing(StudentCode(self._pool, self._file, self._limits, SECONDS)) as target:
            target.load()
            return [r.calls[-1][0] for r in suites.run(exercise, target, SEED) if r.verdict == "failed" and r.calls]


def records(outcome: Outcome | None) -> list[tuple[int, str, Tensor]]:
    """Return the variables as a worker claims them: line, name, value (of a large one only its shape, on meta).

    Nothing is returned if there were too many to record them all.
    """
    found = []
    for record in outcome.recorded if outcome else ():
        match record:
            case [int(line), str(name), Tensor() as value] if name.isidentifier():
                found.append((line, one_line(name, 40), value))
    return found if len(found) < MOST_RECORDS else []


def meant(outcome: Outcome | None) -> Outcome | None:
    """The result, or nothing for an error, unless the file itself refuses the arguments: no question is about it."""
    return outcome if outcome and (not outcome.raised or outcome.raised.refuses_by_itself) else None


def same(one: Outcome | None, other: Outcome | None) -> bool | None:
    """Return True if two results are equal up to rounding; None if that is not certain."""
    if one is None or other is None:
        return None
    if one.raised or other.raised:
        return bool(one.raised and other.raised and one.raised.types[0] == other.raised.types[0])
    return alike(one.value, other.value)


def alike(one: Any, other: Any) -> bool | None:
    """Compare two values as `same` compares results."""
    ours, theirs = pytree.leaves(one), pytree.leaves(other)
    if not all(map(_comparable, (*ours, *theirs))):
        return None
    if _form(one) != _form(other):
        return False
    told = [_leaves_alike(a, b) for a, b in zip(ours, theirs, strict=True)]
    return False if False in told else None if None in told else True


def _comparable(leaf: Any) -> bool:
    if arrays.is_array(leaf):
        return arrays.device(leaf) == "cpu" and arrays.dtype_name(leaf) not in arrays.REAL
    return not isinstance(leaf, wire.Opaque)


def _form(value: Any) -> Any:
    """Return the structure of a value, with dtypes and shapes; lists and tuples count as the same."""
    if isinstance(value, tuple | list):
        return [_form(item) for item in value]
    if isinstance(value, dict):
        return {key: _form(item) for key, item in value.items()}
    return (value.dtype, value.shape) if arrays.is_array(value) else type(value).__name__


def _leaves_alike(one: Any, other: Any) -> bool | None:
    if not (arrays.is_array(one) or isinstance(one, float)):
        return bool(one == other)
    return certain(arrays.exact(one), arrays.exact(other), isinstance(one, Tensor) and one.dtype in HALF)
