"""Keeps the reports on untouched files in `.grader/untouched.json`: the same file gets the same report.

Most of a course is untouched for most of its time. An entry holds for one file, one version of all that a report
depends on, and one machine; nothing that grading depends on is in it, and a damaged file counts as none.
"""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import json
import platform
from collections.abc import Mapping
from pathlib import Path

import msgspec

import grader
from grader.course import Course
from grader.intake import Submission
from grader.learner.progress import FOLDER, keep
from grader.report import Report
from grader.sandbox.processes import RunOptions

FILE = "untouched.json"
Kept = dict[str, tuple[str, Report]]  # by exercise: what its report depends on, and it


class Untouched:
    """The kept reports on one submission in a learner's own folder.

    Args:
        versions: what a report depends on beside the submission.
    """

    def __init__(self, course: Course, submission: Submission, versions: Mapping[str, str], run: RunOptions) -> None:
        self._course = course
        self._sources = {e.id: e.source for e in course.exercises}
        self._submission = submission
        here = [platform.node(), platform.release(), platform.version(), _program()]
        self._context = {**versions, "options": run.device, "here": json.dumps(here)}
        self._kept = self._read()

    def report(self, id: str) -> Report | None:
        """Return the report on this exercise, if its file is as it was when nobody had begun it."""
        key, report = self._kept.get(id, ("", None))
        return report if key == self._key(id) else None

    def keep(self, graded: Mapping[str, Report]) -> None:
        """Keep those that are on untouched files; by the exercise's id."""
        new = {i: (self._key(i), report) for i, report in graded.items() if report.exercises[0].stub}
        if new:
            with contextlib.suppress(OSError):  # a folder that cannot be written only means that nothing is kept
                keep(self._course, FILE, msgspec.json.encode({**self._kept, **new}))

    def _key(self, id: str) -> str:
        name = self._sources[id]
        own = {name: self._submission.sources[name]} if name in self._submission.sources else {}
        return dataclasses.replace(self._submission, sources=own).fingerprint(self._context)

    def _read(self) -> Kept:
        try:
            return msgspec.json.decode((self._course.root / FOLDER / FILE).read_bytes(), type=Kept)
        except (OSError, ValueError, RecursionError):
            return {}


def _program() -> str:
    """Return a hash of the grader's files and their times, since its version stays while somebody works on it."""
    files = sorted(p for root in grader.__path__ for p in Path(root).rglob("*") if p.suffix in (".py", ".yaml", ".po"))
    return hashlib.sha256(repr([(p.as_posix(), p.stat().st_mtime_ns) for p in files]).encode()).hexdigest()
