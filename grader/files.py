"""A folder or zip as named files: each opened once, checked, decoded; nothing of it is run or trusted."""

from __future__ import annotations

import contextlib
import io
import itertools
import os
import re
import stat
import zipfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from grader.errors import SubmissionError
from grader.words import Text

Read = Callable[[str, int], bytes | None]  # name, most KB
CODECS = {
    "utf-8": "utf-8-sig", "utf8": "utf-8-sig", "ascii": "ascii", "us-ascii": "ascii", "latin-1": "latin-1",
    "latin1": "latin-1", "iso-8859-1": "latin-1", "gbk": "gbk", "gb2312": "gb2312", "gb18030": "gb18030",
}  # fmt: skip
_CODING = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
NOTEBOOK = ".ipynb"
MAX_ENTRIES = 10_000
MAX_ZIP_BYTES = 64 << 20
MAX_ZIP_READ = 4 << 20  # at a time: what lists the members of a zip may itself be made of millions

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
TOO_MANY = Text("more than {limit} files", "文件超过 {limit} 个")
ENCRYPTED = Text("{name} is encrypted", "{name} 已加密")
METHOD = Text("{name} is compressed in an unusual way; use an ordinary zip", "{name} 的压缩方式不常见；请使用普通 zip")


class Refused(SubmissionError):
    """Carries the sentence for the student."""

    def __init__(self, reason: Text) -> None:
        super().__init__(reason.en)
        self.reason = reason


def opened(path: Path) -> contextlib.AbstractContextManager[tuple[Read, list[str]]]:
    """A folder, a zip or a single notebook: a way to read a file of it by name, and the names that there are.

    Both raise Refused. To read gives None for what is not there.
    """
    return {".zip": _zip, NOTEBOOK: _alone}.get(path.suffix.lower(), _folder)(path)


@contextlib.contextmanager
def _folder(folder: Path) -> Iterator[tuple[Read, list[str]]]:
    try:
        if folder.is_symlink():
            raise Refused(LINK.format(name=folder.name))
        with os.scandir(folder) as listing:
            names = [entry.name for entry in itertools.islice(listing, MAX_ENTRIES)]
    except OSError as error:
        raise Refused(UNREADABLE.format(name=folder.name, error=error.strerror)) from error

    yield lambda name, most_kb: _content(folder / name, most_kb), names


@contextlib.contextmanager
def _alone(path: Path) -> Iterator[tuple[Read, list[str]]]:
    yield lambda name, most_kb: _content(path, most_kb) if name == path.name else None, [path.name]


def _content(path: Path, most_kb: int) -> bytes | None:
    name = path.name
    try:
        if path.is_symlink():
            raise Refused(LINK.format(name=name))
        if not path.exists():
            return None
        with _opened(path, name) as file:
            if os.fstat(file.fileno()).st_nlink > 1:
                raise Refused(HARD_LINK.format(name=name))
            return _sized(name, _parts(file, most_kb), most_kb)
    except OSError as error:
        raise Refused(UNREADABLE.format(name=name, error=error.strerror)) from error


def _parts(file: _File, most_kb: int) -> bytes:
    """The content, up to one byte more than is allowed."""
    content = bytearray()
    while len(content) <= most_kb * 1024 and (part := file.read(most_kb * 1024 + 1 - len(content))):
        content += part
    return bytes(content)


def _opened(path: Path, name: str) -> _File:
    """A regular file, opened once; nothing that blocks, and no link."""
    if not stat.S_ISREG(path.lstat().st_mode):
        raise Refused(NOT_REGULAR.format(name=name))
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    file = _File(os.open(path, flags), "rb")
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise Refused(NOT_REGULAR.format(name=name))
    return file


class _File(io.FileIO):
    """Reads at most MAX_ZIP_READ at a time, whatever a zip says about the size of its parts."""

    def read(self, size: int | None = -1, /) -> bytes:
        return super().read(size if size is not None and 0 <= size < MAX_ZIP_READ else MAX_ZIP_READ)


@contextlib.contextmanager
def _zip(path: Path) -> Iterator[tuple[Read, list[str]]]:
    try:
        file = _opened(path, path.name)
    except OSError as error:
        raise Refused(UNREADABLE.format(name=path.name, error=error.strerror)) from error
    with file:
        if os.fstat(file.fileno()).st_size > MAX_ZIP_BYTES:
            raise Refused(TOO_LARGE.format(name=path.name, limit=MAX_ZIP_BYTES >> 10))
        try:
            archive = zipfile.ZipFile(file)
        except Exception as error:  # zipfile raises whatever a damaged archive leads it into
            raise Refused(BAD_ZIP.format(name=path.name, error=type(error).__name__)) from error
        members = archive.infolist()
        if len(members) > MAX_ENTRIES:
            raise Refused(TOO_MANY.format(limit=MAX_ENTRIES))
        names = [m.filename.rpartition("/")[2] for m in members if not m.filename.startswith("__MACOSX")]
        placed = _placed(members)
        yield lambda name, most_kb: _member(archive, placed.get(name, ()), name, most_kb), [n for n in names if n]


def _placed(members: Sequence[zipfile.ZipInfo]) -> dict[str, list[zipfile.ZipInfo]]:
    """The members by name, at the top or inside the one folder that zip tools put around everything."""
    found: dict[str, list[zipfile.ZipInfo]] = {}
    for member in members:
        folder, slash, name = member.filename.rpartition("/")
        if not slash or (folder and not folder.startswith("__MACOSX") and not {"/", "\\"} & set(folder)):
            found.setdefault(name, []).append(member)
    return found


def _member(archive: zipfile.ZipFile, found: Sequence[zipfile.ZipInfo], name: str, most_kb: int) -> bytes | None:
    if not found:
        return None
    if len(found) > 1:
        raise Refused(TWICE.format(name=name))
    if found[0].flag_bits & 1:
        raise Refused(ENCRYPTED.format(name=name))
    if stat.S_ISLNK(found[0].external_attr >> 16):
        raise Refused(LINK.format(name=name))
    if found[0].compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):  # the others unpack without a limit
        raise Refused(METHOD.format(name=name))
    try:
        with archive.open(found[0]) as file:
            data = file.read(most_kb * 1024 + 1)
    except Exception as error:  # as above: zlib.error, struct.error, NotImplementedError, ...
        raise Refused(UNREADABLE.format(name=name, error=type(error).__name__)) from error
    return _sized(name, data, most_kb)


def _sized(name: str, data: bytes, most_kb: int) -> bytes:
    if len(data) > most_kb * 1024:
        raise Refused(TOO_LARGE.format(name=name, limit=most_kb))
    return data


def decode(name: str, data: bytes) -> str:
    """The text of a Python file, by its coding line if it has one; no Python tokenizer sees it here."""
    if b"\0" in data:
        raise Refused(NULL_BYTES.format(name=name))
    coding = next((m.group(1) for line in data.splitlines()[:2] if (m := _CODING.match(line))), b"utf-8").decode(
        "ascii"
    )
    codec = CODECS.get(coding.lower().replace("_", "-"))
    if codec is None:
        raise Refused(BAD_CODEC.format(name=name, codec=coding[:40]))
    try:
        return data.decode(codec)
    except UnicodeDecodeError as error:
        raise Refused(NOT_ENCODED.format(name=name, codec=coding[:40])) from error
