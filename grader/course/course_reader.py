"""The rules of course.yaml beyond the types: known words, ids that are names, earlier exercises, known units."""

from __future__ import annotations

import keyword
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from grader import catalogues, packages
from grader.course import strict_yaml
from grader.course.deadlines import moment
from grader.course.settings import Exercise, Settings, Unit
from grader.course.suite_texts import cannot_accept
from grader.errors import CourseError
from grader.texts import LANGUAGES

CHOICES = {
    "kind": ("code", "questions", "tests"),
    "feedback": ("full", "hints", "verdict"),
    "charge": ("once", "each"),
    "arrays": ("torch", "numpy"),
    "devices": ("cpu", "cuda"),
    "variants": ("common", "student"),
    "view": ("matrix", "pairs", "places"),
}
MAY_BE_EMPTY = ("after", "forbid", "hints")


def languages(path: Path, node: yaml.Node | None) -> tuple[str, ...]:
    """Return the course's languages, and use its own catalogues from now on. They are read before its texts.

    Raises:
        CourseError: there is no such language.
    """
    catalogues.take(path.parent)
    value = strict_yaml.value_of(node, "languages")
    if not isinstance(value, yaml.SequenceNode):
        return LANGUAGES
    named = [str(item.value) for item in value.value]
    catalogues.take(path.parent, *named[:1])
    if unknown := [lang for lang in named[1:] if not catalogues.is_language(lang)]:
        where = f"{path.name}:{value.start_mark.line + 1}"
        raise CourseError(f"{where}: languages cannot be {unknown[0]!r}; write codes, such as fr or pt-BR")
    return tuple(named) or LANGUAGES


def refuse_other_kits(file: str, node: yaml.Node | None) -> None:
    """Read the line `kit` first, since another version may know other lines. Raises CourseError."""
    from packaging.specifiers import InvalidSpecifier, SpecifierSet

    version = packages.version(packages.DISTRIBUTION)
    if (value := strict_yaml.value_of(node, "kit")) is None or not version:  # a student's copy brings its own
        return
    where = f"{file}:{value.start_mark.line + 1}"
    try:
        fits = SpecifierSet(str(value.value)).contains(version, prereleases=True)
    except InvalidSpecifier as error:
        raise CourseError(f'{where}: kit names versions, such as ">=0.2,<1", not {value.value!r}') from error
    if not fits:
        said = f"this course is for {packages.DISTRIBUTION} {value.value}, and {version} is installed"
        raise CourseError(f"{where}: {said}")


