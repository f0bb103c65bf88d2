"""Folder or zip to a Submission: each file opened once, checked, decoded; nothing of it is run or trusted."""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import io
import itertools
import json
import os
import re
import stat
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from grader.course import SHEET, file_name
from grader.errors import CourseError, SubmissionError
from grader.words import Text, clean

Read = Callable[[str], bytes | None]
CODECS = {
    "utf-8": "utf-8-sig", "utf8": "utf-8-sig", "ascii": "ascii", "us-ascii": "ascii", "latin-1": "latin-1",
    "latin1": "latin-1", "iso-8859-1": "latin-1", "gbk": "gbk", "gb2312": "gb2312", "gb18030": "gb18030",
}  # fmt: skip
_CODING = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
MAX_ENTRIES = 10_000
MAX_ZIP_BYTES = 64 << 20
MAX_ZIP_READ = 4 << 20  # at a time: what lists the members of a zip may itself be made of millions
MAX_NAMED = 8
OTHER_FILES = (file_name(SHEET), "ANSWERS.md")  # beside the exercises even where the course does not ask for them

LINK = Text("{name} is a symbolic link; hand in the file itself", "{name} 是符号链接；请提交文件本身")
HARD_LINK = Text("{name} is a hard link to another file; hand in a copy", "{name} 是硬链接；请提交文件的副本")
NOT_REGULAR = Text("{name} is not a regular file", "{name} 不是普通文件")
UNREADABLE = Text("{name} cannot be read ({error})", "无法读取 {name}({error})")
TOO_LARGE = Text("{name} is larger than {limit} KB", "{name} 超过 {limit} KB")
NULL_BYTES = Text("{name} contains null bytes; is it a Python file?", "{name} 含有空字节；它是 Python 文件吗？")
BAD_CODEC = Text(
    "{name} declares the encoding {codec}; save it as UTF-8 (ascii, latin-1, gbk, gb2312 and gb18030 are taken too)",
    "{name} 声明的编码是 {codec}；请保存为 UTF-8（也接受 ascii、latin-1、gbk、gb2312 和 gb18030）",
)
NOT_ENCODED = Text("{name} is not valid {codec}; save it as UTF-8", "{name} 不是有效的 {codec}；请保存为 UTF-8")
BAD_ZIP = Text("{name} is no readable zip file ({error})", "{name} 不是可读取的 zip 文件({error})")
TWICE = Text("{name} is in the zip more than once", "{name} 在 zip 中出现了多次")
BOTH = Text(
    "{first} and {second} are of one student; keep one of them", "{first} 和 {second} 属于同一名学生；请只保留一份"
)
TOO_MANY = Text("more than {limit} files", "文件超过 {limit} 个")
ENCRYPTED = Text("{name} is encrypted", "{name} 已加密")
METHOD = Text("{name} is compressed in an unusual way; use an ordinary zip", "{name} 的压缩方式不常见；请使用普通 zip")


@dataclasses.dataclass(frozen=True)
class Source:
    """One exercise file: its text, or why it is refused. Neither means that it is missing."""

    text: str | None = None
    refused: Text | None = None


@dataclasses.dataclass(frozen=True)
class Submission:
    """What one student handed in, by what the course calls its sources. `refused` is set where the whole hand-in breaks a rule; `ignored`
    names files that nothing reads.
    """

    student: str
    sources: Mapping[str, Source]
    refused: Text | None = None
    ignored: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return dataclasses.asdict(self)

    def fingerprint(self, context: Mapping[str, str]) -> str:
        """What the report depends on, as `name=hash` words: the source, and each entry of `context`.

        Two fingerprints side by side say why a score changed.
        """
        parts = {"source": json.dumps(self.to_json(), sort_keys=True), **context}
        return " ".join(f"{name}={hashlib.sha256(text.encode()).hexdigest()[:16]}" for name, text in parts.items())

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Submission:
        sources = {i: Source(s["text"], _text(s["refused"])) for i, s in data["sources"].items()}
        return cls(data["student"], sources, _text(data["refused"]), tuple(data["ignored"]))


def _text(data: Any) -> Text | None:
    return None if data is None else Text(*data)


