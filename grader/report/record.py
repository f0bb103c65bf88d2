"""The record of what people decided and gave, with all its history: one SQLite file beside the reports of a class.

It has two tables: the decisions about points, and everything else that a person gave, such as marks and times.
"""

from __future__ import annotations

import contextlib
import dataclasses
import datetime
import getpass
import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TypeVar

import msgspec

from grader.errors import CourseError, MachineError
from grader.report.decisions import Decision, Record

FILE = "record.sqlite"
WAIT = 10.0  # seconds for another command that is writing
STEPS = (  # each version of the kit's record takes one step more
    """CREATE TABLE decisions (
    number INTEGER PRIMARY KEY, at TEXT NOT NULL, who TEXT NOT NULL, student TEXT NOT NULL, exercise TEXT NOT NULL,
    mistake TEXT NOT NULL, points REAL, reason TEXT NOT NULL, undoes INTEGER)""",
    """CREATE TABLE given (
    number INTEGER PRIMARY KEY, at TEXT NOT NULL, who TEXT NOT NULL, what TEXT NOT NULL, student TEXT NOT NULL,
    place TEXT NOT NULL, value TEXT)""",
    "ALTER TABLE decisions ADD COLUMN without TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE decisions ADD COLUMN alike TEXT NOT NULL DEFAULT ''",
)
T = TypeVar("T")
Key = tuple[str, str]  # the student and the place, each "" where there is none


def read(results: Path) -> Record:
    """Return the decisions in this folder.

    Raises:
        CourseError: a newer version of the kit wrote it.
        MachineError: it is damaged, or another command holds it.
    """
    names = Decision.__struct_fields__
    with _open(results) as database:
        rows = database.execute(f"SELECT {', '.join(names)} FROM decisions ORDER BY number").fetchall()
    return Record([Decision(**dict(zip(names, row, strict=True))) for row in rows])


def add(results: Path, *decisions: Decision) -> None:
    """Write more lines, all or none. Raises as `read` does."""
    now, who = _now(), _user()
    lines = [msgspec.structs.asdict(msgspec.structs.replace(d, at=now, who=d.who or who)) for d in decisions]
    names = [name for name in Decision.__struct_fields__ if name != "number"]  # the database counts
    with _open(results, to_write=True) as database, database:
        marks = ", ".join(f":{name}" for name in names)
        database.executemany(f"INSERT INTO decisions ({', '.join(names)}) VALUES ({marks})", lines)


@dataclasses.dataclass(frozen=True)
class GivenValues:
    """The values that people gave, as they are at one moment."""

    database: sqlite3.Connection
    path: Path

    def __call__(self, what: str, kind: type[T], student: str | None = None) -> dict[Key, T]:
        """Return what holds of one kind of things, such as marks: the last value for each student and place."""
        asked = (
            "SELECT student, place, value FROM given WHERE what = ? AND student = ifnull(?, student) ORDER BY number"
        )
        last = {(name, place): value for name, place, value in self.database.execute(asked, (what, student))}
        try:
            return {key: msgspec.json.decode(value, type=kind) for key, value in last.items() if value is not None}
        except msgspec.MsgspecError as error:
            raise MachineError(f"{self.path}: {what} cannot be read: {error}; nothing was changed") from error


@contextlib.contextmanager
def reading(results: Path) -> Iterator[GivenValues]:
    """Read what people gave, all as it was at one moment. Raises as `read` does."""
    with _open(results) as database:
        database.execute("BEGIN")
        yield GivenValues(database, results / FILE)


def give(results: Path, values: Mapping[str, Mapping[Key, object]]) -> None:
    """Let these values hold and no others of their kinds, all of them at once or none; what holds already stays.

    Raises as `read` does.
    """
    now, who = _now(), _user()
    with _open(results, to_write=any(values.values())) as database, database:
        database.execute("BEGIN IMMEDIATE")
        given = GivenValues(database, results / FILE)
        lines = []
        for what, wanted in values.items():
            before = given(what, object)
            after = {key: msgspec.to_builtins(value) for key, value in wanted.items()}
            changed = (key for key in dict.fromkeys([*after, *before]) if after.get(key) != before.get(key))
            lines += [(now, who, what, *key, _json(after[key]) if key in after else None) for key in changed]
        columns = "at, who, what, student, place, value"
        database.executemany(f"INSERT INTO given ({columns}) VALUES (?, ?, ?, ?, ?, ?)", lines)


def stamp(results: Path, *kinds: str) -> object:
    """Return something that differs once anything of these kinds was given or forgotten. Raises as `read` does."""
    with _open(results) as database:
        marks = ", ".join("?" * len(kinds))
        return database.execute(f"SELECT count(*), max(number) FROM given WHERE what IN ({marks})", kinds).fetchone()


def history(results: Path, student: str, *kinds: str) -> list[tuple[str, str, str, str | None]]:
    """Return all that was ever given of these kinds about a student or the whole class, the oldest first: when, what,
    place, and the value as JSON. Raises as `read` does.
    """
    with _open(results) as database:
        marks = ", ".join("?" * len(kinds))
        asked = (
            f"SELECT at, what, place, value FROM given WHERE what IN ({marks}) AND student IN ('', ?) ORDER BY number"
        )
        return database.execute(asked, (*kinds, student)).fetchall()


def forget(results: Path, student: str) -> None:
    """Take all lines about a student out of the file, and the history of what is about the whole class, which may name
    the student: what holds of it stays.

    Raises as `read` does.
    """
    with _open(results) as database:
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
def _open(results: Path, to_write: bool = False) -> Iterator[sqlite3.Connection]:
    """Open the record; where there is none yet, and nothing to write, an empty one in memory."""
    path = results / FILE
    try:
        where = path if to_write or path.exists() else ":memory:"
        with contextlib.closing(sqlite3.connect(where, timeout=WAIT)) as database:
            version = database.execute("PRAGMA user_version").fetchone()[0]
            if version > len(STEPS):
                raise CourseError(f"{path}: a newer version of the kit wrote it; update this one")
            if version < len(STEPS):
                with database:
                    database.execute("BEGIN IMMEDIATE")  # two commands may find it without a table
                    for step in STEPS[database.execute("PRAGMA user_version").fetchone()[0] :]:
                        database.execute(step)
                    database.execute(f"PRAGMA user_version = {len(STEPS)}")
            yield database
    except sqlite3.Error as error:
        raise MachineError(f"{path}: cannot be used: {error}; nothing was changed") from error