class CourseReader(strict_yaml.Reader):
    """Checks the rules of a course beyond the types."""

    choices, may_be_empty = CHOICES, MAY_BE_EMPTY

    def __init__(self, file: str, languages: tuple[str, ...]) -> None:
        super().__init__(file, languages)
        self._ids: dict[tuple[type, str], int] = {}
        self._exercises: list[str] = []

    def known(self, names: list[str]) -> list[str]:
        return ["syllabus" if name == "ship" else name for name in names]

    def scalar(self, node: yaml.Node, wanted: Any, what: str) -> Any:
        return str(node.value) if what == "due" else super().scalar(node, wanted, what)  # YAML has dates of its own

    def check_value(self, key: str, node: yaml.Node) -> None:
        if key == "due":
            moment(node.value, f"{self._file}:{node.start_mark.line + 1}: due")
        for item in (node.value if isinstance(node.value, list) else [node]) if key == "packages" else ():
            if item.value not in packages.KNOWN:
                known, line = " and ".join(packages.KNOWN), f"packages: [{', '.join(packages.KNOWN)}]"
                said = f"'packages' may name {known}, without a version, as in {line}; {item.value!r} is neither"
                self.fail(item, f"{said}. The version is the one installed where the course is graded")
        for item in node.value if key == "accepts" else ():
            if said := cannot_accept(item.value):
                self.fail(item, f"accepts: {said}")
        if key in ("percent_a_day", "at_most_percent") and float(node.value) > 100:
            self.fail(node, f"{key} is a part of the points, 100 at most, not {node.value}")
        if key == "attempts" and str(node.value).startswith("-"):
            self.fail(node, "'attempts' is a number of answer sheets, 0 for no limit")
        for item in node.value if key == "after" else ():
            self._must_be(item, self._exercises, f"'after' names {item.value!r}, which is not an earlier exercise")

    def _must_be(self, item: yaml.Node, known: Sequence[str], problem: str) -> None:
        """Make sure that a word is one of those that are known."""
        if item.value not in known:
            self.fail(item, problem + strict_yaml.nearest(item.value, [*known]))

    def check_record(self, wanted: type, node: yaml.Node, found: Mapping[str, Any]) -> None:
        if wanted in (Exercise, Unit):
            self._unique(node, wanted, found["id"])
        if wanted is Exercise and (found.get("kind") == "questions") == bool(found.get("functions")):
            self.fail(node, f"exercise {found['id']!r} needs functions, or kind: questions and none")
        if wanted is Settings and found.get("path"):
            self._path(strict_yaml.value_of(node, "path"), found)
        if wanted is Settings:
            self._late_work(node, found)
        if wanted is Settings and found.get("ship"):
            known = [unit.id for unit in found["units"]]
            for item in strict_yaml.value_of(node, "ship").value:
                self._must_be(item, known, f"'units' names {item.value!r}, which 'syllabus' lacks")

    def _late_work(self, node: yaml.Node, found: Mapping[str, Any]) -> None:
        """Make sure that every setting about lateness has an effect."""
        lines = {key.value: key for key, _ in node.value}
        units = {unit.id: unit.due or found.get("due", "") for unit in found["units"]}
        for key in ("late", "extensions"):
            if key in found and not any(units.values()):
                self.fail(lines[key], f"{key!r} has no effect, since nothing is due; add due: 2026-10-01T23:59+08:00")
        entries: list[yaml.Node] = next((value.value for key, value in node.value if key.value == "extensions"), [])
        seen: set[tuple[str, str]] = set()
        for entry, extension in zip(entries, found.get("extensions", ()), strict=True):
            if extension.unit not in ("", *units):
                hint = strict_yaml.nearest(extension.unit, list(units))
                self.fail(entry, f"the extension of {extension.student!r} is of no unit: {extension.unit!r}{hint}")
            if (extension.student, extension.unit) in seen:
                self.fail(entry, f"{extension.student!r} has two extensions of the same work; keep one")
            seen.add((extension.student, extension.unit))

    def _path(self, node: yaml.Node, found: Mapping[str, Any]) -> None:
        """Make sure that the path has every exercise once, after those that it builds on."""
        after = {e.id: e.after for unit in found["units"] for e in unit.exercises}
        listed = [value for stage in node.value for key, value in stage.value if key.value == "exercises"]
        seen: list[str] = []
        for item in (i for ids in listed for i in ids.value):
            self._must_be(item, [*after], f"'path' names {item.value!r}")
            if item.value in seen:
                self.fail(item, f"'path' names {item.value!r} twice")
            if early := [i for i in after[item.value] if i not in seen]:
                self.fail(item, f"'path' names {item.value!r} before {early[0]!r}, which it comes after")
            seen.append(item.value)
        if left := [i for i in after if i not in seen]:
            self.fail(node, f"'path' lacks {left[0]!r}; it names every exercise once")
        units = [unit.id for unit in found["units"]]
        lessons = [value for stage in node.value for key, value in stage.value if key.value == "lessons"]
        for item in (i for ids in lessons for i in ids.value):
            self._must_be(item, units, f"'lessons' names {item.value!r}, which is no unit of the syllabus")

    def _unique(self, node: yaml.Node, wanted: type, id: str) -> None:
        if not id.isidentifier() or keyword.iskeyword(id):
            self.fail(node, f"the id {id!r} is not a Python name")
        if (wanted, id) in self._ids:
            self.fail(node, f"the id {id!r} was already used on line {self._ids[wanted, id]}")
        self._ids[wanted, id] = node.start_mark.line + 1
        if wanted is Exercise:
            self._exercises.append(id)
