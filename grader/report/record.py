"""The record of what people decided and gave, with all its history: one SQLite file beside the reports of a class.

It has two tables: the decisions about points, and everything else that a person gave, such as marks and times.
"""

from __future__ import annotations

import contextlib
import dataclasses
import datetime
import getpass
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Protocol, TypeVar

import msgspec

from grader.errors import CourseError, MachineError
from grader.report.report import Decided, ExerciseReport, Report, total
from grader.texts import Text, plain, translated

FILE = "record.sqlite"
WAIT = 10.0  # seconds for another command that is writing
TABLES = (  # each version of the kit's record has one table more
    """CREATE TABLE decisions (
    number INTEGER PRIMARY KEY, at TEXT NOT NULL, who TEXT NOT NULL, student TEXT NOT NULL, exercise TEXT NOT NULL,
    mistake TEXT NOT NULL, points REAL, reason TEXT NOT NULL, undoes INTEGER)""",
    """CREATE TABLE given (
    number INTEGER PRIMARY KEY, at TEXT NOT NULL, who TEXT NOT NULL, what TEXT NOT NULL, student TEXT NOT NULL,
    place TEXT NOT NULL, value TEXT)""",
)
T = TypeVar("T")
Key = tuple[str, str]  # the student and the place, each "" where there is none

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
    line = msgspec.structs.asdict(msgspec.structs.replace(decision, at=_now(), who=decision.who or _user()))
    del line["number"]  # the database counts
    with _open(results / FILE) as database, database:
        marks = ", ".join(f":{name}" for name in line)
        database.execute(f"INSERT INTO decisions ({', '.join(line)}) VALUES ({marks})", line)


class Given(Protocol):
    """Return what holds of one kind of things, such as marks: the last value for each student and place."""

    def __call__(self, what: str, kind: type[T]) -> dict[Key, T]: ...


@contextlib.contextmanager
def reading(results: Path) -> Iterator[Given]:
    """Read what people gave, all as it was at one moment. Raises as `read` does."""
    path = results / FILE
    if not path.exists():
        yield lambda what, kind: {}
        return
    with _open(path) as database:
        database.execute("BEGIN")

        def given(what: str, kind: type[T]) -> dict[Key, T]:
            rows = database.execute("SELECT student, place, value FROM given WHERE what = ? ORDER BY number", (what,))
            last = {(student, place): value for student, place, value in rows}
            try:
                return {key: msgspec.json.decode(value, type=kind) for key, value in last.items() if value is not None}
            except msgspec.MsgspecError as error:
                raise MachineError(f"{path}: {what} cannot be read: {error}; nothing was changed") from error

        yield given


def give(results: Path, values: Mapping[str, Mapping[Key, object]]) -> None:
    """Let these values hold and no others of their kinds, all of them at once or none; what holds already stays.

    Raises as `read` does.
    """
    now, who = _now(), _user()
    lines = []
    with reading(results) as given:
        for what, wanted in values.items():
            before = given(what, object)
            after = {key: msgspec.to_builtins(value) for key, value in wanted.items()}
            changed = (key for key in dict.fromkeys([*after, *before]) if after.get(key) != before.get(key))
            lines += [(now, who, what, *key, _json(after[key]) if key in after else None) for key in changed]
    if lines:
        with _open(results / FILE) as database, database:
            columns = "at, who, what, student, place, value"
            database.executemany(f"INSERT INTO given ({columns}) VALUES (?, ?, ?, ?, ?, ?)", lines)


def forget(results: Path, student: str) -> None:
    """Take all lines about a student out of the file, and the history of what is about the whole class, which may name
    the student: what holds of it stays.

    Raises as `read` does.
    """
    with _open(results / FILE) as database:
        database.execute("PRAGMA secure_delete = ON")  # nothing of it stays in the file
        with database:
            for table in ("decisions", "given"):
                database.execute(f"DELETE FROM {table} WHERE student = ?", (student,))
            last = "SELECT max(number) FROM given WHERE student = '' GROUP BY what, place"
            database.execute(f"DELETE FROM given WHERE student = '' AND number NOT IN ({last})")
        database.execute("VACUUM")


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _now() -> str:
    return datetime.datetime.now().astimezone().isoformat(timespec="seconds")


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
            if version > len(TABLES):
                raise CourseError(f"{path}: a newer version of the kit wrote it; update this one")
            if version < len(TABLES):
                with database:
                    database.execute("BEGIN IMMEDIATE")  # two commands may find it without a table
                    for table in TABLES[database.execute("PRAGMA user_version").fetchone()[0] :]:
                        database.execute(table)
                    database.execute(f"PRAGMA user_version = {len(TABLES)}")
            yield database
    except sqlite3.Error as error:
        raise MachineError(f"{path}: cannot be used: {error}; nothing was changed") from error
