"""A learner's progress, kept in `.grader/progress.json` of the course folder: best points, passes, hints shown.

The file holds no secret and nothing that grading depends on. Fields of a newer version stay unchanged. Beside it lie
the stubs as they were before anyone wrote into them, and the backups of work that was reset.
"""

from __future__ import annotations

import contextlib
import dataclasses
import datetime
import json
import os
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from grader.atomic_write import replace
from grader.course import Course, Exercise, Unit, total
from grader.report import ExerciseReport
from grader.texts import Text, translated

FOLDER = ".grader"
FILE = "progress.json"
STUBS = "stubs"
FORMAT = 1

DAMAGED = translated(
    "{file} is damaged ({error}); it was moved to {kept}, and your progress starts again from 0. `grader check` finds"
    " again what passes."
)
NEWER = translated("{file} was written by a newer version of this kit; your progress is not recorded. Update the kit.")
REACHED = translated("{points:g} of {most:g} points, {done} of {all} exercises")
NOT_KEPT = translated("your progress is not recorded: {file}: {error}")


@dataclasses.dataclass(frozen=True)
class Standing:
    """The standing of one exercise: the best points so far out of `most`, whether it passed once, hints shown.

    An exercise that passed with `most` 0 is graded by a person. `passed_on` is the day of the first pass, in ISO 8601.
    """

    points: Annotated[float, Meta(ge=0)] = 0.0
    most: Annotated[float, Meta(ge=0)] = 0.0
    passed: bool = False
    hints: Annotated[int, Meta(ge=0)] = 0
    passed_on: str = dataclasses.field(default="", compare=False)


class Standings(dict[str, Standing]):
    """The standing of each exercise of a course, by its id, and what follows from that."""

    def __init__(self, course: Course, known: Mapping[str, Standing]) -> None:
        super().__init__(known)
        self._course = course

    def passed(self, id: str) -> bool:
        """Return True if all of this exercise passed once."""
        return id in self and self[id].passed

    def open_now(self) -> list[Exercise]:
        """Return what can be done next, along the path: not passed, after passed ones; begun work first."""
        todo = [e for e in self._course.steps if not self.passed(e.id)]
        ready = [e for e in todo if all(map(self.passed, e.after))]
        return sorted(ready, key=lambda e: not (e.id in self and self[e.id].points))

    def new_today(self) -> set[str]:
        """Return the exercises that passed for the first time today."""
        today = datetime.date.today().isoformat()
        return {id for id, standing in self.items() if standing.passed and standing.passed_on == today}

    def is_by_hand(self, exercise: Exercise) -> bool:
        """Return True if a check found that only a person can grade this."""
        best = self.get(exercise.id, Standing())
        return best.passed and not best.most

    def best_points(self, exercise: Exercise) -> float:
        """Return the best result in points of the course as it is now; an exercise that passed has them all."""
        best = self.get(exercise.id, Standing())
        if best.passed:
            return exercise.points if best.most else 0.0
        return round(min(best.points, best.most) / best.most * exercise.points, 2) if best.most else 0.0

    def points_of(self, exercises: Sequence[Exercise]) -> tuple[float, float]:
        """Return the points reached and the points possible, without what a person grades."""
        counted = [e for e in exercises if not self.is_by_hand(e)]
        return total(map(self.best_points, counted)), total(e.points for e in counted)

    def in_words(self) -> Text:
        """Say how far the whole course is."""
        counted = [e for e in self._course.exercises if not self.is_by_hand(e)]
        points, most = self.points_of(counted)
        done = sum(self.passed(e.id) for e in counted)
        return REACHED.format(points=points, most=most, done=done, all=len(counted))


class _Version(msgspec.Struct):
    format: Annotated[int, Meta(ge=1)]


class KeptFile:
    """A JSON file of the course's `.grader/`: a table for each folder of exercise files, with an entry per exercise.

    No fault of the file keeps anyone from working: `troubles` describes the fault, and nothing is lost.

    Args:
        work: the folder of exercise files that this is about.
        kind: the type of all tables, by the folder.
        troubles: the sentences for a file that is damaged, that a newer version wrote, that cannot be read or written.
    """

    def __init__(self, course: Course, work: Path, name: str, kind: Any, troubles: tuple[Text, Text, Text]) -> None:
        self._course, self._path = course, course.root / FOLDER / name
        self._kind, self.troubles = kind, list[Text]()
        self._damaged, self._newer, self._not_kept = troubles
        inside = work.resolve().is_relative_to(course.root)
        self._work = (work.resolve().relative_to(course.root) if inside else work.resolve()).as_posix()

    def mine(self) -> dict[str, Any]:
        """Return the entries of this folder's exercises, by id."""
        found = self._read() or {}
        mine: dict[str, Any] = msgspec.convert(found.get("folders", {}), self._kind).get(self._work, {})
        return mine

    def change(self, id: str, change: Callable[[dict[str, Any]], None]) -> None:
        """Change the entry of an exercise, in the file as it is now, which another process may have changed."""
        data = self._read()
        if data is None:
            return
        change(data.setdefault("folders", {}).setdefault(self._work, {}).setdefault(id, {}))
        try:
            content = json.dumps({"format": FORMAT, **data}, ensure_ascii=False, indent=1) + "\n"
            keep(self._course, self._path.name, content)
        except OSError as error:
            self._trouble(self._not_kept, error=error.strerror)

    def _read(self) -> dict[str, Any] | None:
        """Return the whole file; {} if there is none, None if nothing may be written. A damaged one is moved aside."""
        try:
            content = self._path.read_bytes()
            if msgspec.json.decode(content, type=_Version).format > FORMAT:
                self._trouble(self._newer)
                return None
            data: dict[str, Any] = msgspec.json.decode(content)
            msgspec.convert(data.get("folders", {}), self._kind)
            return data
        except FileNotFoundError:
            return {}
        except OSError as error:
            self._trouble(self._not_kept, error=error.strerror)
            return None
        except (ValueError, RecursionError) as error:
            return self._moved_aside(error)

    def _moved_aside(self, error: Exception) -> dict[str, Any] | None:
        kept = free(lambda n: self._path.with_name(f"{self._path.stem}.damaged-{n}.json"))
        try:
            os.rename(self._path, kept)
        except OSError as refused:
            self._trouble(self._not_kept, error=refused.strerror)
            return None
        self._trouble(self._damaged, error=error, kept=kept.name)
        return {}

    def _trouble(self, text: Text, **values: object) -> None:
        if (said := text.format(file=self._path, **values)) not in self.troubles:
            self.troubles.append(said)


