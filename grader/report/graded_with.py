"""The inputs of grading that a RESULTS folder keeps: submissions, times, extensions, class list, exercises.

Every later command uses them. They are in the folder's record, and are read and written here only.
"""

from __future__ import annotations

import datetime
import itertools
from collections.abc import Collection, Mapping
from pathlib import Path

import msgspec

from grader import atomic_write
from grader.course import IN_TIME, Course, Extension, LatePenalty, late_penalty
from grader.report import record

BEFORE = "graded_with.json"  # what held it until there was one record, and what held some of it before that
LONG_BEFORE = ("submissions.json", "folder.txt")
EXERCISES, BATCHES, HANDED, TIMES, EXTENSIONS, CLASS_LIST = (  # what they are called in the record
    "exercises", "batches", "handed in", "times", "extensions", "class list",
)  # fmt: skip
KINDS = (EXERCISES, BATCHES, HANDED, TIMES, EXTENSIONS, CLASS_LIST)
REMEDY = "delete it, or grade again"


class Handed(msgspec.Struct, frozen=True, omit_defaults=True):
    """One submission: the student, the time (None if the platform does not say), and the platform's names for them."""

    student: str
    when: datetime.datetime | None = None
    person: Mapping[str, str] = {}


class Batch(msgspec.Struct, frozen=True, omit_defaults=True):
    """A folder or download that was graded, the options for reading it, and the students whose reports are of it.

    `format` is the value of `--from`, `match` and `groups` those of `--match` and `--groups`.
    """

    folder: str
    format: str | None = None
    match: str | None = None
    groups: str | None = None
    handed: tuple[Handed, ...] = ()

    @property
    def students(self) -> set[str]:
        return {h.student for h in self.handed}


class ClassList(msgspec.Struct, frozen=True):
    """The lines of a class list, in its order, and the file that it was read from.

    `key` is the column of the student ids, `asked` True if somebody chose it; `possible` is the list's name for the
    line of the points possible, if it has one.
    """

    file: str
    columns: tuple[str, ...]
    key: str
    lines: tuple[Mapping[str, str], ...]
    possible: str = ""
    asked: bool = False


class GradedWith(msgspec.Struct, frozen=True, omit_defaults=True):
    """Everything that RESULTS was graded with. `batches`: the last one last; each student is in one. `times` come from
    a person's table, which overrides a platform's times.
    """

    exercises: tuple[str, ...] = ()
    batches: tuple[Batch, ...] = ()
    times: Mapping[str, datetime.datetime] = {}
    extensions: tuple[Extension, ...] = ()
    class_list: ClassList | None = None

    @property
    def handed(self) -> dict[str, Handed]:
        """Return the submissions by the students' names in reports."""
        return {h.student: h for batch in self.batches for h in batch.handed}

    @property
    def people(self) -> dict[str, Mapping[str, str]]:
        """Return the data of the platform and the class list about each student."""
        return {student: h.person for student, h in self.handed.items()}

    def penalty(self, course: Course) -> LatePenalty:
        """Return the late penalty. Raises CourseError for an extension of a unit that does not exist."""
        times = {s: h.when for s, h in self.handed.items() if h.when} | {**self.times}
        if not late_penalty.says_so(course):
            return IN_TIME
        return late_penalty.penalty(course, times, self.extensions)

    def told(self, folder: Path) -> Batch:
        """Return the options for reading this folder when it was graded; else the last batch's, except its format."""
        known = next((b for b in reversed(self.batches) if b.folder == str(folder.resolve())), None)
        last = known or (self.batches[-1] if self.batches else Batch(""))
        return Batch(str(folder.resolve()), known.format if known else None, last.match, last.groups)

    def with_batch(self, batch: Batch) -> GradedWith:
        """Return this with one more batch: its students are of no other batch."""
        others = self.without(batch.students)
        return msgspec.structs.replace(others, batches=(*others.batches, batch))

    def without(self, students: Collection[str]) -> GradedWith:
        """Return this without these students."""
        left = ((b, tuple(h for h in b.handed if h.student not in students)) for b in self.batches)
        kept = tuple(msgspec.structs.replace(b, handed=handed) for b, handed in left if handed)
        return msgspec.structs.replace(self, batches=kept)

    def forgetting(self, student: str) -> GradedWith:
        """Return the same without this student: times, extensions and the line of the class list go too."""
        person, listed = self.people.get(student, {}), self.class_list
        if listed:
            others = (
                line for line in listed.lines if line[listed.key] != student and not line.items() <= person.items()
            )
            listed = msgspec.structs.replace(listed, lines=tuple(others))
        times = {s: when for s, when in self.times.items() if s != student}
        extensions = tuple(e for e in self.extensions if e.student != student)
        left = self.without({student})
        return msgspec.structs.replace(left, times=times, extensions=extensions, class_list=listed)

    def gone(self, batch: Batch) -> set[str]:
        """Return the students who were in this batch's folder when it was graded before and are no longer; none if
        another batch lies there now: one with less than half of those whom the folder held.
        """
        before = set[str]().union(*(b.students for b in self.batches if b.folder == batch.folder))
        gone = before - batch.students
        return gone if 2 * len(gone) <= len(before) else set()


