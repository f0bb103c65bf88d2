"""The files that the course gives out: the stub of each file, the questions of the blank answer sheet."""

from __future__ import annotations

import re
from pathlib import Path

from grader.course import SHEET, Course, file_name, stub_languages
from grader.intake.decoding import decode_sheet
from grader.intake.tree import File

_FIELD = re.compile(r"^([ \t]*)(\w+)[ \t]*:", re.MULTILINE)
_ANSWER = re.compile(
    r"^(?!variant\b)[ \t]*[^\s#:][^:#\n]*:[ \t]*[^\s#{},\[\]]", re.MULTILINE
)  # something behind a colon


def stub(course: Course, source: str) -> bytes | None:
    """Return the file in the course's folder without blank lines around it; None if there is none."""
    try:
        path = _path(course, source)
        return path.read_bytes().replace(b"\r\n", b"\n").strip() if path.is_file() else None
    except OSError:
        return None


def is_stub(course: Course, source: str, content: bytes) -> bool:
    """Return True if this is the file as given out in any language of the course, without blank lines around it."""
    given = stub(course, source)
    return given is not None and content in stub_languages.editions(given, course.settings.languages)


def asked(course: Course) -> frozenset[str]:
    """Return the names of the questions on the blank answer sheet, without the deeper rows of its tables."""
    fields = _FIELD.findall(decode_sheet(stub(course, SHEET) or b""))
    least = min((len(indent) for indent, _ in fields if indent), default=0)
    return frozenset(name for indent, name in fields if len(indent) == least) - {e.id for e in course.exercises}


def is_begun(course: Course, source: str, file: File) -> bool:
    """Return True if this is the file in the course's folder itself, where a learner works, and has been begun.

    It cannot be compared with the stub, which it replaces.
    """
    try:
        if not (file.on_disk and file.on_disk.samefile(_path(course, source))):
            return False
    except OSError:
        return False
    written = stub(course, source) or b""
    if source == SHEET:
        return _ANSWER.search(decode_sheet(written)) is not None
    functions = [name for e in course.exercises if e.source == source for name in e.functions]
    return bool(written) and written.count(b"raise NotImplementedError") < len(functions)


def _path(course: Course, source: str) -> Path:
    return course.root / "exercises" / file_name(source)
