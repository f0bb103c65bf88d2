"""Folder, zip or notebooks to a Submission: the source of each exercise, or why it is refused."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from grader import notebooks
from grader.course import SHEET, file_name
from grader.errors import CourseError
from grader.files import NOTEBOOK, Read, Refused, decode, opened
from grader.notebooks import Notebook
from grader.words import Text, clean

MAX_NAMED = 8
MAX_NOTEBOOKS = 16
PACKED = (".zip", NOTEBOOK)  # a hand-in that is one file
OTHER_FILES = (file_name(SHEET), "ANSWERS.md")  # beside the exercises even where the course does not ask for them
BOTH = Text(
    "{first} and {second} are of one student; keep one of them", "{first} 和 {second} 属于同一名学生；请只保留一份"
)

NOT_THERE = Text("{name} is missing", "缺少 {name}")


@dataclasses.dataclass(frozen=True)
class Source:
    """One exercise file: its text, or why it is refused. Neither means that it is missing."""

    text: str | None = None
    refused: Text | None = None


@dataclasses.dataclass(frozen=True)
class Submission:
    """What one student handed in, by what the course calls its sources. `refused` is set where the whole hand-in
    breaks a rule; `ignored` names files, and cells of notebooks, that nothing reads.
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
    students = [p for p in found if p.suffix.lower() in PACKED or p.is_dir() or p.is_symlink()]
    if not students:
        raise CourseError(f"{folder}: no submissions; it should hold a folder, .zip or .ipynb for each student")
    return list({student_id(path): path for path in reversed(students)}.values())[::-1]


def load_entry(path: Path, exercises: Iterable[str], source_kb: int) -> Submission:
    """`load` for an entry of a class: refused where the student handed in, say, both a folder and a zip."""
    whole = path.stem if path.suffix.lower() in PACKED else path.name
    twins = (path.with_name(whole + ending) for ending in ("", *PACKED))
    if twin := next((t for t in twins if t != path and os.path.lexists(t) and student_id(t) == student_id(path)), None):
        first, second = sorted(printable(p.name) for p in (path, twin))
        return Submission(student_id(path), {}, BOTH.format(first=first, second=second))
    return load(path, exercises, source_kb)


def strays(folder: Path, students: Iterable[Path]) -> list[str]:
    """What lies in a folder of submissions and is none: the names, printable."""
    known = {student_id(path) for path in students}
    found = (p for p in folder.iterdir() if not p.name.startswith((".", "__")))
    return sorted(printable(p.name) for p in found if student_id(p) not in known)


def student_id(path: Path) -> str:
    """Who handed this in: the name of the folder, or of the zip or notebook without its ending, all of it printable."""
    return printable(path.stem if path.suffix.lower() in PACKED else Path(os.path.abspath(path)).name)


def printable(name: str) -> str:
    """A file name with escapes for what would not print."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in name)


def load(path: Path, exercises: Iterable[str], source_kb: int) -> Submission:
    """Read one student's folder, zip or notebook. Never raises for what a student did: that is `refused`.

    Notebooks are read where there is no file of any exercise.
    """
    student, exercises = student_id(path), list(exercises)
    try:
        with opened(path) as (read, names):
            sources = {exercise: _source(read, file_name(exercise), source_kb) for exercise in exercises}
            books = sorted({n for n in names if n.lower().endswith(NOTEBOOK)})[:MAX_NOTEBOOKS]
            if books and all(source == Source() for source in sources.values()):
                found = [_notebook(read, name) for name in books]
                return from_notebooks(student, found, exercises, source_kb, ignored(names, exercises, books))
            return Submission(student, sources, None, ignored(names, exercises))
    except Refused as error:
        return Submission(student, {}, error.reason)


def _source(read: Read, name: str, source_kb: int) -> Source:
    try:
        data = read(name, source_kb)
        return Source() if data is None else Source(decode(name, data))
    except Refused as error:
        return Source(refused=error.reason)


def read_notebooks(folder: Path, names: Iterable[str]) -> list[Notebook]:
    """The notebooks of a folder by their names; one that is missing or breaks a rule says so."""
    try:
        with opened(folder) as (read, _):
            return [_notebook(read, name) for name in names]
    except Refused as error:
        return [Notebook(name, refused=error.reason) for name in names]


def _notebook(read: Read, name: str) -> Notebook:
    try:
        data = read(name, notebooks.MAX_KB)
    except Refused as error:
        return Notebook(name, refused=error.reason)
    return Notebook(name, refused=NOT_THERE.format(name=name)) if data is None else notebooks.read(name, data)


def from_notebooks(
    student: str, found: Sequence[Notebook], exercises: Iterable[str], source_kb: int, others: tuple[str, ...] = ()
) -> Submission:
    """The submission that these notebooks hold; `others` are files beside them that nothing reads."""
    sources, extra = notebooks.sources(found, exercises, source_kb)
    more = len(extra) - MAX_NAMED
    extra = [clean(n, 60) for n in extra[:MAX_NAMED]] + ([f"+{more}"] if more > 0 else [])
    read = {id: Source(text) if isinstance(text, str) else Source(refused=text) for id, text in sources.items()}
    return Submission(student, read, None, (*extra, *others))


def ignored(names: Iterable[str], exercises: Iterable[str], read: Iterable[str] = ()) -> tuple[str, ...]:
    """The names of files that nothing reads, safe to show: `softmax (1).py`, or what was planted for Python to find."""
    known = {*map(file_name, exercises), *OTHER_FILES, *read}
    others = sorted({clean(n, 60) for n in names if n not in known and not n.startswith((".", "__"))})
    more = len(others) - MAX_NAMED
    return (*others[:MAX_NAMED], f"+{more}") if more > 0 else tuple(others)
