"""Turns course.yaml into a frozen Course; every mistake is an error with file, line and the nearest valid name."""

from __future__ import annotations

import dataclasses
import hashlib
import os
import re
from collections.abc import Sequence
from pathlib import Path, PurePath

import yaml

from grader.catalogues import FOLDER
from grader.course import class_settings, strict_yaml
from grader.course.course_reader import CourseReader, languages, refuse_other_kits
from grader.course.named_exercise import bare, meant
from grader.course.settings import SHEET, Exercise, Settings, Unit
from grader.errors import CourseError

FILE = "course.yaml"
MOST_COLUMNS = 9
DRAWINGS = "lessons/explore.js"
GENERATE = "lessons/generate.py"
EVERYTHING = ("", "exercises", "all")  # names of folders, "" for `.`, and what people type instead of nothing


@dataclasses.dataclass(frozen=True)
class Course:
    """A course folder: its settings and the places of its files."""

    root: Path
    settings: Settings
    described: tuple[Exercise, ...] = ()
    """All that the file describes, shipped or not."""

    @property
    def sources(self) -> tuple[str, ...]:
        """Return the names, without endings, of the files that make up a complete submission."""
        return tuple(dict.fromkeys(e.source for e in self.exercises))

    def chosen(self, ids: Sequence[str]) -> list[str]:
        """Return the exercises that `ids` names, in teaching order.

        An id may be one that `exercise` knows, a unit's id, the number of a stage on the path, the answer sheet, or the
        exercises' folder for all of them. Commas separate names, too.

        Raises:
            CourseError: an id is none of these.
        """
        each = [name.strip() for named in ids for name in re.split("[,，]", named) if name.strip() or not named.strip()]
        wanted = {e for i in each for e in (self._several(i) or [self.exercise(i).id])}
        return [e.id for e in self.exercises if e.id in wanted]

    def _several(self, id: str) -> list[str]:
        """Return the exercises of the unit or stage of this name, those of the answer sheet, or all."""
        if id.endswith(file_name(SHEET)):
            return [e.id for e in self.exercises if e.kind == "questions"]
        units = {**self.stages, **{u.id.lower(): u for u in self.settings.units}}
        if unit := units.get(id.lower()):
            return [e.id for e in unit.exercises]
        everything = id.strip() and PurePath(id).name.lower() in EVERYTHING and not self.meant(id)
        return [e.id for e in self.exercises] if everything else []

    @property
    def exercises(self) -> tuple[Exercise, ...]:
        """Return all exercises in teaching order."""
        return tuple(e for unit in self.settings.units for e in unit.exercises)

    @property
    def path(self) -> tuple[Unit, ...]:
        """Return the units in a learner's order, with all exercises; those of the syllabus if there is no path."""
        if not self.settings.path:
            return self.settings.units
        known = {e.id: e for e in self.exercises}
        units = {u.id for u in self.settings.units}
        stages = (
            Unit(
                f"path{n}", s.title, tuple(known[i] for i in s.exercises if i in known), minutes=s.minutes,
                lessons=tuple(i for i in s.lessons if i in units),
            )
            for n, s in enumerate(self.settings.path, 1)
        )  # fmt: skip
        return tuple(stage for stage in stages if stage.exercises)

    @property
    def stages(self) -> dict[str, Unit]:
        """Return the units of the path by their numbers, as people type them."""
        return {str(number): stage for number, stage in enumerate(self.path, 1)}

    @property
    def steps(self) -> tuple[Exercise, ...]:
        """Return all exercises in the order of the path."""
        return tuple(e for unit in self.path for e in unit.exercises)

    def columns(self, ids: Sequence[str]) -> dict[str, list[str]]:
        """Return the columns of a table of these exercises: one for each, or one for each unit if there are many."""
        if len(ids) <= MOST_COLUMNS:
            return {i: [i] for i in ids}
        units = {u.id: [e.id for e in u.exercises if e.id in ids] for u in self.settings.units}
        return {unit: listed for unit, listed in units.items() if listed}

    def exercise(self, id: str) -> Exercise:
        """Return the exercise of this id, or the one that `named_exercise.meant` finds.

        Raises:
            CourseError: there is none; the message names the nearest one.
        """
        if found := self.meant(id):
            return found
        known = [e.id for e in self.exercises]
        if several := self._several(id):
            raise CourseError(f"{id} holds several exercises; name one of them: {', '.join(several)}")
        if not bare(id).strip("."):
            raise CourseError(f"{id!r} names no exercise; {known[0]!r} is one")
        if "," in id:
            raise CourseError(f"there is no exercise {id!r}; name one of them")
        raise CourseError(f"there is no exercise {id!r}{strict_yaml.nearest(bare(id), known)}")

    def meant(self, id: str) -> Exercise | None:
        """Return the exercise of this id, or the one that `named_exercise.meant` finds."""
        by_id = {e.id: e for e in self.exercises}
        return by_id.get(id) or meant(id, self.exercises, [self.suite(e.id) for e in self.exercises])

    def digests(self) -> dict[str, str]:
        """Return hashes of everything that a report depends on: the course's rules, the suites and the solutions.

        The language and the level of feedback are not among these: readers choose them.
        """
        files = {
            "suites": [*(self.suite(e.id) for e in self.exercises), *self.beside_suites()],
            "solutions": [self.solution(e.id) for e in self.exercises],
        }
        try:
            read = {name: b"".join(_hash(f.read_bytes()).encode() for f in found) for name, found in files.items()}
            return {"course": _hash(self._rules().encode()), **{name: _hash(data) for name, data in read.items()}}
        except OSError as error:
            raise CourseError(f"{error.filename}: {error.strerror}; every exercise needs this file") from error

    def _rules(self) -> str:
        """Return the part of course.yaml on which a verdict or its points depend."""
        settings = self.settings
        asked = [(e.id, e.points, e.functions, e.kind, e.forbid) for e in self.exercises]
        run = (
            settings.limits,
            settings.arrays,
            *([settings.packages] if settings.packages else ()),
            settings.devices,
            settings.variants,
            settings.attempts,
            settings.charge,
        )
        return repr((asked, run))

    def beside_suites(self) -> list[Path]:
        """Return the files that suites read: catalogues, and the library that they share, with its texts and arrays."""
        hidden = self.root / "tests" / "hidden"
        broken = hidden.glob("*.py") if any(e.kind == "tests" for e in self.exercises) else ()  # any of them
        shared = (path for kind in ("py", "yaml", "npy") for path in hidden.glob(f"lib/**/*.{kind}"))
        return sorted([*broken, *hidden.glob("*.yaml"), *shared])

    def class_file(self) -> Path | None:
        """Return the path of class.yaml, beside course.yaml, if there is one."""
        path = self.root / class_settings.FILE
        return path if path.is_file() else None

    def catalogues(self) -> list[Path]:
        """Return the course's own catalogues in its languages."""
        paths = (self.root / FOLDER / f"{lang}.po" for lang in self.settings.languages)
        return [path for path in paths if path.is_file()]

    def stub(self, id: str) -> Path:
        """Return the path of the file that students start from."""
        return self.root / "exercises" / file_name(self.exercise(id).source)

    def solution(self, id: str) -> Path:
        """Return the path of the reference; in a student's copy, of the recorded answers to its examples."""
        solution = self.root / "solutions" / file_name(self.exercise(id).source)
        return self._visible(id) if self.visible_only else solution

    def suite(self, id: str) -> Path:
        """Return the path of the hidden suite; in a student's copy, of the visible examples."""
        return self._visible(id) if self.visible_only else self.root / "tests" / "hidden" / f"{id}.py"

    def lesson(self, unit: str, lang: str) -> Path:
        """Return the path of a unit's lesson in one language; a course need not have one."""
        return self.root / "lessons" / f"{unit}.{lang}.md"

    def script(self, name: str) -> str:
        """Return a script that comes with its lessons, "" if there is none: DRAWINGS, the drawings that readers move;
        GENERATE, the code that `grader generate` runs after a student's code.
        """
        try:
            return (self.root / name).read_text(encoding="utf-8")
        except OSError:
            return ""

    @property
    def visible_only(self) -> bool:
        """True for a student's copy, which has no hidden suites and solutions."""
        return self._visible("").parent.is_dir() and not (self.root / "tests" / "hidden").is_dir()

    def _visible(self, id: str) -> Path:
        return self.root / "tests" / "visible" / f"{id}.py"


