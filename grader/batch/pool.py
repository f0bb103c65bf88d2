"""Grading processes of this machine as a pool: any idle one takes the next submission, one that fails is replaced."""

from __future__ import annotations

import os
import queue
import sys
from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from grader.batch.grading_processes import ForkServer, GradingProcess
from grader.course import Course
from grader.errors import MachineError
from grader.intake import Submission
from grader.sandbox.confinement import REQUIRED
from grader.sandbox.processes import RunOptions

T = TypeVar("T")


class Pool(Protocol):
    """Whatever turns a submission into a report, from many threads at a time; `where` says in what surroundings."""

    where: str

    def grade(self, submission: Submission, fingerprint: str, seed: int) -> str:
        """The report as JSON; raises MachineError."""

    def abandon(self) -> None:
        """End what is being graded, called from another thread: every `grade` raises soon."""

    def close(self) -> None:
        """End what was started for it."""


class GradingPool:
    """A fixed number of grading processes; one that fails is replaced, on the same core.

    places: a core for each, or None.
    """

    where = ""

    def __init__(
        self, fork_server: ForkServer, course: Course, options: RunOptions, count: int,
        places: Sequence[int | None] | None = None,
    ) -> None:  # fmt: skip
        self._fork_server, self._course, self._options = fork_server, course, options
        self._idle: queue.Queue[tuple[int | None, GradingProcess | None]] = queue.Queue()
        self._all: list[GradingProcess] = []
        self._abandoned = False
        for core in cores(count) if places is None else places:
            self._idle.put((core, None))

    def open_one(self) -> GradingProcess:
        """Start the first process now, so that what is wrong with the course shows before anything is graded."""
        process = self.ask(lambda process: process)
        self.where = f"isolation: {', '.join(process.isolation) or 'none'}"
        return process

    def open_confined(self) -> None:
        """Start the first process for strangers' code. Raises MachineError if this machine cannot confine it."""
        if missing := REQUIRED - set(self.open_one().isolation):
            self.close()
            said = f"this machine cannot build the sandbox that strangers' code needs ({', '.join(sorted(missing))})"
            raise MachineError(f"{said}; run `grader doctor`")

    def grade(self, submission: Submission, fingerprint: str, seed: int, only: Sequence[str] = ()) -> str:
        """The report as JSON. Raises MachineError, as `ask`."""
        return self.ask(lambda process: process.grade(submission, fingerprint, seed, only))

    def ask(self, do: Callable[[GradingProcess], T]) -> T:
        """Return what any idle grading process answers; try once more on a fresh one.

        A try does not count if the fork server was ended meanwhile, since that can be started again.

        Raises:
            MachineError: both tries met a machine fault.
        """
        core, process = self._idle.get()
        tried = False
        try:
            while True:
                try:
                    process = process or self._started(core)
                    return do(process)
                except MachineError:
                    lost = process is not None and process.orphaned()
                    if process:
                        process.close()
                    process = None
                    if tried and not lost:
                        raise
                    tried = tried or not lost
        finally:
            self._idle.put((core, process))

    def _started(self, core: int | None) -> GradingProcess:
        if self._abandoned:
            raise MachineError("stopped before it was graded")
        process = self._fork_server.grading_process(self._course, self._options, core)
        self._all.append(process)
        if self._abandoned:  # meanwhile
            process.abandon()
        return process

    def abandon(self) -> None:
        self._abandoned = True
        for process in list(self._all):
            process.abandon()

    def close(self) -> None:
        for process in self._all:
            process.close()


def cores(count: int) -> list[int | None]:
    """A core for each of `count` grading processes, if there are as many cores; else the system may move them.

    A grading process and its workers take turns. On one core that costs a seventh less processor time than across two.
    With fewer processes than cores, another batch or another worker of a cluster could have chosen the same core.
    """
    mine = sorted(os.sched_getaffinity(0)) if sys.platform == "linux" else []
    return [*mine] if len(mine) == count else [None] * count
