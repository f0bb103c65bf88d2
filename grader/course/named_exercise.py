"""Finds the exercise that a person names by its file, its function, one of its questions, or in another case."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from grader.course.settings import Exercise


def meant(said: str, exercises: Sequence[Exercise], suites: Sequence[Path]) -> Exercise | None:
    """Return the exercise that fits, if only one does; `suites` are the exercises' own, in the same order."""
    name = bare(said)
    found = [e for e in exercises if e.id.lower() == name.lower()]
    found = found or [e for e in exercises if name in e.functions]
    if not found and name.isidentifier():
        asked = re.compile(rf"^def {name}\(|\basked\(\s*[\"']{name}[\"']", re.MULTILINE)
        pairs = zip(exercises, suites, strict=True)
        found = [e for e, suite in pairs if e.kind == "questions" and asked.search(_text(suite))]
    return found[0] if len(found) == 1 else None


def bare(said: str) -> str:
    """Return the name in the path of a file."""
    return re.sub(r"\.(py|ipynb)$", "", re.split(r"[/\\]", said.strip())[-1], flags=re.IGNORECASE).replace("-", "_")


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError:
        return ""
