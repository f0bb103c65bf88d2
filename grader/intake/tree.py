"""Lists a folder or a file as named files, archives included; each is opened once, with bounds.

Nothing follows a link, blocks, is unpacked to disk or trusted. A file is opened from its folder's descriptor, so that
no process can put another folder or file in its place meanwhile.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import io
import os
import re
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

from grader.errors import SubmissionError
from grader.texts import Text, no_command, one_line, translated

MAX_FILES = 10_000
MAX_DEPTH = 16
MAX_PART = 4 << 20  # bytes read at a time: what lists the members of a zip may itself be made of millions
MAX_NAME = 200  # characters of a path that are shown
BEGIN_KB = 4  # of a file, that tell what it is
_ENDINGS = re.compile(r"(?<=.)(\.tar\.\w+|\.(py|ipynb)\.(txt|json)|\.[^.]+)$", re.IGNORECASE)
MOST_SAID = 2000  # of a sentence about a file

LINK = translated("{name} is a symbolic link; hand in the file itself")
HARD_LINK = translated("{name} is a hard link to another file; hand in a copy")
NOT_REGULAR = translated("{name} is not a regular file")
UNREADABLE = translated("{name} cannot be read ({error})")
TOO_LARGE = translated("{name} is larger than {limit} KB; leave out data, models, outputs and environments")
TOO_MANY = translated("{name} holds more than {limit} files; hand in only those that you wrote")
TOO_DEEP = translated("{name} has folders more than {limit} deep")

# What systems, editors, version control and Python leave in a folder: passed over without a word.
NOISE = {
    "__macosx", "__pycache__", "node_modules", "site-packages", "venv", "env", "thumbs.db", "desktop.ini", "icon\r",
    "timestamp.txt",  # nbgrader's
}  # fmt: skip


class Refused(SubmissionError):
    """Carries the sentence for the student, in one line whatever the names of the files in it."""

    def __init__(self, reason: Text) -> None:
        self.reason = reason.each(lambda sentence: one_line(sentence, MOST_SAID))
        super().__init__(self.reason.to("en"))


class FileTooLarge(Refused):
    """A file holds more than is read; `begins` is the first of it."""

    def __init__(self, reason: Text, begins: bytes) -> None:
        super().__init__(reason)
        self.begins = begins


@dataclasses.dataclass(frozen=True)
class File:
    """A file somewhere in a submission. `read` returns its bytes, up to so many KB; it raises Refused.

    `on_disk` is its path, unless it is in an archive.
    """

    parts: tuple[str, ...]
    read: Callable[[int], bytes]
    on_disk: Path | None = None

    @property
    def name(self) -> str:
        """Return the last part of its path."""
        return self.parts[-1]

    @property
    def path(self) -> str:
        """Return the whole path in a printable form: `week1/softmax.py`."""
        return one_line("/".join(self.parts), MAX_NAME)

    def begins(self) -> bytes:
        """Return the first of its bytes and read no more. Raises Refused."""
        try:
            return self.read(BEGIN_KB)
        except FileTooLarge as larger:
            return larger.begins


def is_noise(name: str) -> bool:
    """Return True if a file or folder of this name is no student's work."""
    return name.startswith((".", "~$")) or name.lower() in NOISE or name.endswith((".pyc", ".egg-info"))


def walk(root: Path) -> Iterator[File]:
    """Yield the files below a folder, in the order of their names; links are among them, and refuse to be read.

    Raises:
        Refused: the folder cannot be listed or holds too much.
    """
    if root.is_symlink():
        raise Refused(LINK.format(name=root.name))
    count = 0
    todo: list[tuple[str, ...]] = [()]
    while todo:
        folder = todo.pop()
        if len(folder) > MAX_DEPTH:
            raise Refused(TOO_DEEP.format(name=root.name, limit=MAX_DEPTH))
        deeper = []
        for name, is_folder in _listed(root, folder):
            if is_noise(name):
                continue
            count += 1
            if count > MAX_FILES:
                raise Refused(TOO_MANY.format(name=root.name, limit=MAX_FILES))
            if is_folder:
                deeper.append((*folder, name))
            else:
                parts = (*folder, name)
                yield File(parts, functools.partial(_content, root, parts), root.joinpath(*parts))
        todo += reversed(deeper)


