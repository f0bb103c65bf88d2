"""A RESULTS folder: reports, summary, the seed of its inputs; the last batch's faults and changes."""

from __future__ import annotations

import dataclasses
import datetime
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from grader import atomic_write
from grader.course import IN_TIME, LatePenalty
from grader.errors import CourseError
from grader.report import class_tally, decisions, essays, oral_exam, record, seeds
from grader.report.report import Report, report_name
from grader.report.sheet_attempts import SheetAttempt
from grader.report.summary import Fault, Row, reasons, table

FAULTS, REGRADE, EARLIER = "faults.json", "regrade.json", "earlier"
ROOM, ROOM_BYTES = ".room.tmp", 600  # for an entry's line in the summary and in what could not be graded
EDITED = ".edited.json"  # how the name of a report ends that was set apart
REMEDY = "delete it, or grade again"


try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment] # where there is none


def _given(folder: Path) -> tuple[essays.Marks, oral_exam.Oral, decisions.Record]:
    """Return what persons have given, in the order in which reports take it. Raises CourseError, MachineError."""
    return essays.read(folder), oral_exam.read(folder), record.read(folder)


def _of(student: str, path: Path) -> Report | None:
    """Return the report in this file, if it is one of this student."""
    report = class_tally.report(path)
    return report if isinstance(report, Report) and report.student == student else None


