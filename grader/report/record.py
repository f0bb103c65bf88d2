"""A teacher's decisions about points, with all their history: one SQLite file beside the reports of a class."""

from __future__ import annotations

import contextlib
import dataclasses
import datetime
import getpass
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from grader.errors import CourseError, MachineError
from grader.report.report import Decided, ExerciseReport, Report, total
from grader.texts import Text, plain, translated

FILE = "record.sqlite"
VERSION = 1  # of its tables
WAIT = 10.0  # seconds for another command that is writing
TABLE = """CREATE TABLE decisions (
    number INTEGER PRIMARY KEY, at TEXT NOT NULL, who TEXT NOT NULL, student TEXT NOT NULL, exercise TEXT NOT NULL,
    mistake TEXT NOT NULL, points REAL, reason TEXT NOT NULL, undoes INTEGER)"""

GIVEN = translated("Your teacher gave {points:g} points in place of {judged:g}: {reason}")
COSTS = translated("{mistake}: it costs {points:g} points here, not {charged:g}: {reason}")


class Decision(msgspec.Struct, frozen=True):
    """A line of the record.

    With a `student`, `points` are those of the exercise; without `points` the reason is a comment. With a `mistake`,
    `points` are its cost for everyone who made it in this exercise. `undoes` is the number of a line that no longer
    holds. `at` is a time in ISO 8601, `number` counts from 1.
    """

    exercise: str
    reason: str
    student: str = ""
    mistake: str = ""
    points: float | None = None
    undoes: int | None = None
    at: str = ""
    who: str = ""
    number: int = 0

    @property
    def place(self) -> tuple[str, str, str, bool]:
        """Return the decision's subject: of several decisions with the same subject, the last one holds."""
        return self.student, self.exercise, self.mistake, self.points is None


@dataclasses.dataclass(frozen=True)
class Record:
    """The decisions of a class, the oldest first."""

    lines: Sequence[Decision] = ()

    @property
    def holding(self) -> list[Decision]:
        """Return the decisions that hold: not undone, and the last one on their subject."""
        undone = {line.undoes for line in self.lines}
        return list({line.place: line for line in self.lines if not line.undoes and line.number not in undone}.values())

    def and_also(self, decision: Decision) -> Record:
        """Return the record with one more decision."""
        number = max((line.number for line in self.lines), default=0) + 1
        return Record((*self.lines, msgspec.structs.replace(decision, number=number)))

    def put_into(self, report: Report) -> Report:
        """Return the report with these decisions in place of earlier ones; it keeps the points of the checks."""
        holding = [d for d in self.holding if d.student in ("", report.student)]
        if not holding and not any(e.decided for e in report.exercises):
            return report
        return report.on(_decided(e, [d for d in holding if d.exercise == e.id]) for e in report.exercises)


def judged(exercise: ExerciseReport) -> float:
    """Return the points that the checks gave."""
    return total(c.points for c in exercise.checks) if exercise.checks else 0.0


def charged(exercise: ExerciseReport, mistake: str) -> float | None:
    """Return the cost of a mistake in this exercise as the checks have it; None if it was not made."""
    explained = {c for d in exercise.diagnoses if d.misconception == mistake for c in d.checks}
    if not any(d.misconception == mistake for d in exercise.diagnoses):
        return None
    return total(c.max_points - c.points for c in exercise.failed if c.id in explained)


def _decided(exercise: ExerciseReport, holding: Sequence[Decision]) -> ExerciseReport:
    """Return the exercise with these decisions: first the costs of mistakes, then one student's points."""
    if not (holding or exercise.decided):
        return exercise
    before = score = judged(exercise)
    said: list[Text] = []
    for d in sorted(holding, key=lambda d: (bool(d.student), d.points is None)):
        if d.points is None:
            said.append(plain(d.reason))
        elif d.student:
            said.append(GIVEN.format(points=d.points, judged=before, reason=d.reason))
            score = d.points
        elif (cost := charged(exercise, d.mistake)) is not None:
            name = next(g.message for g in exercise.diagnoses if g.misconception == d.mistake)
            said.append(COSTS.format(mistake=name, points=d.points, charged=cost, reason=d.reason))
            score = max(0.0, min(exercise.max_score, total([score, cost, -d.points])))
    found = Decided(before, tuple(said)) if said else None
    return msgspec.structs.replace(exercise, score=score, decided=found)


def read(results: Path) -> Record:
    """Return the decisions in this folder.

    Raises:
        CourseError: a newer version of the kit wrote it.
        MachineError: it is damaged, or another command holds it.
    """
    path = results / FILE
    if not path.exists():
        return Record()
    with _open(path) as database:
        names = Decision.__struct_fields__
        rows = database.execute(f"SELECT {', '.join(names)} FROM decisions ORDER BY number").fetchall()
    return Record([Decision(**dict(zip(names, row, strict=True))) for row in rows])


def add(results: Path, decision: Decision) -> None:
    """Write one more line. Raises as `read` does."""
    now = datetime.datetime.now().astimezone().isoformat(timespec="seconds")
    line = msgspec.structs.asdict(msgspec.structs.replace(decision, at=now, who=decision.who or _user()))
    del line["number"]  # the database counts
    with _open(results / FILE) as database, database:
        marks = ", ".join(f":{name}" for name in line)
        database.execute(f"INSERT INTO decisions ({', '.join(line)}) VALUES ({marks})", line)


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # a user without a name
        return ""


@contextlib.contextmanager
def _open(path: Path) -> Iterator[sqlite3.Connection]:
    try:
        with contextlib.closing(sqlite3.connect(path, timeout=WAIT)) as database:
            version = database.execute("PRAGMA user_version").fetchone()[0]
            if version > VERSION:
                raise CourseError(f"{path}: a newer version of the kit wrote it; update this one")
            if not version:
                with database:
                    database.execute(TABLE)
                    database.execute(f"PRAGMA user_version = {VERSION}")
            yield database
    except sqlite3.Error as error:
        raise MachineError(f"{path}: cannot be used: {error}; nothing was changed") from error
