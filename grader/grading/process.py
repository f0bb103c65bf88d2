"""The trusted process that grades: it holds suites, solutions and scores, and answers the command line's requests."""

from __future__ import annotations

import functools
import gc
import inspect
import os
import socket
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from grader import packages
from grader.arrays import torch
from grader.course import course as courses
from grader.errors import CourseError, MachineError
from grader.grading.grade import Grader
from grader.intake import Submission
from grader.sandbox.processes import (
    OWN_CAP,
    Channel,
    ChannelError,
    Done,
    ForkedWorkerPool,
    Message,
    Open,
    Opened,
    Run,
    RunFailed,
    SpawnedWorkerPool,
    WorkerPool,
    entry_point,
)  # fmt: skip

WORKER = "grader.sandbox.worker.worker:run_alone"
COLLECT_AFTER = 20_000, 20, 50  # new objects: what a rehearsal makes is kept, and looking through it finds nothing


def graded(grader: Grader, submission: Submission, fingerprint: str, seed: str, only: Sequence[str] = ()) -> str:
    """Return the report on a submission, or on its exercises in `only`, as JSON.

    seed: a whole number, which has more digits than a number in a message can have.
    """
    return grader.grade(submission, fingerprint, int(seed), only).to_json()


def main(sock: socket.socket, pool: socket.socket | None = None) -> None:
    """Open a course, then run functions on it until the command line is gone.

    Without a worker pool's socket, workers are processes of their own.
    """
    if pool is None and torch is not None:
        torch.set_num_threads(1)
    gc.set_threshold(*COLLECT_AFTER)
    channel = Channel(sock, Open | Run, message_cap=OWN_CAP)
    grader: Grader | None = None
    while True:
        try:
            request = channel.receive().message
        except ChannelError:
            return
        reply: Message
        try:
            if isinstance(request, Open):
                grader = opened(request, pool)
                reply = Done(Opened(grader.device, grader.pool.layers))
            else:
                assert grader is not None
                reply = Done(run(grader, request))
        except CourseError as error:
            reply = RunFailed(sendable(str(error)), of_course=True)
        except MachineError as error:
            reply = RunFailed(sendable(str(error)))
        except Exception:  # a bug of ours is a machine fault with its traceback, never a zero
            reply = RunFailed(sendable(traceback.format_exc()))
        channel.send(reply)


def run(grader: Grader, request: Run) -> Any:
    """Return what the function returns for the arguments, each converted to the type that its annotation names."""
    pairs = zip(request.arguments, _wanted(request.function), strict=False)
    return entry_point(request.function)(grader, *(msgspec.convert(given, kind) for given, kind in pairs))


@functools.cache  # a batch asks for the same function each time
def _wanted(function: str) -> list[Any]:
    """Return the types of a function's arguments behind the grader."""
    _, *wanted = inspect.signature(entry_point(function), eval_str=True).parameters.values()
    return [parameter.annotation for parameter in wanted]


def sendable(said: str) -> str:
    """Return the text in a form that a message can carry: bytes of file names that are not UTF-8 are escaped."""
    return said.encode("utf-8", "backslashreplace").decode()


def opened(request: Open, sock: socket.socket | None) -> Grader:
    """Return the grader for a course."""
    course = courses.load(Path(os.fsdecode(request.course)))
    if torch is None and course.settings.arrays == "torch":
        raise MachineError("course.yaml was changed to a course of torch while this was running; start it again")
    if set(course.settings.packages) - set(packages.asked()):
        raise MachineError("the packages of course.yaml were changed while this was running; start it again")
    pool: WorkerPool = (
        ForkedWorkerPool(sock, course.settings.limits) if sock else SpawnedWorkerPool(WORKER, dict(os.environ), True)
    )
    return Grader(course, request.options, pool)