class Results:
    """A RESULTS folder: `reports/<student>.json`, `summary.csv`, and the seed that all inputs were drawn from.

    Args:
        wait: seconds for another command that is writing there.

    Raises:
        CourseError: it cannot be made or written, or another batch is writing there.
    """

    def __init__(self, folder: Path, wait: float = 0.0) -> None:
        self.folder = folder
        self.edited: list[str] = []
        """Whose report a person has changed, and counts as it stands."""
        self.replaced: list[str] = []
        """Reports that a person has changed, or that cannot be read, where a new one has taken their place."""
        self._given = _given(folder)
        try:
            (folder / "reports").mkdir(parents=True, exist_ok=True)
            self._lock(time.monotonic() + wait)
            for left in (*folder.glob(".*.tmp"), *(folder / "reports").glob(".*.tmp")):  # of a run that was killed
                left.unlink()
            probe = folder / "reports" / ".probe.tmp"
            probe.touch()
            probe.unlink()
        except OSError as error:
            raise CourseError(f"{folder}: cannot be written: {error.strerror}; choose another --out") from error

    def keep_room(self, entries: int) -> None:
        """Reserve room for the lists of so many entries, so that they can be written if the disk becomes full.

        Raises MachineError if there is none.
        """
        atomic_write.write(self.folder / ROOM, "\n" * (entries + 10) * ROOM_BYTES)

    def free_room(self) -> None:
        """Let the lists be written."""
        (self.folder / ROOM).unlink(missing_ok=True)

    def path(self, student: str) -> Path:
        """Return the path of a student's report."""
        return self.folder / "reports" / report_name(student)

    def earlier(self, student: str) -> Report | None:
        """Return the existing report, whatever it was made from."""
        return _of(student, self.path(student))

    def stored(self, student: str, fingerprint: str) -> Report | None:
        """Return the existing report, if nothing that it depends on has changed."""
        report = self.earlier(student)
        if report is None or report.fingerprint != fingerprint:
            return None
        if not report.sums_up:
            self.edited.append(student)
        return report

    def attempt(self, student: str, fingerprint: str) -> int:
        """Return the number of this one among the student's different submissions, from 0."""
        before = self._last(student)
        return seeds.attempt(fingerprint, before.fingerprint if before else None)

    def _last(self, student: str) -> Report | None:
        """Return the student's last report, from an earlier batch if this one has none yet."""
        return self.earlier(student) or _of(student, self.folder / EARLIER / self.path(student).name)

    def rows(self) -> dict[str, Row]:
        """Return the lines of the existing reports, by student."""
        found = (report for _, report in class_tally.reports(self.folder / "reports"))
        return {report.student: Row.of(report) for report in found if isinstance(report, Report)}

    def write(self, student: str, report: str) -> None:
        path, before = self.path(student), self.earlier(student)
        if path.exists() and (before is None or not before.sums_up):
            kept = self.folder / EARLIER / f"{path.stem}{EDITED}"
            kept.parent.mkdir(exist_ok=True)
            path.replace(kept)
            self.replaced.append(str(kept))
        atomic_write.write(path, report)

    def take(self, put: Callable[[Path], object]) -> None:
        """Write what a person has given, by a function of the folder; it counts in reports from now on."""
        put(self.folder)
        self._given = _given(self.folder)

    def keep(self, student: str, text: str, attempt: SheetAttempt | None = None) -> Report:
        """Write a report with the marks of its answers in sentences; return it as it is written.

        Args:
            attempt: the answer sheet, of which only so many of a student's are marked.
        """
        graded = whole = Report.from_json(text)
        if attempt:
            whole = attempt.counted(whole, self._last(student))
        if any(e.decided for e in whole.exercises):
            whole = whole.on(map(decisions.as_graded, whole.exercises))
        for given in self._given:
            whole = given.put_into(whole)
        self.write(student, text if whole is graded else whole.to_json())
        return whole

    def write_summary(
        self, rows: Sequence[Row], exercises: Sequence[str], lang: str, penalty: LatePenalty = IN_TIME
    ) -> None:
        oral = [oral_exam.ID] if any(oral_exam.ID in row.scores for row in rows) else []
        atomic_write.write(self.folder / "summary.csv", table(rows, [*exercises, *oral], lang, penalty))

    def set_apart(self, students: Iterable[str]) -> list[str]:
        """Move the reports of these students into `earlier/`; return those who had one."""
        moved = []
        for student in sorted(students):
            path = self.path(student)
            if path.exists():
                (self.folder / EARLIER).mkdir(exist_ok=True)
                path.replace(self.folder / EARLIER / path.name)
                (self.folder / "pages" / f"{path.stem}.html").unlink(missing_ok=True)
                moved.append(student)
        return moved

    def seed(self, wanted: int | None) -> int:
        """Return the seed of this batch: the wanted one, else that of the run that it continues, else a new one.

        Raises CourseError if the seed of the existing reports is lost.
        """
        path = self.folder / seeds.FILE
        try:
            seed = wanted if wanted is not None else int(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            if path.exists() or any((self.folder / "reports").glob("*.json")):
                said = "cannot be read, and the reports here were made with the seed that it held; put it back"
                raise CourseError(f"{path}: {said}, name one with --seed, or choose another --out") from error
            seed = seeds.new()
        atomic_write.write(path, f"{seed}\n")
        return seed

    def _lock(self, until: float) -> None:
        """Hold a lock as long as this process lives or until `close`; `kill -9` frees it too."""
        self._held = open(self.folder / ".lock", "w")  # noqa: SIM115 -- closed in close()
        if fcntl is None:
            return
        while True:
            try:
                fcntl.flock(self._held, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            except OSError as error:
                if time.monotonic() < until:
                    time.sleep(0.05)
                    continue
                self._held.close()
                busy = f"{self.folder}: another batch is writing here; wait for it or choose another --out"
                raise CourseError(busy) from error

    def close(self) -> None:
        """Let another batch write here."""
        self.free_room()
        self._held.close()


@dataclasses.dataclass(frozen=True)
class Change:
    """A student's line before and after a regrade. `why` names what differed: source, suites, solutions, torch, ..."""

    student: str
    before: tuple[float, float]
    after: tuple[float, float]
    exercises: tuple[tuple[str, float | None, float | None], ...]
    why: tuple[str, ...]


@dataclasses.dataclass(frozen=True)
class Regrade:
    """The number of students graded again and the time (local, ISO 8601), and those whose points changed."""

    when: str
    compared: int
    changes: tuple[Change, ...]


def changes(before: Mapping[str, Row], outcomes: Iterable[Row | Fault]) -> Regrade:
    """Return the differences between the lines `before` a regrade and its outcomes, the greatest losses first."""
    pairs = [(before[o.student], o) for o in outcomes if isinstance(o, Row) and o.student in before]
    found = [_change(old, new) for old, new in pairs if _points(old) != _points(new)]
    now = datetime.datetime.now().astimezone().isoformat(timespec="minutes")
    return Regrade(now, len(pairs), tuple(sorted(found, key=lambda c: (c.after[0] - c.before[0], c.student))))


def unasked(before: Mapping[str, Row], after: Iterable[Row]) -> dict[str, Row]:
    """Return the earlier lines of students whose points changed although they handed in nothing new."""
    pairs = [(before[new.student], new) for new in after if new.student in before]
    return {
        old.student: old
        for old, new in pairs
        if any(score != new.scores[id] for id, score in old.scores.items() if id in new.scores)
        and "source" not in reasons(old, new)
    }


def _points(row: Row) -> tuple[object, ...]:
    return row.score, row.max_score, dict(row.scores)


def _change(old: Row, new: Row) -> Change:
    ids = dict.fromkeys([*old.scores, *new.scores])
    moved = tuple((i, old.scores.get(i), new.scores.get(i)) for i in ids if old.scores.get(i) != new.scores.get(i))
    return Change(
        student=new.student, before=(old.score, old.max_score), after=(new.score, new.max_score), exercises=moved,
        why=tuple(reasons(old, new)),
    )  # fmt: skip


def keep(results: Path, outcomes: Sequence[Row | Fault], before: Mapping[str, Row]) -> None:
    """Write the results of this batch; `before` are the lines before a regrade, empty for none.

    Raises:
        MachineError: a file cannot be written.
    """
    atomic_write.write_data(results / FAULTS, [o for o in outcomes if isinstance(o, Fault)])
    if before:
        atomic_write.write_data(results / REGRADE, changes(before, outcomes))
    else:
        (results / REGRADE).unlink(missing_ok=True)  # it would tell of an older one


def faults(results: Path) -> list[Fault]:
    """Return the submissions that the last batch could not grade."""
    return atomic_write.read_data(results / FAULTS, list[Fault], [], REMEDY)


def regrade(results: Path) -> Regrade | None:
    """Return the changes of the last regrade, None if there was none."""
    found: Regrade | None = atomic_write.read_data(results / REGRADE, Regrade | None, None, REMEDY)  # type: ignore[arg-type] # a union is a type too
    return found
