"""Grades some students again while the desk stays open: `grader grade` in a process of its own."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Callable, Sequence

import msgspec

from grader.errors import CourseError

Commands = Callable[[Sequence[str]], Sequence[Sequence[str]]]


class RegradeStanding(msgspec.Struct, frozen=True):
    """The last run: how many students, whether it still runs, and what went wrong."""

    students: int = 0
    running: bool = False
    trouble: str = ""


class Regrading:
    """Runs one at a time.

    Args:
        commands: gives the command lines that grade these students again.
    """

    def __init__(self, commands: Commands) -> None:
        self._commands, self._lock = commands, threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        self._ended = False
        self.standing = RegradeStanding()

    def start(self, students: Sequence[str]) -> None:
        """Begin. Raises CourseError: a run is under way, or nothing is known of what was graded."""
        with self._lock:
            if self.standing.running:
                raise CourseError("students are being graded again already; wait until that is done")
            commands = self._commands(students)
            self.standing = RegradeStanding(len(students), True)
        threading.Thread(target=self._run, args=(commands,), daemon=True).start()

    def close(self) -> None:
        """End a run that is under way; what it has graded is kept."""
        self._ended = True
        if self._process:
            self._process.terminate()

    def _run(self, commands: Sequence[Sequence[str]]) -> None:
        said = list[str]()
        try:
            self._grade(commands, said)
        except OSError as error:
            said.append(f"grader grade cannot be started: {error.strerror}")
        self.standing = RegradeStanding(self.standing.students, False, "\n".join(said))

    def _grade(self, commands: Sequence[Sequence[str]], said: list[str]) -> None:
        """Run the commands one after another, and add what went wrong to `said`."""
        for command in commands:
            if self._ended:
                return
            with subprocess.Popen(
                [*command], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                text=True, encoding="utf-8", errors="replace",
            ) as self._process:  # fmt: skip
                assert self._process.stderr
                errors = self._process.stderr.read().strip()
            if self._process.returncode not in (0, 1):
                said.append(errors or f"grader grade ended with exit code {self._process.returncode}")
