"""class.yaml, beside course.yaml: the exercises that a teacher's class does, and their points in it.

The course's own files are not changed. All mistakes in the file are reported at once, one line each.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import yaml

from grader.course import strict_yaml
from grader.course.settings import Exercise, Settings, Unit
from grader.errors import CourseError

FILE = "class.yaml"
NUMBER = re.compile(r"\d{1,6}(\.\d{1,4})?")
KEYS = ("units", "exercises", "hide", "points")


@dataclasses.dataclass(frozen=True)
class ClassSettings:
    """The content of class.yaml.

    units, exercises: what the class does; without both, all that the course ships. hide: exercises or whole units to
    leave out. points: the points of an exercise, which its checks and questions share in proportion.
    """

    units: frozenset[str] = frozenset()
    exercises: frozenset[str] = frozenset()
    hide: frozenset[str] = frozenset()
    points: dict[str, float] = dataclasses.field(default_factory=dict)

    def has(self, unit: Unit, exercise: Exercise, ship: Sequence[str]) -> bool:
        """Return True if the class does this exercise of a course that ships these units, () for all."""
        if self.units or self.exercises:
            chosen = unit.id in self.units or exercise.id in self.exercises
        else:
            chosen = not ship or unit.id in ship
        return chosen and not {unit.id, exercise.id} & self.hide


def read(path: Path, settings: Settings) -> ClassSettings:
    """Read class.yaml for a course with these settings, in which all units are described.

    Raises:
        CourseError: the file cannot be read, or has mistakes: one line for each.
    """
    node = strict_yaml.parsed(path, path.name)
    if node is None:
        return ClassSettings()
    if not isinstance(node, yaml.MappingNode):
        raise CourseError(f"{path.name}:1: expected lines such as `hide: [an exercise]`; it takes {', '.join(KEYS)}")
    reader = _Reader(settings)
    found = reader.read(node)
    if not any(found.has(u, e, settings.ship) for u in settings.units for e in u.exercises):
        reader.problems.append((1, "no exercise is left; name some under `units` or `exercises`"))
    if reader.problems:
        raise CourseError("\n".join(f"{path.name}:{line}: {problem}" for line, problem in sorted(reader.problems)))
    return found


class _Reader:
    """Reads the file line by line and collects its mistakes."""

    def __init__(self, settings: Settings) -> None:
        self._units = [u.id for u in settings.units]
        self._exercises = [e.id for u in settings.units for e in u.exercises]
        self.problems: list[tuple[int, str]] = []

    def read(self, node: yaml.MappingNode) -> ClassSettings:
        lists: dict[str, frozenset[str]] = {}
        points: dict[str, float] = {}
        known = {"units": self._units, "exercises": self._exercises, "hide": [*self._exercises, *self._units]}
        given = set[str]()
        for key, value in node.value:
            if key.value in given:
                self._wrong(key, f"{key.value!r} is given twice")
            given.add(key.value)
            if key.value == "points":
                points = dict(self._points(value))
            elif key.value in known:
                lists[key.value] = frozenset(self._names(value, key.value, known[key.value]))
            else:
                self._wrong(key, f"there is no {key.value!r} here{strict_yaml.nearest(str(key.value), list(KEYS))}")
        return ClassSettings(**lists, points=points)

    def _names(self, node: yaml.Node, key: str, known: list[str]) -> Iterator[str]:
        if not isinstance(node, yaml.SequenceNode):
            self._wrong(node, f"{key} must be a list, such as {key}: [{known[0]}]")
            return
        for item in node.value:
            if item.value in known:
                yield item.value
            else:
                kind = "unit" if key == "units" else "exercise"
                self._wrong(item, f"there is no {kind} {item.value!r}{strict_yaml.nearest(str(item.value), known)}")

    def _points(self, node: yaml.Node) -> Iterator[tuple[str, float]]:
        if not isinstance(node, yaml.MappingNode):
            self._wrong(node, f"points must be a mapping, such as points: {{{self._exercises[0]}: 10}}")
            return
        for key, value in node.value:
            if key.value not in self._exercises:
                near = strict_yaml.nearest(str(key.value), self._exercises)
                self._wrong(key, f"there is no exercise {key.value!r}{near}")
                continue
            points = float(value.value) if NUMBER.fullmatch(str(value.value)) else 0.0
            if points > 0:
                yield key.value, points
            else:
                self._wrong(value, f"points of {key.value} must be a number above 0, not {value.value!r}")

    def _wrong(self, node: yaml.Node, problem: str) -> None:
        self.problems.append((node.start_mark.line + 1, problem))


def narrowed(settings: Settings, said: ClassSettings) -> Settings:
    """Return the settings of the class's exercises; an earlier exercise that the class does not do is not required."""
    kept = {u.id: tuple(e for e in u.exercises if said.has(u, e, settings.ship)) for u in settings.units}
    ids = {e.id for exercises in kept.values() for e in exercises}

    def changed(e: Exercise) -> Exercise:
        after = tuple(i for i in e.after if i in ids)
        return dataclasses.replace(e, after=after, points=said.points.get(e.id, e.points))

    units = [dataclasses.replace(u, exercises=tuple(map(changed, kept[u.id]))) for u in settings.units if kept[u.id]]
    return dataclasses.replace(settings, units=tuple(units))


def written(exercises: Iterable[Exercise], described: Iterable[Exercise]) -> str:
    """Return a class.yaml for these exercises, with their points where the course has others."""
    exercises, usual = list(exercises), {e.id: e.points for e in described}
    lines = [f"exercises: [{', '.join(e.id for e in exercises)}]"]
    if changed := [f"{e.id}: {e.points:g}" for e in exercises if e.points != usual[e.id]]:
        lines.append(f"points: {{{', '.join(changed)}}}")
    return "\n".join(lines) + "\n"
