"""What the tests of the kit share beside fixtures: the toy course, reading a report, looking after processes."""

from __future__ import annotations

import contextlib
import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from grader.batch import AUTHORING, ForkServer
from grader.course import COMMON, Course
from grader.report.report import Check, ExerciseReport, Report
from grader.sandbox.processes import DescribedQuestion, RunOptions

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib  # pytest brings it

ROOT = Path(__file__).resolve().parents[2]
TOY = Path(__file__).resolve().parent / "toy"
ENVIRONMENT = {k: os.environ[k] for k in ("PATH", "LD_LIBRARY_PATH", "SYSTEMROOT", "TEMP", "TMP") if k in os.environ}
OPTIONS = RunOptions(device="cpu", kit="test")


def pyproject() -> dict[str, Any]:
    """What pyproject.toml says."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def course_on_the_page(title: str, folder: Path, page: str = "authors") -> None:
    """Write the course that stands below this title of a page for authors into a folder."""
    text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    found = text.partition(f"# {title}\n")[2].partition("\n## ")[0]
    for name, text in re.findall(r"^```\w+\n# (\S+\.\w+)\n(.*?)^```$", found, re.MULTILINE | re.DOTALL):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def questions_of(course: Course) -> Iterator[dict[str, list[DescribedQuestion]]]:
    """All questions of a course, by exercise; for a fixture."""
    with (
        contextlib.closing(ForkServer(ENVIRONMENT, confined=True)) as server,
        contextlib.closing(server.grading_process(course, OPTIONS)) as process,
    ):
        yield process.ask(f"{AUTHORING}:questions", dict[str, list[DescribedQuestion]], 600.0, COMMON)


def exercise(report: Report, id: str) -> ExerciseReport:
    return next(e for e in report.exercises if e.id == id)


def check(found: ExerciseReport, name: str) -> Check:
    """The check whose id begins with `name`."""
    return next(c for c in found.checks if c.id.startswith(name))


def solution(id: str) -> str:
    return (TOY / "solutions" / f"{id}.py").read_text(encoding="utf-8")


def descendants(pid: int) -> set[int]:
    """All living processes below `pid`, as /proc shows them."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                state, parent = (entry / "stat").read_text().rpartition(")")[2].split()[:2]
            except OSError:
                continue
            if state != "Z":
                children.setdefault(int(parent), []).append(int(entry.name))
    found: set[int] = set()
    todo = [pid]
    while todo:
        below = children.get(todo.pop(), [])
        found.update(below)
        todo += below
    return found


def alive(pid: int) -> bool:
    """Whether the process is there and no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_until(condition: Callable[[], bool], seconds: float = 60.0) -> bool:
    """Whether the condition came true: a machine may be busy, so only one that never does is worth the wait."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return condition()
