"""The grading process as an examiner: it makes one student's sheet after another."""

from __future__ import annotations

import functools
import socket

from grader.grading import Grader
from grader.grading.process import serve
from grader.report.oral_exam import Sheet
from grader.viva.asking import AskSheet
from grader.viva.draw import Examiner


def main(sock: socket.socket, pool: socket.socket | None = None) -> None:
    """Answer until the command line is gone, see `process.main`."""
    serve(sock, pool, AskSheet, answer)


def answer(grader: Grader, request: AskSheet) -> Sheet:
    """The sheet."""
    return examiner(grader).sheet(request.submission, request.seed, request.count, request.only)


@functools.cache
def examiner(grader: Grader) -> Examiner:
    """One for each grader, with what it has learned of the exercises."""
    return Examiner(grader)