def single(path: Path) -> File:
    """Return a file that is handed in by itself."""
    return File((path.name,), functools.partial(_content, path.parent, (path.name,)), path)


def _listed(root: Path, folder: tuple[str, ...]) -> list[tuple[str, bool]]:
    """Return the sorted names in a folder, each with True if it is a folder itself."""
    try:
        with contextlib.ExitStack() as opened:
            if os.scandir in os.supports_fd:
                descriptor = _folder(root, folder)
                opened.callback(os.close, descriptor)
                listing = opened.enter_context(os.scandir(descriptor))
            else:
                listing = opened.enter_context(os.scandir(root.joinpath(*folder)))
            found = []
            for entry in listing:
                found.append((entry.name, entry.is_dir(follow_symlinks=False)))
                if len(found) > MAX_FILES:
                    raise Refused(TOO_MANY.format(name=root.name, limit=MAX_FILES))
            return sorted(found)
    except OSError as error:
        raise Refused(UNREADABLE.format(name="/".join((root.name, *folder)), error=error.strerror)) from error


def _folder(root: Path, folder: tuple[str, ...]) -> int:
    """Return a descriptor of a folder below `root`, reached without following a link. Raises OSError."""
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
    descriptor = os.open(root, flags)
    for part in folder:
        above = descriptor
        try:
            descriptor = os.open(part, flags | os.O_NOFOLLOW, dir_fd=above)
        finally:
            os.close(above)
    return descriptor


def _content(root: Path, parts: tuple[str, ...], most_kb: int) -> bytes:
    name = parts[-1]
    try:
        with opened(root, parts) as file:
            if os.fstat(file.fileno()).st_nlink > 1:
                raise Refused(HARD_LINK.format(name=name))
            return at_most(name, file, most_kb)
    except OSError as error:
        raise Refused(UNREADABLE.format(name=name, error=error.strerror)) from error


def opened(root: Path, parts: tuple[str, ...]) -> BoundedReader:
    """Open a regular file below `root` once; nothing that blocks, and no link. Raises Refused and OSError."""
    name = parts[-1]
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    flags |= getattr(os, "O_NOFOLLOW", 0)
    if os.open not in os.supports_dir_fd:
        _must_be_regular(name, root.joinpath(*parts).lstat().st_mode)
        file = BoundedReader(os.open(root.joinpath(*parts), flags), "rb")
    else:
        folder = _folder(root, parts[:-1])
        try:
            _must_be_regular(name, os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)
            file = BoundedReader(os.open(name, flags, dir_fd=folder), "rb")
        finally:
            os.close(folder)
    try:
        _must_be_regular(name, os.fstat(file.fileno()).st_mode)
    except Refused:
        file.close()
        raise
    return file


def _must_be_regular(name: str, mode: int) -> None:
    if stat.S_ISLNK(mode):
        raise Refused(LINK.format(name=name))
    if not stat.S_ISREG(mode):
        raise Refused(NOT_REGULAR.format(name=name))


class BoundedReader(io.FileIO):
    """Reads at most MAX_PART at a time, whatever an archive says about the size of its parts."""

    def read(self, size: int | None = -1, /) -> bytes:
        return super().read(size if size is not None and 0 <= size < MAX_PART else MAX_PART)


def at_most(name: str, file: IO[bytes] | io.RawIOBase, most_kb: int, size: int = 0) -> bytes:
    """Return all bytes of the file. Raises FileTooLarge if there are more than `most_kb`.

    Args:
        size: the declared size; if that is too large, only the beginning is read.
    """
    content, most = bytearray(), most_kb * 1024
    wanted = most + 1 if size <= most else min(most, BEGIN_KB * 1024)
    while len(content) < wanted and (part := file.read(wanted - len(content))):
        content += part
    if max(size, len(content)) > most:
        raise FileTooLarge(TOO_LARGE.format(name=name, limit=most_kb), bytes(content[: BEGIN_KB * 1024]))
    return bytes(content)


def student_id(path: Path) -> str:
    """Return the student's id: the name of the folder, or of the file without its ending, in printable characters."""
    name = path.name or path.absolute().name
    if not path.is_dir():
        name = _ENDINGS.sub("", name)
    return printable(name or path.resolve().name)


def printable(name: str) -> str:
    """Return a file name with escapes for characters that do not print."""
    shown = (c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode() for c in name)
    return no_command("".join(shown))