class _Refused(SubmissionError):
    """Carries the sentence for the student."""

    def __init__(self, reason: Text) -> None:
        super().__init__(reason.en)
        self.reason = reason


def entries(folder: Path, exercises: Iterable[str]) -> list[Path]:
    """The students' entries in a folder of submissions, sorted; a folder that itself holds exercise files is one.

    Raises:
        CourseError: it is no folder, cannot be listed, or holds nothing to grade.
    """
    try:
        found = sorted(p for p in folder.iterdir() if not p.name.startswith((".", "__")))
    except OSError as error:
        raise CourseError(f"{folder}: cannot be listed: {error.strerror}") from error
    if any((folder / file_name(e)).is_file() for e in exercises):
        return [folder]
    students = [p for p in found if p.suffix.lower() == ".zip" or p.is_dir() or p.is_symlink()]
    if not students:
        raise CourseError(f"{folder}: no submissions; it should hold a folder or a .zip for each student")
    return list({student_id(path): path for path in reversed(students)}.values())[::-1]


def load_entry(path: Path, exercises: Iterable[str], source_kb: int) -> Submission:
    """`load` for an entry of a class: refused where the student handed in both a folder and a zip."""
    twin = path.with_suffix("") if path.suffix.lower() == ".zip" else path.with_name(path.name + ".zip")
    if os.path.lexists(twin) and student_id(twin) == student_id(path):
        first, second = sorted(printable(p.name) for p in (path, twin))
        return Submission(student_id(path), {}, BOTH.format(first=first, second=second))
    return load(path, exercises, source_kb)


def strays(folder: Path, students: Iterable[Path]) -> list[str]:
    """What lies in a folder of submissions and is none: the names, printable."""
    known = {student_id(path) for path in students}
    found = (p for p in folder.iterdir() if not p.name.startswith((".", "__")))
    return sorted(printable(p.name) for p in found if student_id(p) not in known)


def student_id(path: Path) -> str:
    """Who handed this in: the name of the folder, or of the zip without its ending, all of it printable."""
    return printable(path.stem if path.suffix.lower() == ".zip" else Path(os.path.abspath(path)).name)


def printable(name: str) -> str:
    """A file name with escapes for what would not print."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in name)


def load(path: Path, exercises: Iterable[str], source_kb: int) -> Submission:
    """Read one student's folder or zip. Never raises for what a student did: that is `refused`."""
    student, exercises = student_id(path), list(exercises)
    sources = {}
    try:
        with (_zip if path.suffix.lower() == ".zip" else _folder)(path, source_kb) as (read, names):
            for exercise in exercises:
                try:
                    data = read(file_name(exercise))
                    sources[exercise] = Source() if data is None else Source(decode(file_name(exercise), data))
                except _Refused as error:
                    sources[exercise] = Source(refused=error.reason)
            return Submission(student, sources, None, ignored(names, exercises))
    except _Refused as error:
        return Submission(student, {}, error.reason)


def ignored(names: Iterable[str], exercises: Iterable[str]) -> tuple[str, ...]:
    """The names of files that nothing reads, safe to show: `softmax (1).py`, or what was planted for Python to find."""
    known = {*map(file_name, exercises), *OTHER_FILES}
    others = sorted({clean(n, 60) for n in names if n not in known and not n.startswith((".", "__"))})
    more = len(others) - MAX_NAMED
    return (*others[:MAX_NAMED], f"+{more}") if more > 0 else tuple(others)


@contextlib.contextmanager
def _folder(folder: Path, source_kb: int) -> Iterator[tuple[Read, list[str]]]:
    try:
        if folder.is_symlink():
            raise _Refused(LINK.format(name=folder.name))
        with os.scandir(folder) as listing:
            names = [entry.name for entry in itertools.islice(listing, MAX_ENTRIES)]
    except OSError as error:
        raise _Refused(UNREADABLE.format(name=folder.name, error=error.strerror)) from error

    def read(name: str) -> bytes | None:
        path = folder / name
        try:
            if path.is_symlink():
                raise _Refused(LINK.format(name=name))
            if not path.exists():
                return None
            with _opened(path, name) as file:
                if os.fstat(file.fileno()).st_nlink > 1:
                    raise _Refused(HARD_LINK.format(name=name))
                return _sized(name, file.read(source_kb * 1024 + 1), source_kb)
        except OSError as error:
            raise _Refused(UNREADABLE.format(name=name, error=error.strerror)) from error

    yield read, names


