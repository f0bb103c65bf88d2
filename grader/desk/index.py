"""Facts about each report that the pages need, kept in memory; a report that changed on disk is read again."""

from __future__ import annotations

import array
import dataclasses
import math
import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from grader.course import Course, LatePenalty, total
from grader.integrations.essays import EssayAnswer, answers
from grader.report import (
    Check,
    Decision,
    Report,
    class_tally,
    decisions,
    graded_with,
    in_parts,
    oral_exam,
    record,
)
from grader.report.report import ExerciseReport
from grader.texts import Text

FEW = 5  # who pass, and who fail, before it means anything how good they are
BACKWARDS = -0.1  # a discrimination from which on good students fail a check and weak ones pass it

Key = tuple[str, str]  # an exercise, and a function of its suite or a question


@dataclasses.dataclass
class ItemAnalysis:
    """A check in all its variants as the class met it, of those who had begun; sums, to which students come and go.

    `rest` are the points of a student without those of this check: what it is compared with.
    """

    exercise: str
    id: str
    title: Text
    runs: int = 0
    failures: int = 0
    seconds: float = 0.0
    rest: float = 0.0
    squares: float = 0.0
    of_failures: float = 0.0

    def count(self, failed: bool, rest: float, seconds: float, sign: int) -> None:
        """One student comes, or goes (`sign` -1)."""
        self.runs += sign
        self.failures += sign * failed
        self.seconds += sign * seconds
        self.rest += sign * rest
        self.squares += sign * rest * rest
        self.of_failures += sign * rest * failed

    @property
    def difficulty(self) -> float:
        """The share of those who fail it."""
        return self.failures / self.runs if self.runs else 0.0

    @property
    def discrimination(self) -> float | None:
        """The correlation of passing it with the rest of the points, -1 to 1; None where too few pass or fail."""
        if min(self.failures, self.runs - self.failures) < FEW:
            return None
        share = self.difficulty
        spread = self.squares / self.runs - (self.rest / self.runs) ** 2
        if spread <= 1e-9:
            return None
        together = share * self.rest / self.runs - self.of_failures / self.runs
        return together / math.sqrt(spread * share * (1 - share))

    @property
    def backwards(self) -> bool:
        """True if good students tend to fail the check and weak ones to pass it."""
        found = self.discrimination
        return found is not None and found < BACKWARDS


@dataclasses.dataclass(frozen=True, slots=True)
class StudentFacts:
    """One report in short. `made` are the mistakes with what each costs; `counts` the points that lateness leaves;
    `alike` tells, by exercise, which failures without a named mistake are the same; `oral` counts the questions that
    were answered in the oral exam.

    `ran`, `failed`, `rests` and `seconds` are of the same checks.
    """

    id: str
    name: str
    file: str
    status: str
    score: float
    max_score: float
    counts: float
    late: float | None
    edited: bool
    states: Mapping[str, str]
    made: Mapping[Key, float]
    alike: Mapping[str, str]
    oral: int
    answers: tuple[EssayAnswer, ...]
    ran: tuple[Key, ...]
    failed: bytes
    rests: array.array[float]
    seconds: array.array[float]

    @property
    def waiting(self) -> int:
        """The number of answers without points so far."""
        return sum(a.points is None for a in self.answers)


