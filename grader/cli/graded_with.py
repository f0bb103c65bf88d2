"""Updates the data that RESULTS was graded with, which every command uses: new tables replace old ones, with a note."""

from __future__ import annotations

import contextlib
import dataclasses
import sys
from collections.abc import Collection
from pathlib import Path

import msgspec

from grader.cli import common
from grader.course import Course, late_penalty
from grader.desk import written_anew
from grader.errors import CourseError
from grader.intake import csv_tables as recorded
from grader.intake import downloads, roster
from grader.report import Batch, ClassList, GradedWith, graded_with


def with_tables(
    before: GradedWith, options: common.TimedOptions, course: Course, batch: Collection[str] | None = None
) -> GradedWith:
    """Return the data with the tables of `--times`, `--extensions` and `--roster` in place of the old ones.

    Args:
        batch: the submissions that are graded now: other students' times and extensions stay. None if the tables cover
            everybody.

    Raises:
        CourseError: a table cannot be read, or the course does not say when work is due.
    """
    times = recorded.handed_in(options.times) if options.times else {}
    extensions = recorded.extensions(options.extensions) if options.extensions else []
    after = msgspec.structs.replace(before, class_list=class_list(before, options))
    known = {*before.handed, *(batch or ())}
    meant = roster.others(after.class_list, known) if after.class_list else {}
    times = {s if s in known else meant.get(s, s): when for s, when in times.items()}
    students = [e.student if e.student in known else meant.get(e.student, e.student) for e in extensions]
    extensions = [dataclasses.replace(e, student=s) for e, s in zip(extensions, students, strict=True)]
    if options.times:
        others = {s: when for s, when in before.times.items() if batch is not None and s not in batch}
        after = msgspec.structs.replace(after, times={**others, **times})
    if options.extensions:
        new = {(e.student, e.unit) for e in extensions}
        old = [e for e in before.extensions if batch is not None and e.student not in batch]
        others_too = [e for e in old if (e.student, e.unit) not in new]
        after = msgspec.structs.replace(after, extensions=(*others_too, *extensions))
    if options.times or options.extensions:
        late_penalty.penalty(course, after.times, after.extensions)
    for option, named in (("--times", times), ("--extensions", students)):
        if known and (nobody := sorted(set(named) - known)):
            print(f"grader: {option}: no submission of {', '.join(nobody)}", file=sys.stderr)
    tell(before, after, options)
    return after


def tell(before: GradedWith, after: GradedWith, options: common.TimedOptions) -> None:
    """Say which data of a RESULTS folder are replaced."""
    given = (
        ("--times", options.times, {*before.times.items()} <= {*after.times.items()}),
        ("--extensions", options.extensions, {*before.extensions} <= {*after.extensions}),
        ("--roster", options.roster, before.class_list in (None, after.class_list)),
    )
    for option, path, same in given:
        if path and not same:
            print(f"grader: {option} {path}: replaces what this was graded with before", file=sys.stderr)


def class_list(before: GradedWith, options: common.TimedOptions) -> ClassList | None:
    """Return the class list to use: the given one, else the one used when grading. Raises CourseError."""
    listed, key = before.class_list, options.key
    if options.roster:
        return roster.read(options.roster, key)
    if listed and key and key not in listed.columns:
        raise CourseError(f"--key {key}: no such column in {listed.file}; it has {', '.join(listed.columns)}")
    return msgspec.structs.replace(listed, key=key, asked=True) if listed and key else listed


def read_batch(
    batch: Batch, course: Course, listed: ClassList | None, opened: contextlib.ExitStack
) -> downloads.Reading:
    """Read a batch's submissions with its options and under the class list's names. Raises CourseError."""
    groups = Path(batch.groups) if batch.groups else None
    return downloads.read(Path(batch.folder), course, batch.format, listed, opened, batch.match, groups)


def settled(results: Path, options: common.TimedOptions, course: Course) -> GradedWith:
    """Return the data that RESULTS was graded with. If the options replace some, rewrite its summary and page.

    Raises:
        CourseError: as `with_tables`.
    """
    before = graded_with.read(results)
    after = with_tables(before, options, course)
    if after != before:
        graded_with.write(results, after)
        written_anew(results, course, options.lang)
    return after
