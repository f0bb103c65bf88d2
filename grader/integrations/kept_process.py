"""Keeps a grading process for a notebook or nbgrader's server from one call to the next."""

from __future__ import annotations

import atexit
import functools
from pathlib import Path

from grader.batch import ForkServer, GradingPool, environment
from grader.course import Course
from grader.course import course as courses
from grader.sandbox.processes import RunOptions


def pool(course: Course, options: RunOptions, strangers: bool = False) -> GradingPool:
    """Return the process for a course as it is now; another one once the course or the options have changed.

    Raises:
        MachineError: it is to run strangers' code, and this machine cannot build the sandbox.
    """
    return _pool(course.root, tuple(course.digests().items()), options, strangers)


@functools.lru_cache(maxsize=8)
def _pool(root: Path, digests: tuple[tuple[str, str], ...], options: RunOptions, strangers: bool) -> GradingPool:
    found = GradingPool(_fork_server(tuple(environment(root).items())), courses.load(root), options, 1)
    if strangers:
        found.open_confined()
    return found


@functools.lru_cache(maxsize=1)
def _fork_server(seen: tuple[tuple[str, str], ...]) -> ForkServer:
    started = ForkServer(dict(seen), confined=True)
    atexit.register(started.close)
    return started
