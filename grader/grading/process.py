"""The trusted process that grades: it holds suites, solutions and scores, and answers the command line's requests."""

from __future__ import annotations

import gc
import os
import socket
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from grader import packages
from grader.arrays import torch
from grader.course import course as courses
from grader.errors import CourseError, MachineError
from grader.grading import failing_call, performing, shown_steps
from grader.grading.grade import Grader
from grader.sandbox.processes import (
    OWN_CAP,
    Channel,
    ChannelError,
    Done,
    Fault,
    ForkedWorkerPool,
    GoOn,
    Grade,
    Message,
    Open,
    Opened,
    Part,
    Perform,
    SaveCall,
    SavedCall,
    ShownSteps,
    ShowSteps,
    SpawnedWorkerPool,
    WorkerPool,
)  # fmt: skip

WORKER = "grader.sandbox.worker.worker:run_alone"
COLLECT_AFTER = 20_000, 20, 50  # new objects: what a rehearsal makes is kept, and looking through it finds nothing
Answer = Callable[[Grader, Any], Any]


def main(sock: socket.socket, pool: socket.socket | None = None) -> None:
    """Grade until the command line is gone. Without a worker pool's socket, workers are processes of their own."""
    serve(sock, pool, Grade | SaveCall | ShowSteps | Perform | GoOn, answered)


def answered(
    grader: Grader, request: Grade | SaveCall | ShowSteps | Perform | GoOn
) -> str | SavedCall | ShownSteps | Part:
    """Return the answer to a request: the report as JSON, the saved call, the steps or the part to show."""
    match request:
        case Grade():
            return graded(grader, request)
        case SaveCall():
            return failing_call.save(grader, request)
        case ShowSteps():
            return shown_steps.shown(grader, request)
        case Perform():
            return performing.begun(grader, request)
        case GoOn():
            return performing.gone_on(grader)


def graded(grader: Grader, request: Grade) -> str:
    """Return the report as JSON."""
    return grader.grade(request.submission, request.fingerprint, int(request.seed), request.only).to_json()


def serve(sock: socket.socket, pool: socket.socket | None, requests: Any, answer: Answer) -> None:
    """Answer `requests` (a type of message, or a union) with `answer`, once a course is open."""
    if pool is None and torch is not None:
        torch.set_num_threads(1)
    gc.set_threshold(*COLLECT_AFTER)
    channel = Channel(sock, Open | requests, message_cap=OWN_CAP)
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
                reply = Done(Opened(grader.device, grader.isolation))
            else:
                assert grader is not None
                reply = Done(answer(grader, request))
        except CourseError as error:
            reply = Fault(sendable(str(error)), of_course=True)
        except MachineError as error:
            reply = Fault(sendable(str(error)))
        except Exception:  # a bug of ours is a machine fault with its traceback, never a zero
            reply = Fault(sendable(traceback.format_exc()))
        channel.send(reply)


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
