"""Many submissions: spread over lanes, each report written as it ends, nothing graded twice."""

from __future__ import annotations

import concurrent.futures
import contextlib
import dataclasses
import hashlib
import os
import queue
import re
import secrets
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from grader import disk
from grader.course import Course
from grader.errors import CourseError, GraderError, MachineError
from grader.lanes import Lane, Warm
from grader.late import Charge
from grader.report import Report
from grader.submission import Submission, load_entry, student_id
from grader.summary import Fault, Row, table
from grader.words import clean

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment] # where there is none

_SAFE_NAME = re.compile(r"(?!id-)[A-Za-z0-9][A-Za-z0-9_.-]{0,79}")
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)  # device names on Windows


class Results:
    """A RESULTS folder: `reports/<student>.json`, `summary.csv`, and the seed that all inputs were drawn from.

    Raises:
        CourseError: it cannot be made or written, or another batch is writing there.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            (folder / "reports").mkdir(parents=True, exist_ok=True)
            self._lock()
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

    def rows(self, lang: str) -> dict[str, Row]:
        """The lines of the reports that are there, by student."""
        found = {}
        for path in (self.folder / "reports").glob("*.json"):
            with contextlib.suppress(OSError, ValueError):
                row = Row.of(Report.from_json(path.read_text(encoding="utf-8")), lang)
                found[row.student] = row
        return found

    def write(self, student: str, report: str) -> None:
        disk.write(self.path(student), report)

    def write_summary(self, rows: Sequence[Row], exercises: Sequence[str], charge: Charge | None = None) -> None:
        disk.write(self.folder / "summary.csv", table(rows, exercises, charge))

    def seed(self, wanted: int | None) -> int:
        """The seed of this batch: the one wanted, else that of the run which this one goes on with, else a new one."""
        path = self.folder / "seed.txt"
        try:
            seed = wanted if wanted is not None else int(path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            seed = secrets.randbelow(1 << 31)
        disk.write(path, f"{seed}\n")
        return seed

    def _lock(self) -> None:
        """Held as long as this process lives or until `close`; `kill -9` frees it too."""
        self._held = open(self.folder / ".lock", "w")  # noqa: SIM115 -- closed in close()
        if fcntl is None:
            return
        try:
            fcntl.flock(self._held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            self._held.close()
            busy = f"{self.folder}: another batch is writing here; wait for it or choose another --out"
            raise CourseError(busy) from error

    def close(self) -> None:
        """Let another batch write here."""
        self._held.close()


class Grades(Protocol):
    """Whatever turns a submission into a report, from many threads at a time; `where` says in what surroundings."""

    where: str

    def grade(self, submission: Submission, fingerprint: str, seed: int) -> str:
        """The report as JSON; raises MachineError."""

    def close(self) -> None:
        """End what was started for it."""


class Lanes:
    """A fixed number of lanes; one that fails is replaced, on the same core. `places`: a core for each, or None."""

    where = ""

    def __init__(
        self, warm: Warm, course: Course, options: Mapping[str, Any], count: int,
        places: Sequence[int | None] | None = None,
    ) -> None:  # fmt: skip
        self._start: Callable[[int | None], Lane] = lambda core: warm.lane(course, options, core)
        self._idle: queue.Queue[tuple[int | None, Lane | None]] = queue.Queue()
        self._all: list[Lane] = []
        for core in cores(count) if places is None else places:
            self._idle.put((core, None))

    def open_one(self) -> Lane:
        """Start the first lane now, so that what is wrong with the course shows before anything is graded."""
        core, _ = self._idle.get()
        lane = self._started(core)
        self.where = f"isolation: {', '.join(lane.isolation) or 'none'}"
        self._idle.put((core, lane))
        return lane

    def grade(self, submission: Submission, fingerprint: str, seed: int) -> str:
        """The report as JSON, from any idle lane; one retry on a fresh lane.

        Raises:
            MachineError: both tries met a machine fault.
        """
        core, lane = self._idle.get()
        try:
            try:
                lane = lane or self._started(core)
                return lane.grade(submission, fingerprint, seed)
            except MachineError:
                if lane:
                    lane.close()
                lane = None
                lane = self._started(core)
                return lane.grade(submission, fingerprint, seed)
        except MachineError:
            if lane:
                lane.close()
            lane = None
            raise
        finally:
            self._idle.put((core, lane))

    def _started(self, core: int | None) -> Lane:
        lane = self._start(core)
        self._all.append(lane)
        return lane

    def close(self) -> None:
        for lane in self._all:
            lane.close()


def cores(count: int) -> list[int | None]:
    """A core for each lane, if there are as many lanes as cores; else the system may move them.

    A lane and its workers take turns. On one core that costs a seventh less processor time than across two. With fewer
    lanes, another batch or another worker of a cluster could have chosen the same core.
    """
    mine = sorted(os.sched_getaffinity(0)) if sys.platform == "linux" else []
    return [*mine] if len(mine) == count else [None] * count


@dataclasses.dataclass(frozen=True)
class Context:
    """What a batch has in common: the language, the seed, the versions that a fingerprint names, whether to grade
    again what is graded, and how an entry is read."""

    lang: str
    seed: int
    versions: Mapping[str, str]
    regrade: bool = False
    load: Callable[[Path, Sequence[str], int], Submission] = load_entry


def grade_all(
    entries: Sequence[Path], course: Course, lanes: Grades, jobs: int, results: Results, context: Context
) -> Iterator[Row | Fault]:
    """Grade every entry; each comes out once, as a line (its report is written) or as a fault, as they end."""
    ids = course.sources

    def one(entry: Path) -> Row | Fault:
        student = student_id(entry)
        try:
            submission = context.load(entry, ids, course.settings.limits.source_kb)
            fingerprint = submission.fingerprint(context.versions)
            if not context.regrade and (stored := results.stored(student, fingerprint)):
                return Row.of(stored, context.lang)
            text = lanes.grade(submission, fingerprint, context.seed)
            results.write(student, text)
            return Row.of(Report.from_json(text), context.lang)
        except Exception as error:  # whatever it is, it is not the student's: listed, and the others go on
            said = str(error) if isinstance(error, GraderError) else f"{type(error).__name__}: {error}"
            return Fault(student, clean(said, 2000))

    with concurrent.futures.ThreadPoolExecutor(jobs + 2) as pool:  # so that no lane waits for a report to be written
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
