"""What a worker prints, and where it says that it is when it hangs: through a pipe, or in a file."""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
from typing import Protocol

from grader.sandbox.processes.channel import LAST, Drain

STACK = re.compile(r"(?:Stack|(?:Current t|T)hread 0x[^\n]*) \(most recent call first\):\n(?:  File [^\n]*\n)*")


class Output(Protocol):
    """Where a worker's prints go."""

    @property
    def lines(self) -> int: ...

    def text(self, limit: int) -> str: ...
    def end(self) -> str: ...
    def forget(self) -> None: ...
    def close(self) -> None: ...


class PipeOutput(Drain):
    """A private pipe, emptied while the grader waits."""

    def text(self, limit: int) -> str:
        with contextlib.suppress(OSError):
            self.pump()
        return STACK.sub("", self.kept[:limit].decode("utf-8", "replace"))

    def end(self) -> str:
        with contextlib.suppress(OSError):
            self.pump()
        return self.last.decode("utf-8", "replace")


class FileOutput:
    """A temporary file, for processes that share nothing else."""

    def __init__(self) -> None:
        self.file = tempfile.TemporaryFile()  # noqa: SIM115 -- closed in close()
        self._start = 0

    @property
    def lines(self) -> int:
        self.file.seek(self._start)
        return self.file.read().count(b"\n")

    def text(self, limit: int) -> str:
        self.file.seek(self._start)
        return STACK.sub("", self.file.read(limit).decode("utf-8", "replace"))

    def end(self) -> str:
        self.file.seek(max(self._start, self.file.seek(0, os.SEEK_END) - LAST))
        return self.file.read().decode("utf-8", "replace")

    def forget(self) -> None:
        self._start = self.file.seek(0, os.SEEK_END)

    def close(self) -> None:
        self.file.close()