def read(results: Path) -> GradedWith:
    """Return what a RESULTS folder was graded with; for an older kit's folder, from that kit's notes.

    Raises:
        CourseError: a newer version of the kit wrote it.
        MachineError: the record or an older file is damaged.
    """
    with record.reading(results) as given:
        batches = given(BATCHES, Batch)
        handed: dict[str, list[Handed]] = {number: [] for _, number in batches}
        for (_, number), line in given(HANDED, Handed).items():
            handed[number].append(line)
        found = GradedWith(
            exercises=given(EXERCISES, tuple[str, ...]).get(("", ""), ()),
            batches=tuple(msgspec.structs.replace(b, handed=tuple(handed[n])) for (_, n), b in sorted(batches.items())),
            times={student: when for (student, _), when in given(TIMES, datetime.datetime).items()},
            extensions=tuple(given(EXTENSIONS, Extension).values()),
            class_list=given(CLASS_LIST, ClassList).get(("", "")),
        )
    return _of_an_older_kit(results) if found == GradedWith() else found


def versions(results: Path, student: str) -> list[tuple[Batch, Handed]]:
    """Return each submission of this student that was ever graded, and the folder or download that held it, the oldest
    first. Raises as `read` does.
    """
    batches: dict[str, Batch] = {}
    mine: dict[str, Handed] = {}
    found: dict[tuple[str, datetime.datetime | None], tuple[Batch, Handed]] = {}
    lines = record.history(results, student, BATCHES, HANDED)
    for _, together in itertools.groupby(lines, key=lambda line: line[0]):  # what was written at once
        for _, what, number, value in together:
            if value is None:
                (batches if what == BATCHES else mine).pop(number, None)
            elif what == BATCHES:
                batches[number] = msgspec.json.decode(value, type=Batch)
            else:
                mine[number] = msgspec.json.decode(value, type=Handed)
        found |= {(batches[n].folder, h.when): (batches[n], h) for n, h in mine.items() if n in batches}
    return list(found.values())


def _of_an_older_kit(results: Path) -> GradedWith:
    """Return what the files of an older kit say. Raises MachineError."""
    handed, folder = LONG_BEFORE
    if (results / BEFORE).exists() or not (results / handed).exists():
        return atomic_write.read_data(results / BEFORE, GradedWith, GradedWith(), REMEDY)
    noted = atomic_write.read_data(results / handed, tuple[Handed, ...], (), REMEDY)
    where = results / folder
    path = where.read_text(encoding="utf-8").rstrip("\n") if where.exists() else ""
    return GradedWith(batches=(Batch(path, handed=noted),))


def write(results: Path, graded_with: GradedWith) -> None:
    """Keep this for every later command. Raises as `read` does."""
    batches = {f"{number:04}": batch for number, batch in enumerate(graded_with.batches)}
    listed = {("", ""): graded_with.class_list} if graded_with.class_list else {}
    record.give(results, {
        EXERCISES: {("", ""): graded_with.exercises},
        BATCHES: {("", number): msgspec.structs.replace(batch, handed=()) for number, batch in batches.items()},
        HANDED: {(line.student, number): line for number, batch in batches.items() for line in batch.handed},
        TIMES: {(student, ""): when for student, when in graded_with.times.items()},
        EXTENSIONS: {(e.student, e.unit): e for e in graded_with.extensions},
        CLASS_LIST: listed,
    })  # fmt: skip
    for name in (BEFORE, *LONG_BEFORE):
        (results / name).unlink(missing_ok=True)
