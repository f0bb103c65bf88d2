"""Zips and tar files, and those inside them, as lists of files: read member by member, never unpacked to disk."""

from __future__ import annotations

import dataclasses
import gzip
import io
import os
import re
import stat
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from typing import IO, Any

from grader.intake import tree
from grader.intake.tree import File, FileTooLarge, Refused, at_most, is_noise
from grader.texts import Text, translated

MAX_BYTES = 64 << 20  # of an archive, and of all archives inside it together
MAX_LISTED = 100_000  # members of a zip, those too that are passed over
MAX_IN_VAIN = 256 << 20  # of archives that unpack to too much
MAX_CALLED_CODE = 8 << 20  # of an archive under the name of a notebook or of code
MAX_NESTED = 3  # archives in each other
MAX_PATH, MAX_PART_NAME = 4096, 255  # characters of a member's path, and of each part
ZIP, TAR = (".zip",), (".tar", ".tar.gz", ".tgz")
OTHERS = (".rar", ".7z", ".tar.bz2", ".tar.xz", ".gz", ".bz2", ".xz")
# How each begins, whatever it is called; a tar file says so further on.
_ZIPPED, _GZIPPED, _TAR_AT = b"PK\3\4", b"\x1f\x8b", (257, b"ustar")
_MEMBER, _LEAST_LISTED = b"PK\1\2", 46  # how a zip lists each member, and in how many bytes at least
_OTHERS = (b"Rar!", b"7z\xbc\xaf", b"BZh", b"\xfd7zXZ")

BAD = translated("{name} cannot be unpacked ({error}); make it again, as an ordinary zip")
OTHER_KIND = translated("{name} is not a zip; pack your files again, as an ordinary zip")
ENCRYPTED = translated("{name} is encrypted; make a zip without a password")
METHOD = translated("{name} is compressed in an unusual way; use an ordinary zip")
NESTED = translated("{name} holds archives in archives, more than {limit} deep")
TOGETHER = translated(
    "{name} is not read, all archives hold more than {limit} MB; leave out data, models, outputs and environments"
)
MUCH = translated("{name} unpacks to more than {limit} MB; leave out data, models, outputs and environments")
Troubles = dict[tuple[str, ...], Text]  # why a file could not be read, by the parts of its path
_SEPARATOR = re.compile(r"[/\\]+")


@dataclasses.dataclass
class Budget:
    """The budget for the archives of one submission together: bytes, files, and bytes unpacked in vain; and the number
    of members that each may list.
    """

    bytes: int = dataclasses.field(default_factory=lambda: MAX_BYTES)
    files: int = dataclasses.field(default_factory=lambda: tree.MAX_FILES)
    in_vain: int = dataclasses.field(default_factory=lambda: MAX_IN_VAIN)
    listed: int = MAX_LISTED


def is_archive(name: str) -> bool:
    """Return True if a file of this name is an archive."""
    return name.lower().endswith((*ZIP, *TAR, *OTHERS))


def expanded(file: File, troubles: Troubles, budget: Budget, depth: int = 0) -> Iterator[File]:
    """Yield the file, or the files inside it if it is an archive, with their paths below its name.

    An archive is known by its name, unless a notebook has that name; under the name of code or a notebook, by its first
    bytes.

    Args:
        troubles: collects the reasons why archives cannot be read; such an archive is then among the files.
    """
    called = is_archive(file.name)
    if not (called or file.name.lower().endswith((".ipynb", ".py"))):
        yield file
        return
    packed = called
    try:
        begins = file.begins()
        packed = begins.startswith(_ZIPPED) or (called and not begins[:512].lstrip().startswith(b"{"))  # a notebook
        if not packed:
            yield file
            return
        if depth >= MAX_NESTED:
            raise Refused(NESTED.format(name=file.path, limit=MAX_NESTED))
        content = _content(file, budget.bytes if called else min(budget.bytes, MAX_CALLED_CODE))
        try:
            found = list(members(file.name, io.BytesIO(content), budget))
        finally:
            budget.bytes = max(budget.bytes - len(content), 0)
        for inside in found:
            below = File((*file.parts, *inside.parts), inside.read)
            yield from expanded(below, troubles, budget, depth + 1)
    except Refused as refused:
        if packed:
            troubles[file.parts] = refused.reason
        yield file


def _content(file: File, most: int) -> bytes:
    try:
        return file.read(most >> 10)
    except FileTooLarge as error:
        raise Refused(TOGETHER.format(name=file.name, limit=MAX_BYTES >> 20)) from error


def members(name: str, data: IO[bytes], budget: Budget) -> Iterator[File]:
    """Yield the files in an archive, which must stay open for them to be read.

    Raises:
        Refused: it cannot be read, or holds too much.
    """
    for file in _kind(name, data)(name, data, budget):
        if any(map(is_noise, file.parts)):  # an environment may hold more files than are read
            continue
        budget.files -= 1
        if budget.files < 0:
            raise Refused(tree.TOO_MANY.format(name=name, limit=tree.MAX_FILES))
        yield file


