"""Puts back the untouched stub of an exercise, which it finds after an edit, with a numbered backup."""

from __future__ import annotations

import contextlib
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

from grader import atomic_write
from grader.course import Course, stub_languages
from grader.learner import progress
from grader.texts import Text, WithReason, translated

VERSIONS = 20  # of a file's history in git that are looked at
GIT_SECONDS = 10.0

NO_STUB = translated(
    "{file}: no untouched copy of it is known: the course folder is not a git checkout that holds one, and the file "
    "was never checked before it was edited. Copy it from where you got the course. Nothing was changed."
)
WAS_RESET = translated("{file} is the stub again; your work is in {kept}")
WAS_MADE = translated("{file} is there again, untouched")
WAS_STUB = translated("{file} is the stub already; nothing was changed")
REFUSED = translated("{file}: not reset, nothing was changed: {error}")


class NotReset(WithReason):
    """The stub could not be put back; the message gives the learner the reason."""


def candidates(course: Course, id: str) -> Iterator[bytes]:
    """Yield what may be the untouched stub, the likeliest first: versions in git from the newest, then our own copy."""
    name = course.stub(id).relative_to(course.root).as_posix()
    log = _git(course.root, "log", f"--max-count={VERSIONS}", "--format=%H", "--", name)
    for commit in (log or b"").decode("ascii", "replace").split():
        content = _git(course.root, "show", f"{commit}:./{name}")
        if content is not None:
            yield content
    with contextlib.suppress(OSError):
        yield progress.kept_stub(course, id).read_bytes()


def reset(course: Course, id: str, path: Path, untouched: Callable[[str], bool]) -> Text:
    """Put the stub of exercise `id` back at `path`, after a copy of the work there; return the sentence about it.

    Args:
        untouched: returns True for a source that is a stub nobody has begun, as a check finds it.

    Raises:
        NotReset: no untouched stub is known, or a file cannot be read or written. Nothing was changed.
    """
    try:
        work = path.read_bytes() if path.is_file() else None
        stub = next((c for c in dict.fromkeys(candidates(course, id)) if untouched(c.decode("utf-8", "replace"))), None)
        if stub is None:
            raise NotReset(NO_STUB.format(file=path))
        if work in stub_languages.editions(stub, course.settings.languages):
            return WAS_STUB.format(file=path.name)
        kept = progress.backup(course, path.name, work) if work is not None else None
        path.parent.mkdir(exist_ok=True)
        atomic_write.replace(path, stub)
    except OSError as error:
        raise NotReset(REFUSED.format(file=path, error=f"{error.filename}: {error.strerror}")) from error
    if kept is None:
        return WAS_MADE.format(file=path.name)
    return WAS_RESET.format(file=path.name, kept=kept.relative_to(course.root).as_posix())


def _git(folder: Path, *arguments: str) -> bytes | None:
    """Return what git prints; None if there is no git, no checkout or no such version."""
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *arguments], capture_output=True, stdin=subprocess.DEVNULL, timeout=GIT_SECONDS
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None
