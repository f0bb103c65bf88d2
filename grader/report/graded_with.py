"""The inputs of grading that a RESULTS folder keeps: submissions, times, extensions, class list, exercises.

Every later command uses them. They are in one file, read and written here only.
"""

from __future__ import annotations

import datetime
from collections.abc import Collection, Mapping
from pathlib import Path

import msgspec

from grader import whole_files
from grader.course import IN_TIME, Course, Extension, LatePenalty, late_penalty

FILE = "graded_with.json"
BEFORE = ("submissions.json", "folder.txt")  # what held some of it until there was one file
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
        MachineError: the file is damaged.
    """
    handed, folder = BEFORE
    if (results / FILE).exists() or not (results / handed).exists():
        return whole_files.read_data(results / FILE, GradedWith, GradedWith(), REMEDY)
    noted = whole_files.read_data(results / handed, tuple[Handed, ...], (), REMEDY)
    where = results / folder
    path = where.read_text(encoding="utf-8").rstrip("\n") if where.exists() else ""
    return GradedWith(batches=(Batch(path, handed=noted),))


def write(results: Path, graded_with: GradedWith) -> None:
    """Keep this for every later command. Raises MachineError."""
    whole_files.write_data(results / FILE, graded_with)
    for name in BEFORE:
        (results / name).unlink(missing_ok=True)
