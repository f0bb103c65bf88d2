"""What grading found, as frozen data: to JSON (format 1) and back, with the score arithmetic."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable
from typing import Any

FORMAT = 1


@dataclasses.dataclass(frozen=True)
class Check:
    """One check's verdict: passed, failed, timeout, crashed, blocked or skipped; points out of max_points."""

    id: str
    title: str
    verdict: str
    points: float
    max_points: float
    reason: str
    seconds: float


@dataclasses.dataclass(frozen=True)
class Diagnosis:
    """The misconception that explains these failed checks."""

    misconception: str
    message: str
    checks: tuple[str, ...]


@dataclasses.dataclass(frozen=True)
class ExerciseReport:
    """One exercise's status: passed, failed, rejected or missing, with its checks."""

    id: str
    status: str
    reason: str | None
    score: float
    max_score: float
    checks: tuple[Check, ...] = ()
    diagnoses: tuple[Diagnosis, ...] = ()
    stdout: str = ""


@dataclasses.dataclass(frozen=True)
class Environment:
    """What graded: versions, each device with "ran" or why it did not, the layers of isolation that were active."""

    kit: str
    python: str
    torch: str
    devices: dict[str, str]
    isolation: tuple[str, ...]


@dataclasses.dataclass(frozen=True)
class Report:
    """One student's result: status is graded or rejected (then `reason` says why)."""

    student: str
    status: str
    reason: str | None
    score: float
    max_score: float
    fingerprint: str
    environment: Environment
    exercises: tuple[ExerciseReport, ...]

    def to_json(self) -> str:
        """The report in format 1."""
        return json.dumps({"format": FORMAT, **dataclasses.asdict(self)}, ensure_ascii=False, indent=1)

    @classmethod
    def from_json(cls, text: str) -> Report:
        """The report that `to_json` wrote.

        Raises:
            ValueError: another format, or not a report.
        """
        try:
            data = json.loads(text)
            if data.pop("format") != FORMAT:
                raise ValueError(f"not a report of format {FORMAT}")
            exercises = tuple(_exercise(e) for e in data.pop("exercises"))
            environment = data.pop("environment")
            isolation = tuple(environment.pop("isolation"))
            return cls(
                **data, exercises=exercises, environment=Environment(**environment, isolation=isolation)
            )  # fmt: skip
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"not a report: {error}") from error


def _exercise(data: dict[str, Any]) -> ExerciseReport:
    checks = tuple(Check(**c) for c in data.pop("checks"))
    diagnoses = tuple(Diagnosis(**{**d, "checks": tuple(d["checks"])}) for d in data.pop("diagnoses"))
    return ExerciseReport(**data, checks=checks, diagnoses=diagnoses)


def total(values: Iterable[float]) -> float:
    """A sum of points without the dust of binary fractions."""
    return round(sum(values), 4)
