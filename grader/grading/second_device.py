"""CUDA beside the CPU: what passed there is checked on the GPU too; one report has both columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from grader.sandbox.processes import OneWorkerPool, WorkerPool
from grader.suites import CheckResult, LoadFailed, StudentCode, Suites
from grader.texts import translated

PLACE: Literal["cuda"] = "cuda"
ON_CUDA = translated("on CUDA: {reason}")


class SecondDevice:
    """The same suites on CUDA. What failed on the CPU is not run again: it would not earn the points."""

    def __init__(
        self, hidden: Mapping[str, Path], solutions: Mapping[str, Path], pool: WorkerPool, points: Mapping[str, float]
    ) -> None:
        self._suites = Suites(hidden, solutions, PLACE, points=points)
        self.pool = OneWorkerPool(pool, PLACE)

    def checked(
        self, exercise: str, results: Sequence[CheckResult], target: StudentCode, seed: int
    ) -> list[CheckResult]:
        """The results, each of those that passed with its verdict on CUDA. A check passes that passes on both."""
        passed = [
            place for place, result in enumerate(results) if result.verdict == "passed" and not result.wrong_values
        ]
        if not passed:
            return list(results)
        try:
            target.load()
            there = dict(zip(passed, self._suites.run(exercise, target, seed, passed), strict=True))
        except LoadFailed as error:
            every = self._suites.all_with(exercise, error.verdict, error.reason, error.begun)
            there = {place: every[place] for place in passed}
        finally:
            target.close()
        return [both(result, there[n]) if n in there else result for n, result in enumerate(results)]


def both(cpu: CheckResult, cuda: CheckResult) -> CheckResult:
    """One result of a check that passed on the CPU. What cannot be checked on CUDA costs nothing."""
    seconds = cpu.seconds + cuda.seconds
    if not cuda.failed:
        return msgspec.structs.replace(cpu, seconds=seconds, cuda=cuda.verdict)
    reason = ON_CUDA.format(reason=cuda.reason)
    return msgspec.structs.replace(cuda, id=cpu.id, seconds=seconds, reason=reason, cuda=cuda.verdict)
