"""The learner's files as an editor in a browser has them: read, saved, and never overwritten unseen."""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import threading
from collections.abc import Callable
from pathlib import Path

import msgspec

from grader import atomic_write
from grader.course import Course, file_name
from grader.learner import progress
from grader.texts import WithReason, translated

LARGEST = 1_000_000  # bytes of a file that the page shows
MISSING = "missing"  # the revision of a file that is not there

UNREADABLE = translated("{file} cannot be read: {error}. Mend that, and the page shows it.")
NOT_REGULAR = "not a regular file"
NOT_UTF8 = translated(
    "{file} is not UTF-8: byte {byte} cannot be read. Save it as UTF-8 in another editor, or reset it; a copy is kept."
)
TOO_LARGE = translated(
    "{file} has {size:,} bytes, more than the {most:,} that the page shows; open it in another editor."
)
NOT_SAVED = translated(
    "{file} could not be saved: {error}. Your text is kept on this page and saved as soon as it can be."
)
NO_FILE = translated("{file} is not a file of this course.")


class NotOpen(WithReason):
    """A file that cannot be read, shown or written; the reason is for the learner."""


class Content(msgspec.Struct, frozen=True):
    """The content of a file. `revision` tells one content from another."""

    text: str
    revision: str


class Changed(Exception):
    """The file holds something else than what was edited: `now`."""

    def __init__(self, now: Content) -> None:
        super().__init__(now.revision)
        self.now = now


class Files:
    """The exercise files of one folder."""

    def __init__(self, course: Course, folder: Path) -> None:
        self._course, self._folder = course, folder
        self._names = {file_name(s) for s in course.sources}
        self._writing = threading.RLock()  # what was read is still there when it is replaced

    def read(self, name: str) -> Content:
        """Return the content of the file; empty if there is none.

        Raises:
            NotOpen: it cannot be shown.
        """
        path = self._path(name)
        try:
            content = _content(name, path)
            return Content(content.decode("utf-8"), revision(content))
        except (FileNotFoundError, NotADirectoryError):
            return Content("", MISSING)
        except UnicodeDecodeError as error:
            raise NotOpen(NOT_UTF8.format(file=name, byte=error.start + 1)) from error
        except OSError as error:
            raise NotOpen(UNREADABLE.format(file=name, error=error.strerror or str(error))) from error

    def save(self, name: str, text: str, known: str) -> Content:
        """Save the text as the file, which was last seen with the revision `known`.

        Line ends stay as the file has them.

        Raises:
            Changed: it holds something else by now; nothing was written.
            NotOpen: it cannot be read or written.
        """
        with self._writing:
            now = self.read(name)
            if now.revision != known and now.text != text:
                raise Changed(now)
            if "\r\n" in now.text:  # an editor in a browser knows one kind only
                text = text.replace("\r\n", "\n").replace("\n", "\r\n")
            return self._write(name, text)

    def change(self, name: str, change: Callable[[str], str]) -> Content:
        """Save what `change` makes of the file's text.

        Raises:
            NotOpen: it cannot be read or written.
        """
        with self._writing:
            return self._write(name, change(self.read(name).text))

    def keep(self, name: str, text: str) -> Path:
        """Keep a text that is not to be the file's; where it is kept. Raises NotOpen."""
        self._path(name)
        try:
            with self._writing:
                return progress.backup(self._course, name, text)
        except OSError as error:
            raise NotOpen(NOT_SAVED.format(file=name, error=error.strerror)) from error

    def _write(self, name: str, text: str) -> Content:
        path, content = self._path(name), text.encode()
        if len(content) > LARGEST:
            raise NotOpen(TOO_LARGE.format(file=name, size=len(content), most=LARGEST))
        try:
            if not path.exists() or _content(name, path) != content:
                path.parent.mkdir(exist_ok=True)
                mode = stat.S_IMODE(path.stat().st_mode) if path.exists() else None
                atomic_write.replace(path.resolve(), content, mode or 0o666)  # of a link what it leads to
                if mode is not None:
                    with contextlib.suppress(OSError):
                        os.chmod(path, mode)
        except OSError as error:
            raise NotOpen(NOT_SAVED.format(file=name, error=error.strerror)) from error
        return Content(text, revision(content))

    def _path(self, name: str) -> Path:
        if name not in self._names:
            raise NotOpen(NO_FILE.format(file=name))
        return self._folder / name


def _content(name: str, path: Path) -> bytes:
    """All of a regular file: a pipe would keep us waiting, a device may never end."""
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    with open(path, "rb", opener=lambda name, _: os.open(name, flags)) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(NOT_REGULAR)
        if len(content := file.read(LARGEST + 1)) > LARGEST:
            raise NotOpen(TOO_LARGE.format(file=name, size=max(len(content), path.stat().st_size), most=LARGEST))
        return content


def revision(content: bytes) -> str:
    """Return the revision, which tells this content from others."""
    return hashlib.sha256(content).hexdigest()[:16]
