"""Sums up the reports of a class: the standing of each student, frequent mistakes, failing and slow checks."""

from __future__ import annotations

import dataclasses
import statistics
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from grader.report import oral_exam
from grader.report.feedback import redact
from grader.report.report import Check, ExerciseReport, Picture, Report, in_parts
from grader.report.summary import Row
from grader.texts import NOTHING, Text, one_line


@dataclasses.dataclass(frozen=True)
class Result:
    """One exercise of one student; `mistakes` and `failed` are ids of misconceptions and of checks."""

    status: str
    score: float
    max_score: float
    reason: Text | None
    mistakes: tuple[str, ...]
    failed: tuple[str, ...]


@dataclasses.dataclass(frozen=True)
class StudentResults:
    """One report in short: its line and its exercises; `file` is its file's name without ending."""

    row: Row
    file: str
    results: dict[str, Result]


@dataclasses.dataclass
class ClassMistake:
    """A misconception as the class shows it. `example` is one failure to show in a lecture, without a name."""

    id: str
    message: Text
    exercise: str
    students: list[str] = dataclasses.field(default_factory=list)
    checks: Counter[str] = dataclasses.field(default_factory=Counter)
    example: Text = NOTHING
    picture: Picture | None = None


@dataclasses.dataclass
class CheckFacts:
    """The results of a check in the whole class; times in seconds."""

    exercise: str
    id: str
    title: Text
    runs: int = 0
    failures: int = 0
    seconds: float = 0.0
    longest: float = 0.0
    longest_by: str = ""

    @property
    def function(self) -> str:
        """Return the suite's function, which variants of a check share."""
        return in_parts(self.id)[0]

    @property
    def average(self) -> float:
        return self.seconds / self.runs if self.runs else 0.0


class ClassTally:
    """Takes reports one after another and keeps the data for a page of the class."""

    def __init__(self) -> None:
        self.students: list[StudentResults] = []
        self.mistakes: dict[str, ClassMistake] = {}
        self.checks: dict[tuple[str, str], CheckFacts] = {}
        self.damaged: list[tuple[str, str]] = []
        self.exercises: dict[str, float] = {}

    def add(self, report: Report, file: str) -> None:
        """Count a report that lies in `file`."""
        results = {}
        for exercise in report.exercises:
            self.exercises[exercise.id] = max(self.exercises.get(exercise.id, 0.0), exercise.max_score)
            results[exercise.id] = self._result(report.student, exercise)
        self.students.append(StudentResults(Row.of(report), file, results))

    def _result(self, student: str, exercise: ExerciseReport) -> Result:
        failed = []
        for check in exercise.checks if exercise.id != oral_exam.ID else ():  # there each student's are his own
            facts = self.checks.setdefault(
                (exercise.id, check.id), CheckFacts(exercise.id, check.id, check.title)
            )  # fmt: skip
            facts.runs += 1
            facts.seconds += check.seconds
            if check.seconds > facts.longest:
                facts.longest, facts.longest_by = check.seconds, student
            if check.failed:
                failed.append(check)
        for check in failed:
            self.checks[exercise.id, check.id].failures += exercise.state != "unstarted"
        for diagnosis in exercise.diagnoses:
            found = self.mistakes.setdefault(
                diagnosis.misconception, ClassMistake(diagnosis.misconception, diagnosis.message, exercise.id)
            )
            found.students.append(student)
            found.checks.update(diagnosis.checks)
            if not found.picture:
                _exemplify(found, [c for c in failed if c.id in diagnosis.checks], exercise.reason or NOTHING)
        mistakes = tuple(d.misconception for d in exercise.diagnoses)
        failed_checks = tuple(c.id for c in failed)
        return Result(exercise.state, exercise.score, exercise.max_score, exercise.reason, mistakes, failed_checks)

    def ranked(self) -> list[ClassMistake]:
        """Return the mistakes, the most frequent first."""
        return sorted(self.mistakes.values(), key=lambda m: (-len(m.students), m.id))

    def hardest(self, most: int) -> list[CheckFacts]:
        """Return the checks that most students fail, each in its most failed variant."""
        worst: dict[tuple[str, str], CheckFacts] = {}
        for facts in sorted(self.checks.values(), key=lambda f: -f.failures):
            worst.setdefault((facts.exercise, facts.function), facts)
        return [f for f in worst.values() if f.failures][:most]

    def slowest(self, most: int) -> list[CheckFacts]:
        """Return the checks that took longest in a single run."""
        return sorted(self.checks.values(), key=lambda f: -f.longest)[:most]


def _exemplify(found: ClassMistake, failed: Sequence[Check], otherwise: Text) -> None:
    """Keep the failure that is easiest to show: one with a picture, else the first."""
    drawn = next((c for c in failed if c.picture), None)
    if drawn:
        found.example, found.picture = drawn.reason, drawn.picture
    elif not found.example:
        found.example = otherwise


def reports(folder: Path) -> Iterator[tuple[str, Report | str]]:
    """Yield the reports in a folder by their file's name without ending; a text with the reason for a damaged file."""
    for path in sorted(folder.glob("*.json")):
        yield path.stem, report(path)


def report(path: Path) -> Report | str:
    """A report, or as a text why it is not one."""
    try:
        return Report.from_json(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, TypeError, AttributeError) as error:
        return one_line(str(error), 300)


def read(folder: Path, level: str) -> ClassTally:
    """Return the tally of a folder of reports at this level of feedback; files that are no reports are in `damaged`."""
    tally = ClassTally()
    for name, found in reports(folder):
        if isinstance(found, Report):
            tally.add(redact(found, level), name)
        else:
            tally.damaged.append((f"{name}.json", found))
    tally.students.sort(key=lambda s: s.row.student)
    return tally


def spread(values: Sequence[float]) -> tuple[float, float, float]:
    """Return lower quartile, median and upper quartile."""
    if len(values) < 2:
        only = values[0] if values else 0.0
        return only, only, only
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive")
    return low, middle, high


def bins(shares: Iterator[float] | Sequence[float], count: int) -> list[int]:
    """Return how many shares (0 to 1) fall into each of `count` equal bins; 1 belongs to the last."""
    found = [0] * count
    for share in shares:
        found[min(int(share * count), count - 1)] += 1
    return found
