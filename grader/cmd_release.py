"""`grader release`: what students or other systems get of the course, in the form that they take."""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import secrets
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader import console
from grader.errors import CourseError, MachineError

if TYPE_CHECKING:
    from grader.course import Course, Unit
    from grader.lanes import Lane

SECONDS = 600.0


@dataclasses.dataclass(frozen=True)
class Release:
    """What a format makes files from: the course, those of its units that were asked for, a lane that knows them."""

    course: Course
    units: tuple[Unit, ...]
    lane: Lane
    lang: str
    to: Path


@dataclasses.dataclass(frozen=True)
class File:
    """A file to write below the folder. One to `keep` is only written where there is none."""

    path: str
    content: bytes
    keep: bool = False


def nbgrader(release: Release) -> Iterator[File]:
    """An nbgrader course: a source assignment for each unit, and a configuration that grades behind the wall."""
    try:
        from grader import nb_config, nb_source
    except ImportError as error:
        raise CourseError(f"nbgrader is not installed: pip install 'attention-kit[nbgrader]' ({error})") from error
    from grader.course import COMMON

    if release.course.settings.variants != COMMON:
        raise CourseError(f"course.yaml: one notebook for all needs `variants: {COMMON}`")
    examples = release.lane.ask({"op": "examples"}, SECONDS)
    questions = release.lane.ask({"op": "questions", "variant": COMMON}, SECONDS)
    for unit in release.units:
        notebook = nb_source.notebook(release.course, unit, release.lang, examples, questions)
        yield File(f"source/{unit.id}/{unit.id}.ipynb", nb_source.written(notebook))
    facts = (release.course, release.lang, secrets.randbelow(1 << 31))
    yield File(nb_config.CONFIG, nb_config.whole(*facts).encode(), keep=True)
    present = release.to / nb_config.CONFIG
    if present.exists() and nb_config.HERE not in present.read_text(encoding="utf-8", errors="replace"):
        lines = nb_config.grading(*facts)
        print(f"{present} is there already and stays as it is. To grade behind the wall, add to it:\n\n{lines}")


def kit(release: Release) -> Iterator[File]:
    """The student's copy: stubs, answer sheet, visible examples, the engine."""
    from grader import kits

    for path, content in kits.student_copy(release.course, release.units, *_shown(release)):
        yield File(path, content)


def github(release: Release) -> Iterator[File]:
    """The student's copy for GitHub Classroom."""
    from grader import kits

    for path, content in kits.github(release.course, release.units, *_shown(release)):
        yield File(path, content)


def gradescope(release: Release) -> Iterator[File]:
    """The autograder's zip."""
    from grader import kits

    yield File("autograder.zip", kits.gradescope(release.course, release.units))


def _shown(release: Release) -> tuple[Any, Any]:
    """The visible examples and the concept questions."""
    from grader.course import COMMON

    examples = release.lane.ask({"op": "examples"}, SECONDS)
    return examples, release.lane.ask({"op": "questions", "variant": COMMON}, SECONDS)


FORMATS: dict[str, Callable[[Release], Iterator[File]]] = {
    "kit": kit, "nbgrader": nbgrader, "gradescope": gradescope, "github": github,
}  # fmt: skip


def add(commands: Any) -> None:
    """Describe the command to the parser."""
    release = console.command(commands, "release", run_release, "make what students or other systems get")
    release.add_argument("--to", type=Path, required=True, metavar="DIR", help="where it goes")
    release.add_argument("--format", choices=list(FORMATS), required=True, help="what it is for")
    release.add_argument("--unit", action="append", default=[], metavar="ID", help="only this unit")
    release.add_argument("--force", action="store_true", help="replace files that were changed since")


def run_release(options: argparse.Namespace) -> int:
    with contextlib.closing(console.start_warm(confined=True)) as warm:
        from grader import course as courses

        course = courses.find(options.course)
        units = _units(course, options.unit)
        only = [e.id for unit in units for e in unit.exercises]
        lane = warm.lane(course, {"lang": options.lang, "device": "cpu", "only": only, "kit": console.kit_version()})
        with contextlib.closing(lane):
            files = list(FORMATS[options.format](Release(course, units, lane, options.lang, options.to)))
    for file in files:
        path = options.to / file.path
        if path.exists() and not (file.keep or options.force) and path.read_bytes() != file.content:
            raise CourseError(
                f"{path} is there already and differs; nothing was written. "
                "Move it away, choose another --to, or replace it with --force"
            )
    for file in files:
        path = options.to / file.path
        if not (file.keep and path.exists()):
            _write(path, file.content)
            print(f"wrote {path}")
    return 0


def _units(course: Course, ids: Sequence[str]) -> tuple[Unit, ...]:
    from grader.strict import nearest

    known = {unit.id: unit for unit in course.settings.units}
    for id in ids:
        if id not in known:
            raise CourseError(f"there is no unit {id!r}{nearest(id, list(known))}")
    return tuple(unit for unit in known.values() if not ids or unit.id in ids)


def _write(path: Path, content: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    except OSError as error:
        raise MachineError(f"{path}: cannot be written: {error.strerror}") from error
