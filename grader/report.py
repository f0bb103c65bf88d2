"""What grading found, as frozen data: to JSON (format 1) and back, with the score arithmetic."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable
from typing import Any

FORMAT = 1
LEVELS = 4  # report, exercises, exercise, checks
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
        """The report in format 1, a check a line."""
        return _lines({"format": FORMAT, **vars(self)}, LEVELS)

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


def _lines(value: Any, levels: int, before: str = "\n") -> str:
    """The value as JSON, its outer levels spread over lines."""
    value, inside = _plain(value), before + " "
    if not levels or not value or not isinstance(value, dict | list | tuple):
        return _ENCODE(value)
    if isinstance(value, dict):
        parts = [f"{_ENCODE(key)}: {_lines(item, levels - 1, inside)}" for key, item in value.items()]
        return f"{{{inside}{(',' + inside).join(parts)}{before}}}"
    return f"[{inside}{(',' + inside).join(_lines(item, levels - 1, inside) for item in value)}{before}]"


def _plain(value: Any) -> Any:
    """A part of a report as a dict, a picture that is not there left out; anything else as it is."""
    if not dataclasses.is_dataclass(value):
        return value
    return {k: v for k, v in vars(value).items() if k != "picture" or v is not None}


_ENCODE = json.JSONEncoder(ensure_ascii=False, default=_plain).encode


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