def _opened(path: Path, name: str) -> _File:
    """A regular file, opened once; nothing that blocks, and no link."""
    if not stat.S_ISREG(path.lstat().st_mode):
        raise _Refused(NOT_REGULAR.format(name=name))
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    file = _File(os.open(path, flags), "rb")
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise _Refused(NOT_REGULAR.format(name=name))
    return file


class _File(io.FileIO):
    """Reads at most MAX_ZIP_READ at a time, whatever a zip says about the size of its parts."""

    def read(self, size: int | None = -1, /) -> bytes:
        return super().read(size if size is not None and 0 <= size < MAX_ZIP_READ else MAX_ZIP_READ)


@contextlib.contextmanager
def _zip(path: Path, source_kb: int) -> Iterator[tuple[Read, list[str]]]:
    try:
        file = _opened(path, path.name)
    except OSError as error:
        raise _Refused(UNREADABLE.format(name=path.name, error=error.strerror)) from error
    with file:
        if os.fstat(file.fileno()).st_size > MAX_ZIP_BYTES:
            raise _Refused(TOO_LARGE.format(name=path.name, limit=MAX_ZIP_BYTES >> 10))
        try:
            archive = zipfile.ZipFile(file)
        except Exception as error:  # zipfile raises whatever a damaged archive leads it into
            raise _Refused(BAD_ZIP.format(name=path.name, error=type(error).__name__)) from error
        members = archive.infolist()
        if len(members) > MAX_ENTRIES:
            raise _Refused(TOO_MANY.format(limit=MAX_ENTRIES))
        names = [m.filename.rpartition("/")[2] for m in members if not m.filename.startswith("__MACOSX")]
        yield lambda name: _member(archive, members, name, source_kb), [n for n in names if n]


def _member(archive: zipfile.ZipFile, members: Sequence[zipfile.ZipInfo], name: str, source_kb: int) -> bytes | None:
    # at the top or inside the one folder that zip tools put around everything
    found = [m for m in members if re.fullmatch(rf"(?:(?!__MACOSX)[^/\\]+/)?{re.escape(name)}", m.filename)]
    if not found:
        return None
    if len(found) > 1:
        raise _Refused(TWICE.format(name=name))
    if found[0].flag_bits & 1:
        raise _Refused(ENCRYPTED.format(name=name))
    if stat.S_ISLNK(found[0].external_attr >> 16):
        raise _Refused(LINK.format(name=name))
    if found[0].compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):  # the others unpack without a limit
        raise _Refused(METHOD.format(name=name))
    try:
        with archive.open(found[0]) as file:
            data = file.read(source_kb * 1024 + 1)
    except Exception as error:  # as above: zlib.error, struct.error, NotImplementedError, ...
        raise _Refused(UNREADABLE.format(name=name, error=type(error).__name__)) from error
    return _sized(name, data, source_kb)


def _sized(name: str, data: bytes, source_kb: int) -> bytes:
    if len(data) > source_kb * 1024:
        raise _Refused(TOO_LARGE.format(name=name, limit=source_kb))
    return data


def decode(name: str, data: bytes) -> str:
    """The text of a Python file, by its coding line if it has one; no Python tokenizer sees it here."""
    if b"\0" in data:
        raise _Refused(NULL_BYTES.format(name=name))
    coding = next((m.group(1) for line in data.splitlines()[:2] if (m := _CODING.match(line))), b"utf-8").decode(
        "ascii"
    )
    codec = CODECS.get(coding.lower().replace("_", "-"))
    if codec is None:
        raise _Refused(BAD_CODEC.format(name=name, codec=coding[:40]))
    try:
        return data.decode(codec)
    except UnicodeDecodeError as error:
        raise _Refused(NOT_ENCODED.format(name=name, codec=coding[:40])) from error