def file_name(source: str) -> str:
    """Return the name of the file of `source`."""
    return f"{source}.yaml" if source == SHEET else f"{source}.py"


def find(named: Path | None, apart_from: Path | None = None) -> Course:
    """Return the course in the folder `named`, or in the nearest folder above it.

    A course's suites run outside the sandbox. So if nobody named the course, the one found from the working directory
    must be the user's own, and must not lie in the folder `apart_from`, which strangers filled.

    Raises:
        CourseError: there is none, it is not to be trusted, or its course.yaml has a mistake.
    """
    folder = folder_of(named)
    if folder is None:
        raise CourseError(
            f"no {FILE} in {(named or Path()).resolve()} or above it; run grader in a course folder or use --course"
        )
    if named is None:
        _trusted(folder, apart_from)
    return load(folder)


def folder_of(start: Path | None) -> Path | None:
    """Return the nearest folder from `start` up that holds a course; by default, from the working directory."""
    try:
        start = (start or Path()).resolve()
    except FileNotFoundError as error:
        raise CourseError("the folder in which this was started is gone; go to the course's folder") from error
    return next((folder for folder in (start, *start.parents) if (folder / FILE).is_file()), None)


def _trusted(folder: Path, apart_from: Path | None) -> None:
    if apart_from and folder.is_relative_to(apart_from.resolve()):
        raise CourseError(
            f"{folder / FILE}: lies in what is to be graded, so this may be a student's course, whose code "
            f"would run here; name yours with --course DIR"
        )
    if os.name == "posix" and any(p.stat().st_uid not in _own() for p in (folder, folder / FILE)):
        raise CourseError(
            f"{folder / FILE}: belongs to another user, whose code would run here; if you trust it, say "
            f"--course {folder}"
        )


