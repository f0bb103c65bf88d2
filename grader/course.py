"""course.yaml to a frozen Course; every mistake is an error with file, line and the nearest valid name."""

from __future__ import annotations

import dataclasses
import difflib
import hashlib
import math
import typing
from pathlib import Path
from typing import Any

import yaml

from grader.errors import CourseError
from grader.words import LANGUAGES, Text


@dataclasses.dataclass(frozen=True)
class Limits:
    """What one student's code may use."""

    call_seconds: float = 5.0
    """Wall time of one call, and of the import of a file."""
    exercise_seconds: float = 30.0
    """Wall time of all calls of one exercise."""
    submission_seconds: float = 120.0
    """Wall time of one submission, with what the grading itself takes."""
    memory_mb: int = 1024
    """Address space over what the bare worker has."""
    threads: int = 64
    """Threads of one worker."""
    open_files: int = 64
    """Open file descriptors of one worker."""
    value_mb: int = 64
    """Size of one call's result."""
    source_kb: int = 256
    """Size of one file."""
    output_kb: int = 4
    """How much of what an exercise prints is kept; the rest is counted."""


@dataclasses.dataclass(frozen=True)
class Exercise:
    """One exercise: `exercises/<id>.py`, `solutions/<id>.py` and `tests/hidden/<id>.py` belong to it."""

    id: str
    title: Text
    points: float
    functions: tuple[str, ...]
    after: tuple[str, ...] = ()
    forbid: tuple[str, ...] = ()


@dataclasses.dataclass(frozen=True)
class Unit:
    """Exercises that belong together, in teaching order."""

    id: str
    title: Text
    exercises: tuple[Exercise, ...]


@dataclasses.dataclass(frozen=True)
class Settings:
    """The content of course.yaml. `feedback` is full (values too), hints (property, shape, size) or verdict."""

    title: Text
    units: tuple[Unit, ...]
    limits: Limits = Limits()
    devices: tuple[str, ...] = ("cpu", "cuda")
    feedback: str = "full"
    languages: tuple[str, ...] = LANGUAGES


@dataclasses.dataclass(frozen=True)
class Course:
    """A course folder: its settings and where its files are."""

    root: Path
    settings: Settings

    @property
    def exercises(self) -> tuple[Exercise, ...]:
        """All exercises in teaching order."""
        return tuple(e for unit in self.settings.units for e in unit.exercises)

    def exercise(self, id: str) -> Exercise:
        """Raises CourseError for an unknown id, with the nearest known one."""
        by_id = {e.id: e for e in self.exercises}
        if id not in by_id:
            raise CourseError(f"there is no exercise {id!r}{_nearest(id, list(by_id))}")
        return by_id[id]

    def digests(self) -> dict[str, str]:
        """Hashes of what a score depends on: the course file, the suites and the solutions."""
        files = {
            "course": [self.root / "course.yaml"],
            "suites": [self.suite(e.id) for e in self.exercises],
            "solutions": [self.solution(e.id) for e in self.exercises],
        }
        try:
            return {
                name: _hash(b"".join(_hash(f.read_bytes()).encode() for f in found)) for name, found in files.items()
            }
        except OSError as error:
            raise CourseError(f"{error.filename}: {error.strerror}; every exercise needs this file") from error

    def stub(self, id: str) -> Path:
        """What students start from."""
        return self.root / "exercises" / f"{id}.py"

    def solution(self, id: str) -> Path:
        """The reference."""
        return self.root / "solutions" / f"{id}.py"

    def suite(self, id: str) -> Path:
        """The hidden suite."""
        return self.root / "tests" / "hidden" / f"{id}.py"


CHOICES = {"feedback": ("full", "hints", "verdict"), "devices": ("cpu", "cuda"), "languages": LANGUAGES}
MAY_BE_EMPTY = ("after", "forbid")


def find(start: Path) -> Course:
    """The course whose folder is `start` or the nearest one above it.

    Raises:
        CourseError: there is none, or its course.yaml has a mistake.
    """
    for folder in (start.resolve(), *start.resolve().parents):
        if (folder / "course.yaml").is_file():
            return load(folder)
    raise CourseError(f"no course.yaml in {start.resolve()} or above it; run grader in a course folder or use --course")


def load(root: Path) -> Course:
    """Read `root/course.yaml`.

    Raises:
        CourseError: unreadable, not YAML, or a mistake; the message begins with file and line.
    """
    root = root.resolve()
    path = root / "course.yaml"
    try:
        node = yaml.compose(path.read_text(encoding="utf-8"), Loader=yaml.SafeLoader)
    except (OSError, UnicodeDecodeError) as error:
        raise CourseError(f"{path}: cannot be read: {error}") from error
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise CourseError(f"{path.name}:{line}: not YAML: {error.problem}") from error
    except (yaml.YAMLError, RecursionError) as error:
        raise CourseError(f"{path.name}: not YAML: {error}") from error
    settings = _Reader(path.name).read(node, Settings, "the course") if node else None
    if settings is None:
        raise CourseError(f"{path.name}:1: the file is empty; it needs a title and units")
    return Course(root, settings)


