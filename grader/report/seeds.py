"""Seeds of a run's inputs: one that nobody can guess, and another for each submission of a student."""

from __future__ import annotations

import hashlib
import json
import secrets
from pathlib import Path

from grader.errors import CourseError
from grader.report.report import report_name

BITS = 128
ATTEMPT = "attempt"
FILE = "seed.txt"  # in a RESULTS folder


def new() -> int:
    """Return a seed that nobody can guess."""
    return secrets.randbits(BITS)


def of(seed: int, attempt: int) -> int:
    """Return the seed of a student's attempt, which reveals no other attempt's; the first one's is `seed` itself."""
    if not attempt:
        return seed
    return int.from_bytes(hashlib.sha256(f"{seed}:{ATTEMPT} {attempt}".encode()).digest()[: BITS // 8], "big")


def attempt(fingerprint: str, before: str | None) -> int:
    """Return the number of this one among a student's different submissions, from 0; `before` is the last's
    fingerprint.
    """
    if before is None:
        return 0
    last, now = (_words(f) for f in (before, fingerprint))
    number = int(last.get(ATTEMPT, "0"))
    return number if last.get("source") == now.get("source") else number + 1


def numbered(fingerprint: str, attempt: int) -> str:
    """Return the fingerprint with the number of the attempt, on which the inputs depend."""
    return f"{fingerprint} {ATTEMPT}={attempt}" if attempt else fingerprint


def of_report(path: Path) -> int:
    """Return the seed of a report written by `grader grade`, RESULTS/reports/STUDENT.json, for any student's name.

    Raises:
        CourseError: there is no such report, or it lies elsewhere.
    """
    try:
        there = path if path.is_file() else path.with_name(report_name(path.name.removesuffix(".json")))
        last = _words(json.loads(there.read_text(encoding="utf-8"))["fingerprint"])
        return of(int((path.parent.parent / FILE).read_text(encoding="utf-8")), int(last.get(ATTEMPT, "0")))
    except FileNotFoundError as error:
        raise CourseError(f"{path}: there is no {error.filename}; name RESULTS/reports/STUDENT.json") from error
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise CourseError(f"{path}: is not a report of `grader grade`; name RESULTS/reports/STUDENT.json") from error


def _words(fingerprint: str) -> dict[str, str]:
    return dict(word.partition("=")[::2] for word in fingerprint.split())
