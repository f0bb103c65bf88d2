"""What a batch leaves behind beside the reports, for the page of the class: its faults, and what a regrade changed."""

from __future__ import annotations

import dataclasses
import datetime
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from grader.disk import write
from grader.errors import MachineError
from grader.summary import Fault, Row, reasons

FAULTS, REGRADE = "faults.json", "regrade.json"


@dataclasses.dataclass(frozen=True)
class Change:
    """A student's line before and after a regrade. `why` names what differed: source, suites, solutions, torch, ..."""

    student: str
    before: tuple[float, float]
    after: tuple[float, float]
    exercises: tuple[tuple[str, float | None, float | None], ...]
    why: tuple[str, ...]
    notable: tuple[str, str]


@dataclasses.dataclass(frozen=True)
class Regrade:
    """How many students were graded again and when (local time, ISO 8601), and those whose points changed."""

    when: str
    compared: int
    changes: tuple[Change, ...]


def changes(before: Mapping[str, Row], outcomes: Iterable[Row | Fault]) -> Regrade:
    """What differs between the lines `before` a regrade and its outcomes, the greatest losses first."""
    pairs = [(before[o.student], o) for o in outcomes if isinstance(o, Row) and o.student in before]
    found = [_change(old, new) for old, new in pairs if _points(old) != _points(new)]
    now = datetime.datetime.now().astimezone().isoformat(timespec="minutes")
    return Regrade(now, len(pairs), tuple(sorted(found, key=lambda c: (c.after[0] - c.before[0], c.student))))


def _points(row: Row) -> tuple[object, ...]:
    return row.score, row.max_score, dict(row.scores)


def _change(old: Row, new: Row) -> Change:
    ids = dict.fromkeys([*old.scores, *new.scores])
    moved = tuple((i, old.scores.get(i), new.scores.get(i)) for i in ids if old.scores.get(i) != new.scores.get(i))
    totals = ((old.score, old.max_score), (new.score, new.max_score))
    return Change(new.student, *totals, moved, tuple(reasons(old, new)), (old.notable, new.notable))


def keep(results: Path, outcomes: Sequence[Row | Fault], before: Mapping[str, Row]) -> None:
    """Write what this batch leaves; `before` are the lines before a regrade, empty for none.

    Raises:
        MachineError: a file cannot be written.
    """
    faults = [o for o in outcomes if isinstance(o, Fault)]
    write(results / FAULTS, json.dumps([dataclasses.asdict(f) for f in faults], ensure_ascii=False, indent=1))
    if before:
        regrade = dataclasses.asdict(changes(before, outcomes))
        write(results / REGRADE, json.dumps(regrade, ensure_ascii=False, indent=1))


def faults(results: Path) -> list[Fault]:
    """The submissions that the last batch could not grade."""
    return [Fault(**entry) for entry in _read(results / FAULTS, [])]


def regrade(results: Path) -> Regrade | None:
    """What the last regrade changed, None if there was none."""
    data = _read(results / REGRADE, None)
    if data is None:
        return None
    found = tuple(Change(**{k: _tuples(v) for k, v in entry.items()}) for entry in data["changes"])
    return Regrade(data["when"], data["compared"], found)


def _read(path: Path, default: Any) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return default
    except (OSError, ValueError) as error:
        raise MachineError(f"{path}: cannot be read: {error}; delete it, or grade again") from error


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value