def _kind(name: str, data: IO[bytes]) -> Callable[[str, IO[bytes], Budget], Iterator[File]]:
    """Return the function that lists the members: by the first bytes, or by the name if those do not tell."""
    begins, ending = data.read(512), name.lower()
    data.seek(0)
    at, mark = _TAR_AT
    packed = begins.startswith(_GZIPPED) and ending.endswith((*ZIP, *TAR))  # another .gz is one file
    if begins.startswith(_ZIPPED):
        return _zipped
    if packed or begins[at:].startswith(mark):
        return _tarred
    if begins.startswith(_OTHERS) or not ending.endswith((*ZIP, *TAR)):
        raise Refused(OTHER_KIND.format(name=name))
    return _zipped if ending.endswith(ZIP) else _tarred


def _parts(name: str) -> tuple[str, ...]:
    """Return the parts of a member's path, cut to what a disk takes: an archive may use a name of megabytes."""
    parts = _SEPARATOR.split(name[-MAX_PATH:])
    return tuple(part[:MAX_PART_NAME] for part in parts if part not in ("", ".", ".."))


def _zipped(name: str, data: IO[bytes], budget: Budget) -> Iterator[File]:
    if _size(data) > budget.bytes:
        raise Refused(MUCH.format(name=name, limit=MAX_BYTES >> 20))
    if _listed(data, budget.listed) > budget.listed:  # zipfile takes a kilobyte of memory for each
        raise Refused(tree.TOO_MANY.format(name=name, limit=budget.listed))
    try:
        archive = zipfile.ZipFile(data)
        found = archive.infolist()
    except Exception as error:  # zipfile raises whatever a damaged archive leads to
        raise Refused(BAD.format(name=name, error=type(error).__name__)) from error
    for member in found:
        if (parts := _parts(member.filename)) and not member.is_dir():
            yield File(parts, _zip_reader(archive, member, parts[-1]))


def _listed(data: IO[bytes], most: int) -> int:
    """Return how many members a zip lists, including those of a zip stored in it; 0 if it has no room for `most`."""
    count, before, enough = 0, b"", _size(data) > most * _LEAST_LISTED
    while enough and (part := data.read(tree.MAX_PART)):
        count += (before + part).count(_MEMBER)
        before = part[1 - len(_MEMBER) :]
    data.seek(0)
    return count


def _zip_reader(archive: zipfile.ZipFile, member: zipfile.ZipInfo, name: str) -> Callable[[int], bytes]:
    def read(most_kb: int) -> bytes:
        if member.flag_bits & 1:
            raise Refused(ENCRYPTED.format(name=name))
        if stat.S_ISLNK(member.external_attr >> 16):
            raise Refused(tree.LINK.format(name=name))
        if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):  # others unpack without a limit
            raise Refused(METHOD.format(name=name))
        try:
            with archive.open(member) as file:
                return at_most(name, file, most_kb, member.file_size)
        except Refused:
            raise
        except Exception as error:  # as above: zlib.error, struct.error, NotImplementedError, ...
            raise Refused(tree.UNREADABLE.format(name=name, error=type(error).__name__)) from error

    return read


def _tarred(name: str, data: IO[bytes], budget: Budget) -> Iterator[File]:
    """Yield the files of a tar file, which is read into memory as a whole, within the room that is left."""
    try:
        packed = data.read(len(_GZIPPED)) == _GZIPPED
        data.seek(0)
        stream: Any = gzip.GzipFile(fileobj=data) if packed else data
        whole = b"".join(_within(stream, min(budget.bytes, budget.in_vain)))
        if len(whole) > min(budget.bytes, budget.in_vain):
            budget.in_vain -= len(whole)
            raise Refused(MUCH.format(name=name, limit=MAX_BYTES >> 20))
        budget.bytes -= len(whole)
        with tarfile.open(fileobj=io.BytesIO(whole), mode="r:") as archive:
            found = archive.getmembers()
    except Refused:
        raise
    except Exception as error:  # gzip and tarfile raise whatever a damaged archive leads to
        raise Refused(BAD.format(name=name, error=type(error).__name__)) from error
    for member in found:
        parts = _parts(member.name)
        if parts and not member.isdir():
            yield File(parts, _tar_reader(whole, member, parts[-1]))


def _within(stream: IO[bytes], most: int) -> Iterator[bytes]:
    """Yield the readable parts, and one part more than `most` if there is more."""
    read = 0
    while read <= most and (part := stream.read(tree.MAX_PART)):
        read += len(part)
        yield part


def _tar_reader(whole: bytes, member: tarfile.TarInfo, name: str) -> Callable[[int], bytes]:
    """Return a reader that uses memory only, so that several may read at a time."""

    def read(most_kb: int) -> bytes:
        if member.issym() or member.islnk():
            raise Refused(tree.LINK.format(name=name))
        if not member.isreg() or member.issparse():
            raise Refused(tree.NOT_REGULAR.format(name=name))
        return at_most(name, io.BytesIO(whole[member.offset_data : member.offset_data + member.size]), most_kb)

    return read


def _size(data: IO[bytes]) -> int:
    size = data.seek(0, os.SEEK_END)
    data.seek(0)
    return size