class _Reader:
    """Turns YAML nodes into the dataclasses above."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._ids: dict[tuple[type, str], int] = {}
        self._exercises: list[str] = []

    def read(self, node: yaml.Node, wanted: Any, what: str) -> Any:
        origin = typing.get_origin(wanted)
        if origin is tuple:
            if not isinstance(node, yaml.SequenceNode):
                self._fail(node, f"{what} must be a list")
            if not node.value and what not in MAY_BE_EMPTY:
                self._fail(node, f"{what} must not be empty")
            values = tuple(self.read(item, typing.get_args(wanted)[0], what) for item in node.value)
            return self._chosen(node, what, values)
        if wanted is Text:
            return self._text(node, what)
        if isinstance(wanted, type) and dataclasses.is_dataclass(wanted):
            return self._record(node, wanted, what)
        return self._chosen(node, what, self._scalar(node, wanted, what))

    def _record(self, node: yaml.Node, wanted: type, what: str) -> Any:
        if not isinstance(node, yaml.MappingNode):
            self._fail(node, f"{what} must be a mapping")
        fields = {f.name: f for f in dataclasses.fields(wanted)}
        hints = typing.get_type_hints(wanted)
        found: dict[str, Any] = {}
        for key, value in node.value:
            if str(key.value) not in fields:
                self._fail(key, f"unknown key {key.value!r} in {what}{_nearest(str(key.value), list(fields))}")
            if key.value in found:
                self._fail(key, f"{key.value!r} is given twice in {what}")
            found[key.value] = self.read(value, hints[key.value], key.value)
            if key.value == "after":
                self._check_after(value)
        for name, field in fields.items():
            if name not in found and field.default is dataclasses.MISSING:
                self._fail(node, f"{what} has no {name!r}")
        if "id" in fields:
            self._unique(node, wanted, found["id"])
        return wanted(**found)

    def _unique(self, node: yaml.Node, wanted: type, id: str) -> None:
        if not id.isidentifier():
            self._fail(node, f"the id {id!r} is no Python name")
        if (wanted, id) in self._ids:
            self._fail(node, f"the id {id!r} was already used on line {self._ids[wanted, id]}")
        self._ids[wanted, id] = node.start_mark.line + 1
        if wanted is Exercise:
            self._exercises.append(id)

    def _check_after(self, node: yaml.Node) -> None:
        for item in node.value:
            if item.value not in self._exercises:
                hint = _nearest(str(item.value), self._exercises)
                self._fail(item, f"'after' names {item.value!r}, which is no earlier exercise{hint}")

    def _text(self, node: yaml.Node, what: str) -> Text:
        texts = (
            {str(k.value): self._scalar(v, str, what) for k, v in node.value}
            if isinstance(node, yaml.MappingNode)
            else {}
        )
        if set(texts) != set(LANGUAGES) or not all(t.strip() for t in texts.values()):
            self._fail(node, f"{what} needs a text in each of {', '.join(LANGUAGES)}")
        return Text(**texts)

    def _scalar(self, node: yaml.Node, wanted: type, what: str) -> Any:
        try:
            value = yaml.SafeLoader("").construct_object(node) if isinstance(node, yaml.ScalarNode) else None
        except (yaml.YAMLError, ValueError):  # a tag of its own, a date that is none
            value = None
        kinds: dict[type, tuple[tuple[type, ...], str]] = {
            str: ((str,), "a text"), int: ((int,), "a whole number"), float: ((int, float), "a number"),
        }  # fmt: skip
        types, kind = kinds[wanted]
        if not isinstance(value, types) or isinstance(value, bool):
            self._fail(node, f"{what} must be {kind}, not {getattr(node, 'value', value)!r}")
        if isinstance(value, int | float) and not 0 < value < math.inf:
            self._fail(node, f"{what} must be above 0 and finite, not {value}")
        return value

    def _chosen(self, node: yaml.Node, what: str, value: Any) -> Any:
        for word in value if isinstance(value, tuple) else (value,):
            if what in CHOICES and word not in CHOICES[what]:
                self._fail(node, f"{what} cannot be {word!r}{_nearest(str(word), list(CHOICES[what]))}")
        return value

    def _fail(self, node: yaml.Node, problem: str) -> typing.NoReturn:
        raise CourseError(f"{self._file}:{node.start_mark.line + 1}: {problem}")


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _nearest(word: str, known: list[str]) -> str:
    close = difflib.get_close_matches(word, known, n=1, cutoff=0.5)
    return f"; did you mean {close[0]!r}?" if close else f"; known: {', '.join(known) or 'none'}"
