"""The trusted process that grades: it holds suites, solutions and scores, and answers the command line's requests."""

from __future__ import annotations

import os
import socket
import traceback
from pathlib import Path
from typing import Any

from grader import course as courses
from grader import evidence, examples
from grader.channel import OWN_CAP, Channel, ChannelError
from grader.course import Exercise
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
    nursery: Nursery = ForkNursery(sock, course.settings.limits) if sock else SpawnNursery(dict(os.environ), ahead=True)
    return Grader(course, options, nursery)


def answer(grader: Grader, request: dict[str, Any]) -> Any:
    """`grade`: a report. `inventory`: each exercise's points, and the texts of its checks and misconceptions.
    `questions`: the concept questions with their keys. `examples`: short calls with their results. `evidence`: what one
    exercise's suite makes of misconceptions and right solutions.
    """
    if request["op"] == "grade":
        submission = Submission.from_json(request["submission"])
        return grader.grade(submission, request["fingerprint"], request["seed"], request["only"]).to_json()
    if request["op"] == "inventory":
        return {e.id: inventory(grader, e) for e in grader.exercises}
    if request["op"] == "questions":
        asked = [e.id for e in grader.exercises if e.kind == "questions"]
        return {i: grader.papers[i].described(request["variant"]) for i in asked}
    if request["op"] == "examples":
        code = [e for e in grader.exercises if e.kind == "code"]
        return {e.id: examples.gather(grader.suites, e.id, e.functions) for e in code}
    if request["op"] == "evidence":
        folder, replays, seeds = Path(request["alternatives"]), request["replays"], request["seeds"]
        return evidence.gather(grader.suites, request["exercise"], folder, replays, seeds).to_json()
    raise MachineError(f"unknown request {request['op']!r}")


def inventory(grader: Grader, exercise: Exercise) -> dict[str, Any]:
    """An exercise's points and texts."""
    if exercise.kind == "questions":
        paper = grader.papers[exercise.id]
        slips = {s.name: list(s.message) for q in paper.questions for s in paper.solved(q).slips}
        titles = {name: list(text) for name, text in paper.titles().items()}
        return {"points": paper.points(), "titles": titles, "misconceptions": slips}
    suite = grader.suites[exercise.id]
    titles = {name: list(title) for name, title in grader.suites.titles(exercise.id).items()}
    known = {m.name: list(both(m.message)) for m in suite.misconceptions}
    return {"points": grader.suites.points(exercise.id), "titles": titles, "misconceptions": known}
