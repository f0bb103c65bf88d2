"""Chooses the devices of a run: the CPU, and then CUDA if there is a device and a worker can use it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from grader.arrays import Tensor, torch
from grader.course import Course
from grader.errors import CourseError, MachineError
from grader.report import RAN
from grader.sandbox.confinement.gpu_memory import UNSEEN, CardFault
from grader.sandbox.processes import OneWorkerPool, WorkerPool
from grader.suites import Call, CheckResult, LoadFailed, NoAnswer, StudentCode, StudentFile, Suites
from grader.texts import Text, plain, translated

NONE, NOT_ASKED = translated("no CUDA device"), translated("not asked for")
NOT_LISTED = translated("course.yaml does not list cuda under devices")
PLACE: Literal["cuda"] = "cuda"
ON_CUDA = translated("on CUDA: {reason}")
_PROBE = "def double(x):\n    return x + x\n"
_FIRST_SECONDS = 60.0  # the first call on a GPU loads its driver


def choose(wanted: str, course: Course, reach: Callable[[], str | None]) -> tuple[str, dict[str, Text]]:
    """Return the device to run on, and for each device of the course "ran" or why it did not run.

    reach: tries CUDA in a worker; None if it works, else the reason. The sandbox around workers may keep a GPU out, and
        no student pays for that.

    Raises:
        CourseError: "cuda" is wanted and not available.
    """
    listed = "cuda" in course.settings.devices and course.settings.arrays == "torch"
    if torch is None or not torch.cuda.is_available():
        why: Text | None = NONE
    elif not listed:
        why = NOT_LISTED
    elif wanted == "cpu":
        why = NOT_ASKED
    else:
        said = reach()
        why = plain(said) if said else None
    if why is None:
        return "cuda", {"cpu": RAN, "cuda": RAN}
    if wanted == "cuda":
        raise CourseError(f"--device cuda: {why.to('en')}{' here' if why == NONE else ''}")
    return "cpu", {"cpu": RAN, **({"cuda": why} if listed else {})}


def reach_cuda(pool: WorkerPool, course: Course) -> str | None:
    """Have a worker add two tensors on the GPU; return the reason if that failed."""
    try:
        pool.watch_gpu()
    except CardFault as error:
        return str(error)
    limits = dataclasses.replace(course.settings.limits, call_seconds=_FIRST_SECONDS, exercise_seconds=_FIRST_SECONDS)
    there = OneWorkerPool(pool, "cuda")
    target = StudentCode(there, StudentFile("probe", _PROBE), limits, _FIRST_SECONDS)
    try:
        target.load()
        outcome = target.call(Call("double", (torch.ones(2),), device="cuda"))
        if target.link.unseen_on_gpu:
            return UNSEEN
    except (LoadFailed, NoAnswer) as error:
        return f"a worker cannot use it: {error.reason.to('en')}"
    except MachineError as error:
        return f"a worker cannot use it: {error}"
    finally:
        target.close()
        there.close()
    if outcome.raised:
        return f"a worker cannot use it: {outcome.raised.types[0]}: {outcome.raised.message[:200]}"
    right = isinstance(outcome.value, Tensor) and torch.equal(outcome.value, torch.full((2,), 2.0))
    return None if right else "a worker gets wrong sums from it"


class SecondDevice:
    """The same suites on CUDA. Checks that failed on the CPU are not run again: they would not earn the points."""

    def __init__(
        self, hidden: Mapping[str, Path], solutions: Mapping[str, Path], pool: WorkerPool, points: Mapping[str, float]
    ) -> None:
        self._suites = Suites(hidden, solutions, PLACE, points=points)
        self.pool = OneWorkerPool(pool, PLACE)

    def checked(
        self, exercise: str, results: Sequence[CheckResult], target: StudentCode, seed: int
    ) -> list[CheckResult]:
        """Return the results, those that passed with their verdicts on CUDA. A check passes if it passes on both."""
        passed = [
            place for place, result in enumerate(results) if result.verdict == "passed" and not result.wrong_values
        ]
        if not passed:
            return list(results)
        try:
            target.load()
            there = dict(zip(passed, self._suites.run(exercise, target, seed, passed), strict=True))
        except LoadFailed as error:
            every = self._suites.all_with(exercise, error.verdict, error.reason, error.attempted)
            there = {place: every[place] for place in passed}
        finally:
            target.close()
        return [both(result, there[n]) if n in there else result for n, result in enumerate(results)]


def both(cpu: CheckResult, cuda: CheckResult) -> CheckResult:
    """Join the two results of a check that passed on the CPU. A check that cannot be made on CUDA costs nothing."""
    seconds = cpu.seconds + cuda.seconds
    if not cuda.failed:
        return msgspec.structs.replace(cpu, seconds=seconds, cuda=cuda.verdict)
    reason = ON_CUDA.format(reason=cuda.reason)
    return msgspec.structs.replace(cuda, id=cpu.id, seconds=seconds, reason=reason, cuda=cuda.verdict)
