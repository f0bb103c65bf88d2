"""Commands as a user runs them: in a process of their own, or in this one with the session's fork server."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from grader.batch import ForkServer
from grader.cli import common, main

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


def in_this_process(
    fork_server: ForkServer, *arguments: object, cwd: Path | None = None, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """The same, without the seconds that Python and torch take to start."""
    out, err = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patched, contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        patched.chdir(cwd or Path.cwd())
        patched.setattr(sys, "path", [*sys.path])  # to which a configuration of nbgrader's may add
        for name, value in {**(env or {}), "LC_ALL": "C.UTF-8"}.items():
            patched.setenv(name, value)
        patched.setattr(common, "start_fork_server", lambda course=None, confined=True: Borrowed(fork_server))
        try:
            code = main([*map(str, arguments)])
        except SystemExit as ended:  # argparse's way out
            code = int(ended.code or 0)
    return subprocess.CompletedProcess(arguments, code, out.getvalue(), err.getvalue())


def in_a_process(
    *arguments: object, cwd: Path | None = None, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    command, environment = [*GRADER, *map(str, arguments)], {**os.environ, **(env or {}), "LC_ALL": "C.UTF-8"}
    return subprocess.run(command, capture_output=True, encoding="utf-8", env=environment, cwd=cwd)
