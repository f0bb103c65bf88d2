"""What grading found, as frozen data: to JSON (format 1) and back, with the score arithmetic."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable
from typing import Any

FORMAT = 1
Cell = float | str  # a number; what JSON has no number for is "nan", "inf" or "-inf"


@dataclasses.dataclass(frozen=True)
class Picture:
    """Two small matrices to look at side by side: what was due and what came.

    `name` says which result and which of its matrices, `shape` the shape of that whole result. An entry of `actual`
    that is right within its tolerance equals the one of `expected`, so that those that differ are those that are wrong.
    """

    name: str
    shape: list[int]
    expected: list[list[Cell]]
    actual: list[list[Cell]]


@dataclasses.dataclass(frozen=True)
class Check:
    """One check's verdict: passed, failed, timeout, crashed, blocked or skipped; points out of max_points.

    `picture` shows a wrong result, where the course gives full feedback and the result is small.
    """

    id: str
    title: str
    verdict: str
    points: float
    max_points: float
    reason: str
    seconds: float
    picture: Picture | None = None


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
        data = {"format": FORMAT, **dataclasses.asdict(self)}
        for exercise in data["exercises"]:
            for check in exercise["checks"]:
                if check["picture"] is None:
                    del check["picture"]
        return json.dumps(data, ensure_ascii=False, indent=1)

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
    checks = tuple(_check(c) for c in data.pop("checks"))
    diagnoses = tuple(Diagnosis(**{**d, "checks": tuple(d["checks"])}) for d in data.pop("diagnoses"))
    return ExerciseReport(**data, checks=checks, diagnoses=diagnoses)


def _check(data: dict[str, Any]) -> Check:
    picture = data.pop("picture", None)
    return Check(**data, picture=Picture(**picture) if picture is not None else None)


def total(values: Iterable[float]) -> float:
    """A sum of points without the dust of binary fractions."""
    return round(sum(values), 4)