class Index:
    """The class. Whoever asks for something calls `refresh` first."""

    def __init__(self, results: Path, course: Course) -> None:
        self._results, self._course, self._lock = results, course, threading.Lock()
        self._stamps: dict[str, tuple[int, int]] = {}
        self._by_file: dict[str, StudentFacts] = {}
        self._written: object = "never"
        self._graded: object = None
        self._asked: object = None
        self._code = {e.id for e in course.exercises if e.kind != "questions"}
        self.sheets: Mapping[str, int] = {}
        self._layouts: dict[tuple[Key, ...], tuple[Key, ...]] = {}
        self._people: Mapping[str, Mapping[str, str]] = {}
        self.penalty: LatePenalty = LatePenalty()
        self.students: dict[str, StudentFacts] = {}
        self.checks: dict[Key, ItemAnalysis] = {}
        self.messages: dict[Key, Text] = {}
        self.failures: dict[Key, Check] = {}
        """What is seen first of those who fail alike, by exercise and likeness."""
        self.damaged: dict[str, str] = {}

    def refresh(self) -> None:
        """Read what has changed. Raises MachineError: what the folder was graded with cannot be read."""
        with self._lock:
            if (written := _stamp(self._results / record.FILE)) != self._written:
                self._read_record()
                self._written = written
            with os.scandir(self._results / "reports") as entries:
                found = {e.name: (e.stat().st_mtime_ns, e.stat().st_size) for e in entries if e.name.endswith(".json")}
            gone, changed = self._stamps.keys() - found.keys(), found.items() - self._stamps.items()
            for name in gone:
                self._forget(name)
            for name, _ in changed:
                self._read(name)
            self._stamps = found
            if gone or changed:
                self.students = {s.id: s for s in sorted(self._by_file.values(), key=lambda s: s.id)}

    def _read_record(self) -> None:
        """Read anew what lies in the record beside the decisions, where it has changed."""
        if (graded := record.stamp(self._results, *graded_with.KINDS)) != self._graded:
            found = graded_with.read(self._results)
            self._people, self.penalty = found.people, found.penalty(self._course)
            self._graded, self._stamps = graded, {}
        if (sheets := record.stamp(self._results, oral_exam.SHEETS)) != self._asked:
            self.sheets, self._asked = oral_exam.lengths(self._results), sheets

    def mistakes(self) -> list[tuple[Key, int, float]]:
        """Each mistake that was made, by how many, and what it costs them together, the most frequent first."""
        found: dict[Key, list[float]] = {}
        for student in self.students.values():
            for key, cost in student.made.items():
                found.setdefault(key, []).append(cost)
        return sorted(((k, len(c), total(c)) for k, c in found.items()), key=lambda m: (-m[1], m[0]))

    def who_made(self, mistake: Key) -> list[StudentFacts]:
        """Everyone who made it."""
        return [s for s in self.students.values() if mistake in s.made]

    def who_failed(self, check: Key) -> list[StudentFacts]:
        """Everyone who had begun and fails it."""
        return [s for s in self.students.values() if check in s.ran and s.failed[s.ran.index(check)]]

    def unnamed(self) -> list[tuple[Key, list[StudentFacts]]]:
        """Those who fail in the same way where no mistake is named, the most first."""
        found: dict[Key, list[StudentFacts]] = {}
        for student in self.students.values():
            for key in student.alike.items():
                found.setdefault(key, []).append(student)
        return sorted(found.items(), key=lambda f: (-len(f[1]), f[0]))

    def unexamined(self) -> list[str]:
        """The students with questions of the oral exam that have no points so far."""
        return [s for s, n in sorted(self.sheets.items()) if s in self.students and self.students[s].oral < n]

    def about(self, decision: Decision) -> list[str]:
        """The students whose reports a decision may change."""
        if decision.student:
            return [decision.student] if decision.student in self.students else []
        exercise, students = decision.exercise, self.students.values()
        if decision.without:
            return [s.id for s in students if (exercise, decision.without) in s.ran]
        alike = (s.id for s in students if decision.alike and s.alike.get(exercise) == decision.alike)
        return list(dict.fromkeys([*(s.id for s in self.who_made((exercise, decision.mistake))), *alike]))

    def answers(self) -> Iterator[tuple[StudentFacts, EssayAnswer]]:
        """All answers in sentences."""
        return ((s, a) for s in self.students.values() for a in s.answers)

    def _forget(self, name: str) -> None:
        self.damaged.pop(name, None)
        if old := self._by_file.pop(name, None):
            self._count(old, -1)

    def _read(self, name: str) -> None:
        self._forget(name)
        path = self._results / "reports" / name
        found = class_tally.report(path)
        if isinstance(found, str):
            self.damaged[name] = found
            return
        self._by_file[name] = student = self._short(found, path.stem)
        self._count(student, 1)

    def _count(self, student: StudentFacts, sign: int) -> None:
        for key, failed, rest, seconds in zip(student.ran, student.failed, student.rests, student.seconds, strict=True):
            self.checks[key].count(bool(failed), rest, seconds, sign)

    def _short(self, report: Report, file: str) -> StudentFacts:
        begun = [e for e in report.exercises if e.state not in ("unstarted", "missing") and e.id != oral_exam.ID]
        graded = report.on(map(decisions.as_graded, report.exercises))
        rows = [row for e in graded.exercises if e.id in {b.id for b in begun} for row in self._checks(e)]
        scores = {e.id: e.score for e in report.exercises}
        counts, late = self.penalty(report.student, scores)
        for e in report.exercises:
            self.messages |= {(e.id, d.misconception): d.message for d in e.diagnoses}
        made = {
            (e.id, d.misconception): decisions.charged(e, d.misconception) or 0.0 for e in begun for d in e.diagnoses
        }
        alike = {e.id: self._likeness(e) for e in begun if e.id in self._code and decisions.unnamed(e)}
        ran = tuple(key for key, _, _, _ in rows)
        return StudentFacts(
            report.student, self._people.get(report.student, {}).get("name", ""), file, report.status, report.score,
            report.max_score, counts, round(late / 3600, 2) if late and late > 0 else None, not report.sums_up,
            {e.id: e.state for e in report.exercises}, made, alike,
            sum(len(e.checks) for e in report.exercises if e.id == oral_exam.ID),
            answers(report, report.student),
            self._layouts.setdefault(ran, ran), bytes(failed for _, failed, _, _ in rows),
            array.array("f", [graded.score - points for _, _, points, _ in rows]),
            array.array("f", [seconds for _, _, _, seconds in rows]),
        )  # fmt: skip

    def _likeness(self, exercise: ExerciseReport) -> str:
        found = decisions.likeness(exercise)
        failed = decisions.unnamed(exercise)
        chief = next((c for c in failed if c.id == exercise.chief), failed[0])
        self.failures[exercise.id, found] = chief
        return found

    def _checks(self, exercise: ExerciseReport) -> Iterator[tuple[Key, bool, float, float]]:
        """Each check that ran: whether it failed in one of its variants, its points, its seconds."""
        found: dict[str, list[float]] = {}
        for check in exercise.checks:
            if check.verdict != "skipped":
                name = in_parts(check.id)[0]
                self.checks.setdefault((exercise.id, name), ItemAnalysis(exercise.id, name, check.title))
                sums = found.setdefault(name, [0, 0.0, 0.0])
                sums[0] += check.failed
                sums[1] += check.points
                sums[2] += check.seconds
        for name, (failed, points, seconds) in found.items():
            yield (exercise.id, name), failed > 0, points, seconds


def _stamp(path: Path) -> object:
    try:
        found = path.stat()
    except OSError:
        return ()
    return found.st_mtime_ns, found.st_size


def matching(students: Sequence[StudentFacts], wanted: str) -> list[StudentFacts]:
    """Those whose id or name holds these words."""
    words = wanted.casefold().split()
    return [s for s in students if all(w in f"{s.id} {s.name}".casefold() for w in words)]