def _own() -> set[int]:
    """Return the users whose code runs here anyway: who started this, also through sudo, and who owns the grader's
    files.
    """
    return {os.geteuid(), int(os.environ.get("SUDO_UID", os.geteuid())), os.stat(__file__).st_uid}


def load(root: Path) -> Course:
    """Read `root/course.yaml`.

    Raises:
        CourseError: unreadable, not YAML, or a mistake; the message begins with file and line.
    """
    root = root.resolve()
    path = root / FILE
    node = strict_yaml.parsed(path, path.name)
    refuse_other_kits(path.name, node)
    settings = (
        CourseReader(path.name, languages(path, node)).read(_renamed(node), Settings, "the course") if node else None
    )
    if settings is None:
        raise CourseError(f"{path.name}:1: the file is empty; it needs a title and units")
    in_class = root / class_settings.FILE
    said = class_settings.read(in_class, settings) if in_class.is_file() else class_settings.ClassSettings()
    described = tuple(e for unit in settings.units for e in unit.exercises)
    return Course(root, class_settings.narrowed(settings, said), described)


def _renamed(node: yaml.Node) -> yaml.Node:
    """Rename keys: if units are described under `syllabus`, the line `units` names those to ship."""
    if strict_yaml.value_of(node, "syllabus") is None:
        return node
    renamed = {"syllabus": "units", "units": "ship"}
    pairs = [
        (yaml.ScalarNode(key.tag, renamed.get(str(key.value), key.value), key.start_mark), value)
        for key, value in node.value
    ]
    return yaml.MappingNode(node.tag, pairs, node.start_mark)


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
