"""Writes points that persons give into the reports of a class, then its summary and page."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from grader.course import Course
from grader.errors import GraderError
from grader.report import Report, Results, graded_with

WAIT = 10.0  # seconds for another command that is writing
QUIET = 2.0  # seconds in which nobody asks for anything, after which summary and page are written
A_SECOND = 100  # students for whom it is a second more
Put = Callable[[Path], object]


def written_anew(
    folder: Path, course: Course, lang: str, reports: Sequence[Report] = (), put: Put | None = None
) -> list[Report]:
    """Write summary and page of a folder as they are now; with `put`, first these reports with what a person gave.

    The reports as they are written.
    """
    from grader.rendering.pages import class_page

    with contextlib.closing(Results(folder, wait=WAIT)) as results:
        graded = _given(results, [r.student for r in reports], put) if put else []
        rows = results.rows()
        ids = [e.id for e in course.exercises if any(e.id in row.scores for row in rows.values())]
        results.write_summary(list(rows.values()), ids, lang, graded_with.read(folder).penalty(course))
        class_page.write(folder, course, lang)
    return graded


def given(folder: Path, students: Sequence[str], put: Put) -> list[Report]:
    """Write down what a person gave, and put it into the reports of these students; those as they are written.

    Summary and page are as they were.

    Raises:
        CourseError: another command is writing there, and does not end.
    """
    with contextlib.closing(Results(folder, wait=WAIT)) as results:
        return _given(results, students, put)


def _given(results: Results, students: Sequence[str], put: Put) -> list[Report]:
    results.take(put)
    found = [report for student in students if (report := results.earlier(student))]
    return [results.keep(report.student, report.to_json()) for report in found]


class Summing:
    """Writes summary and page anew once nobody has asked for anything for a while: in a large class that takes time."""

    def __init__(self, folder: Path, course: Course, lang: str, students: int) -> None:
        self._folder, self._course, self._lang = folder, course, lang
        self._quiet = QUIET + students / A_SECOND
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None
        self.trouble = ""
        """Why it could not be done the last time; the next change has it tried again."""
        summary = folder / "summary.csv"
        newest = max((p.stat().st_mtime for p in (folder / "reports").glob("*.json")), default=0.0)
        if not summary.exists() or newest > summary.stat().st_mtime:  # of a desk that was killed
            self.needed()

    def needed(self) -> None:
        """Something has changed."""
        with self._lock:
            if self._timer:
                self._timer.cancel()
            self._timer = threading.Timer(self._quiet, self.now)
            self._timer.daemon = True
            self._timer.start()

    def asked(self) -> None:
        """Somebody is at work: it can wait."""
        if self._timer:
            self.needed()

    def now(self) -> None:
        """Write them, if anything has changed."""
        with self._lock:
            timer, self._timer = self._timer, None
        if not timer:
            return
        timer.cancel()
        try:
            written_anew(self._folder, self._course, self._lang)
            self.trouble = ""
        except GraderError as error:
            self.trouble = str(error)
