"""Reads a worker's output, and the position that it writes when it hangs: through a pipe, or in a file."""

from __future__ import annotations

import contextlib
import os
import re
import tempfile

LAST = 256 << 10  # bytes: a loop that prints writes on while it is asked where it is
_FRAMES = r"(?:  (?:File [^\n]*|\.\.\.)\n)*"  # the innermost first; of a hundred and more the others are three points
STACK = re.compile(rf"(?:Stack|(?:Current t|T)hread 0x[^\n]*) \(most recent call first\):\n{_FRAMES}")


class PipeOutput:
    """A private pipe, emptied while the grader waits; the first and the last `keep` bytes are kept."""

    def __init__(self, fd: int, keep: int) -> None:
        os.set_blocking(fd, False)
        self.fd = fd
        self._keep = keep
        self.forget()

    def forget(self) -> None:
        """Forget the output so far."""
        self.kept = self.last = b""
        self.lines = 0

    def pump(self) -> bool:
        """Take what is there now (at most 1 MB); return False once the pipe has ended."""
        for _ in range(16):
            try:
                chunk = os.read(self.fd, 1 << 16)
            except BlockingIOError:
                return True
            if not chunk:
                return False
            self.lines += chunk.count(b"\n")
            self.kept += chunk[: self._keep - len(self.kept)]
            self.last = (self.last + chunk)[-LAST:]
        return True

    def close(self) -> None:
        os.close(self.fd)

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
        return self._read(self._start, self._size).count(b"\n")

    def text(self, limit: int) -> str:
        return STACK.sub("", self._read(self._start, limit).decode("utf-8", "replace"))

    def end(self) -> str:
        return self._read(max(self._start, self._size - LAST), LAST).decode("utf-8", "replace")

    def forget(self) -> None:
        self._start = self._size

    @property
    def _size(self) -> int:
        return os.fstat(self.file.fileno()).st_size

    def _read(self, start: int, most: int) -> bytes:
        """Return the bytes there. Both ends share one write position, which must not move needlessly."""
        if hasattr(os, "pread"):
            return os.pread(self.file.fileno(), most, start)
        self.file.seek(start)
        return self.file.read(most)

    def close(self) -> None:
        self.file.close()
