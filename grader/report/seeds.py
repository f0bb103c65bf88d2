"""Where the inputs of a run come from: a seed that nobody guesses, and another one for each time a student hands in."""

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
    """A seed that nobody guesses."""
    return secrets.randbits(BITS)


def of(seed: int, attempt: int) -> int:
    """The seed of a student's attempt, which tells nothing of that of another; the first one's is `seed` itself."""
    if not attempt:
        return seed
    return int.from_bytes(hashlib.sha256(f"{seed}:{ATTEMPT} {attempt}".encode()).digest()[: BITS // 8], "big")


def attempt(fingerprint: str, before: str | None) -> int:
    """Which of a student's different submissions this is, from 0; `before` is the last one's fingerprint."""
    if before is None:
        return 0
    last, now = (_words(f) for f in (before, fingerprint))
    number = int(last.get(ATTEMPT, "0"))
    return number if last.get("source") == now.get("source") else number + 1


def numbered(fingerprint: str, attempt: int) -> str:
    """The fingerprint with the number of the attempt, which the inputs depend on."""
    return f"{fingerprint} {ATTEMPT}={attempt}" if attempt else fingerprint


def of_report(path: Path) -> int:
    """The seed of a report where `grader grade` wrote it, RESULTS/reports/STUDENT.json, whatever the student is called.

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