class Progress:
    """The progress in one folder of exercise files; other folders' is kept beside it in the same file."""

    def __init__(self, course: Course, work: Path) -> None:
        self.own = work.resolve() == (course.root / "exercises").resolve()
        self._course, self._keeping = course, threading.Lock()
        self._file = KeptFile(course, work, FILE, dict[str, dict[str, Standing]], (DAMAGED, NEWER, NOT_KEPT))
        self.troubles = self._file.troubles

    def standings(self) -> Standings:
        """Return the standings as far as they are known."""
        return Standings(self._course, self._file.mine())

    def note(self, reports: Sequence[ExerciseReport], sources: Mapping[str, str | None]) -> None:
        """Keep results that are better than before, and untouched files; `sources` by the exercise's id."""
        blank = {r.id for r in reports if r.stub}
        for report in reports:
            source, name = sources.get(report.id), self._course.exercise(report.id).source
            if self.own and source and {e.id for e in self._course.exercises if e.source == name} <= blank:
                kept = kept_stub(self._course, report.id)
                with contextlib.suppress(OSError):  # a folder that cannot be written only means that nothing is kept
                    if not kept.exists():
                        keep(self._course, f"{STUBS}/{kept.name}", source)
            with self._keeping:
                self._note(report)

    def hint(self, exercise: Exercise) -> int:
        """Show one more hint of this exercise; return how many are shown now."""
        with self._keeping:
            old = self.standings().get(exercise.id, Standing())
            new = dataclasses.replace(old, hints=min(old.hints + 1, len(exercise.hints)))
            if new != old:
                self._keep(exercise.id, new)
        return new.hints

    def _note(self, report: ExerciseReport) -> None:
        old = self.standings().get(report.id, Standing())
        # What waits for a person is done as long as it stands there.
        passed = report.done or (old.passed and old.most > 0)
        better = report.score * (old.most or 1.0) >= old.points * (report.max_score or 1.0)
        points, most = (report.score, report.max_score) if better else (old.points, old.most)
        day = old.passed_on if old.passed or not passed else datetime.date.today().isoformat()
        new = Standing(points, most, passed, old.hints, day)
        if new != old and (report.score or passed or old.passed):
            self._keep(report.id, new)

    def _keep(self, id: str, standing: Standing) -> None:
        self._file.change(id, lambda entry: entry.update(dataclasses.asdict(standing)))


def kept_stub(course: Course, id: str) -> Path:
    """Return the place of an exercise's kept stub, if it is kept."""
    return course.root / FOLDER / STUBS / course.stub(id).name


def make(folder: Path) -> None:
    """Make the folder for kept files, which git is to ignore."""
    folder.mkdir(exist_ok=True)
    if not (folder / ".gitignore").exists():
        replace(folder / ".gitignore", "*\n")


def keep(course: Course, name: str, content: str | bytes) -> Path:
    """Write a kept file, in a folder of its own if its name says so; return its path. Raises OSError."""
    path = course.root / FOLDER / name
    make(course.root / FOLDER)
    path.parent.mkdir(exist_ok=True)
    replace(path, content)
    return path


def backup(course: Course, name: str, content: str | bytes) -> Path:
    """Keep the content of a file of this name, beside earlier copies; return its path. Raises OSError."""
    stem, _, ending = name.rpartition(".")
    kept = free(lambda n: course.root / FOLDER / f"backups/{stem}.{n}.{ending}")
    return keep(course, f"backups/{kept.name}", content)


def free(name: Callable[[int], Path]) -> Path:
    """Return the first of `name(1)`, `name(2)`, ... that does not exist."""
    number = 1
    while os.path.lexists(name(number)):
        number += 1
    return name(number)


def builds_on(course: Course, unit: Unit) -> list[int]:
    """Return the numbers of the units that this one's exercises need directly, the nearest last."""
    of = {e.id: n for n, u in enumerate(course.path, 1) for e in u.exercises}
    here = course.path.index(unit) + 1
    return sorted({of[a] for e in unit.exercises for a in e.after} - {here})
