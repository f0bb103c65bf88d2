"""Many submissions: spread over lanes, each report written as it ends, nothing graded twice."""

from __future__ import annotations

import concurrent.futures
import csv
import dataclasses
import hashlib
import io
import os
import queue
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from grader.course import Course
from grader.errors import CourseError, GraderError, MachineError
from grader.lanes import Lane, Warm
from grader.report import Report
from grader.submission import Submission, load_entry, student_id
from grader.words import clean

_SAFE_NAME = re.compile(r"(?!id-)[A-Za-z0-9][A-Za-z0-9_.-]{0,79}")
_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠")
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)  # device names on Windows


@dataclasses.dataclass(frozen=True)
class Fault:
    """A submission that a machine fault kept from being graded."""

    student: str
    reason: str


class Results:
    """A RESULTS folder: `reports/<student>.json` and `summary.csv`.

    Raises:
        CourseError: it cannot be made or written.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            (folder / "reports").mkdir(parents=True, exist_ok=True)
            for left in (*folder.glob(".*.tmp"), *(folder / "reports").glob(".*.tmp")):  # of a run that was killed
                left.unlink()
            probe = folder / "reports" / ".probe.tmp"
            probe.touch()
            probe.unlink()
        except OSError as error:
            raise CourseError(f"{folder}: cannot be written: {error.strerror}; choose another --out") from error

    def path(self, student: str) -> Path:
        """Where a student's report is: named by the id where that is a safe file name, else by its hash."""
        safe = _SAFE_NAME.fullmatch(student) and not student.endswith(".") and not _RESERVED.fullmatch(student)
        name = student if safe else "id-" + hashlib.sha256(student.encode()).hexdigest()[:24]
        return self.folder / "reports" / f"{name}.json"

    def stored(self, student: str, fingerprint: str) -> Report | None:
        """The report that is there already, if nothing it depends on has changed."""
        try:
            report = Report.from_json(self.path(student).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return report if (report.student, report.fingerprint) == (student, fingerprint) else None

    def write(self, student: str, report: str) -> None:
        self._replace(self.path(student), report)

    def write_summary(self, reports: Sequence[Report], exercises: Sequence[str]) -> None:
        """One line a student: status, total, and the score of each exercise."""
        table = io.StringIO()
        writer = csv.writer(table, lineterminator="\n")
        writer.writerow(["student", "status", "score", "max_score", *exercises, "reason"])
        for report in sorted(reports, key=lambda r: r.student):
            scores = {e.id: e.score for e in report.exercises}
            row: list[Any] = [defused(report.student), report.status, report.score, report.max_score]
            writer.writerow([*row, *(scores.get(e, "") for e in exercises), defused(report.reason or "")])
        self._replace(self.folder / "summary.csv", table.getvalue())

    def _replace(self, path: Path, text: str) -> None:
        """All of the new content or the old one, whatever happens in between."""
        temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
        try:
            with open(temporary, "w", encoding="utf-8", errors="replace") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, path)
        except OSError as error:
            temporary.unlink(missing_ok=True)
            raise MachineError(f"{path}: cannot be written: {error.strerror}") from error


def defused(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula, nor for more than one cell."""
    cell = " ".join(cell.split("\n"))
    return "'" + cell if cell.strip().startswith(_FORMULA) or cell[:1].isspace() else cell


class Lanes:
    """A fixed number of lanes; one that fails is replaced."""

    def __init__(self, warm: Warm, course: Course, options: Mapping[str, Any], count: int) -> None:
        self._start: Callable[[], Lane] = lambda: warm.lane(course, options)
        self._idle: queue.Queue[Lane | None] = queue.Queue()
        self._all: list[Lane] = []
        for _ in range(count):
            self._idle.put(None)

    def open_one(self) -> Lane:
        """Start the first lane now, so that what is wrong with the course shows before anything is graded."""
        lane = self._started()
        self._idle.get()
        self._idle.put(lane)
        return lane

    def grade(self, submission: Submission, fingerprint: str, seed: int) -> str:
        """The report as JSON, from any idle lane; one retry on a fresh lane.

        Raises:
            MachineError: both tries met a machine fault.
        """
        lane = self._idle.get()
        try:
            try:
                lane = lane or self._started()
                return lane.grade(submission, fingerprint, seed)
            except MachineError:
                if lane:
                    lane.close()
                lane = None
                lane = self._started()
                return lane.grade(submission, fingerprint, seed)
        except MachineError:
            if lane:
                lane.close()
            lane = None
            raise
        finally:
            self._idle.put(lane)

    def _started(self) -> Lane:
        lane = self._start()
        self._all.append(lane)
        return lane

    def close(self) -> None:
        for lane in self._all:
            lane.close()


def grade_all(
    entries: Sequence[Path], course: Course, lanes: Lanes, jobs: int, results: Results, context: str, seed: int
) -> Iterator[Report | Fault]:
    """Grade every entry; each comes out once, as a report (already written) or as a fault, in order of completion."""
    ids = [e.id for e in course.exercises]

    def one(entry: Path) -> Report | Fault:
        student = student_id(entry)
        try:
            submission = load_entry(entry, ids, course.settings.limits.source_kb)
            fingerprint = submission.fingerprint(context)
            if stored := results.stored(student, fingerprint):
                return stored
            text = lanes.grade(submission, fingerprint, seed)
            report = Report.from_json(text)
            results.write(student, text)
        except Exception as error:  # whatever it is, it is not the student's: listed, and the others go on
            said = str(error) if isinstance(error, GraderError) else f"{type(error).__name__}: {error}"
            return Fault(student, clean(said, 2000))
        return report

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        waiting = {pool.submit(one, entry) for entry in entries[: 4 * jobs]}
        rest = iter(entries[4 * jobs :])
        try:
            while waiting:
                done, waiting = concurrent.futures.wait(waiting, return_when=concurrent.futures.FIRST_COMPLETED)
                for future in done:
                    if (entry := next(rest, None)) is not None:
                        waiting.add(pool.submit(one, entry))
                    yield future.result()
        finally:
            for future in waiting:
                future.cancel()
