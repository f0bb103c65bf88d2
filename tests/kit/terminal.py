"""A command on a pseudo-terminal, as a learner sits in front of it."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

CLEAR = "\x1b[2J"
ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
# The pseudo-terminal becomes the one that Ctrl-C and Ctrl-Z of the session come from.
OWN = "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execv(sys.argv[1], sys.argv[1:])"


class Terminal:
    """A command on a pseudo-terminal of its own."""

    def __init__(self, course: Path, *arguments: str, rows: int = 50, columns: int = 110, **environment: str) -> None:
        self.course = course
        self._ours, self._theirs = pty.openpty()
        self.resize(rows, columns)
        self.modes = termios.tcgetattr(self._theirs)
        command = [sys.executable, "-c", OWN, sys.executable, "-m", "grader", *arguments]
        kept = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "LINES", "NO_COLOR")}
        environment = {**kept, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", **environment}
        self.process = subprocess.Popen(
            command, stdin=self._theirs, stdout=self._theirs, stderr=self._theirs, cwd=course, env=environment,
            start_new_session=True,
        )  # fmt: skip
        self._out = ""

    def save(self, source: str, name: str = "scale.py") -> None:
        """As most editors do: a new file takes the old one's name."""
        path = self.course / "exercises" / name
        new = path.with_name(f".{name}.new")
        new.write_text(source, encoding="utf-8")
        os.replace(new, path)

    def press(self, keys: str) -> None:
        os.write(self._ours, keys.encode())

    def resize(self, rows: int, columns: int) -> None:
        fcntl.ioctl(self._ours, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def read(self) -> None:
        """Take what was written meanwhile."""
        while select.select([self._ours], [], [], 0.005)[0]:
            try:
                self._out += os.read(self._ours, 1 << 16).decode("utf-8", "replace")
            except OSError:
                return

    @property
    def raw(self) -> str:
        """What was drawn last, with its colours."""
        self.read()
        return self._out.rpartition(CLEAR)[2]

    @property
    def frame(self) -> str:
        """What is on the screen."""
        return ESCAPE.sub("", self.raw).replace("\r", "")

    @property
    def all(self) -> str:
        self.read()
        return ESCAPE.sub("", self._out).replace("\r", "")

    def forget(self) -> None:
        """Wait for what is drawn next."""
        self.read()
        self._out = ""

    def wait_for(self, *words: str, seconds: float = 60.0) -> str:
        """The frame that holds all these words, wherever its lines break."""
        end = time.monotonic() + seconds
        while not all(w in (frame := self.frame) or w in " ".join(frame.split()) for w in words):
            assert time.monotonic() < end, f"no {words} in:\n{self.all}"
        return frame

    def kill(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def end(self) -> int:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(15)
        self.read()
        self.kill()
        code = self.process.wait()
        os.close(self._ours)
        os.close(self._theirs)
        return code

    @property
    def as_before(self) -> bool:
        """Whether the terminal echoes and waits for Enter again."""
        return termios.tcgetattr(self._theirs) == self.modes
