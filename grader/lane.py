"""The trusted process that grades: it holds suites, solutions and scores, and answers the command line's requests."""

from __future__ import annotations

import os
import socket
import traceback
from pathlib import Path
from typing import Any

from grader import course as courses
from grader import evidence
from grader.channel import OWN_CAP, Channel, ChannelError
from grader.errors import CourseError, MachineError
from grader.grade import Grader, Options
from grader.nursery import ForkNursery, Nursery, SpawnNursery
from grader.submission import Submission
from grader.words import both


def main(sock: socket.socket, nursery: socket.socket | None) -> None:
    """Answer requests until the command line is gone. Without a nursery socket, workers are processes of their own."""
    channel = Channel(sock, header_cap=OWN_CAP)
    grader: Grader | None = None
    while True:
        try:
            request, _ = channel.receive()
        except ChannelError:
            return
        reply: dict[str, Any]
        try:
            if request["op"] == "open":
                grader = open_grader(request, nursery)
                reply = {"ok": {"device": grader.device, "isolation": list(grader.isolation)}}
            else:
                assert grader is not None
                reply = {"ok": answer(grader, request)}
        except CourseError as error:
            reply = {"course": str(error)}
        except MachineError as error:
            reply = {"machine": str(error)}
        except Exception:  # a bug of ours is a machine fault with its traceback, never a zero
            reply = {"machine": traceback.format_exc()}
        channel.send(reply)


def open_grader(request: dict[str, Any], sock: socket.socket | None) -> Grader:
    """The grader for a course and options that came as data."""
    course = courses.load(Path(request["course"]))
    options = Options(**{**request["options"], "only": tuple(request["options"]["only"])})
    nursery: Nursery = ForkNursery(sock, course.settings.limits) if sock else SpawnNursery(dict(os.environ))
    return Grader(course, options, nursery)


def answer(grader: Grader, request: dict[str, Any]) -> Any:
    """`grade`: a report. `inventory`: each exercise's points, and the texts of its checks and misconceptions.
    `evidence`: what one exercise's suite makes of misconceptions and right solutions.
    """
    if request["op"] == "grade":
        report = grader.grade(Submission.from_json(request["submission"]), request["fingerprint"], request["seed"])
        return report.to_json()
    if request["op"] == "inventory":
        suites = grader.suites
        return {
            exercise: {
                "points": suites.points(exercise),
                "titles": {name: list(title) for name, title in suites.titles(exercise).items()},
                "misconceptions": {m.name: list(both(m.message)) for m in suites[exercise].misconceptions},
            }
            for exercise in suites
        }
    if request["op"] == "evidence":
        folder, replays, seeds = Path(request["alternatives"]), request["replays"], request["seeds"]
        return evidence.gather(grader.suites, request["exercise"], folder, replays, seeds).to_json()
    raise MachineError(f"unknown request {request['op']!r}")
