"""Commands as a user runs them: in a process of their own, or in this one with the session's fork server."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys

from grader.batch import ForkServer

GRADER = [sys.executable, "-m", "grader"]


class Borrowed:
    """The session's fork server, for commands run inside this process; closing ends only its own grading processes."""

    def __init__(self, fork_server: ForkServer) -> None:
        self._fork_server = fork_server
        self._processes = contextlib.ExitStack()

    def grading_process(self, *arguments, **options):
        opened = self._fork_server.grading_process(*arguments, **options)
        return self._processes.enter_context(contextlib.closing(opened))

    def close(self):
        self._processes.close()


def in_a_process(*arguments, **options) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "LC_ALL": "C.UTF-8"}
    return subprocess.run([*GRADER, *map(str, arguments)], capture_output=True, text=True, env=environment, **options)
