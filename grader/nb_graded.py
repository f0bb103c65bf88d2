"""A student's notebook as nbgrader is to keep it: the released cells in order again, with scores and reasons."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output, new_raw_cell

from grader.course import SHEET
from grader.notebooks import Cell, Notebook, work_cell
from grader.report import Check, ExerciseReport, Report, total
from grader.summary import started
from grader.words import Text

RETURNED = Text("The cell `{cell}` was missing here; this is an empty one.", "单元格 `{cell}` 缺失；此处是空白的。")
DAMAGED = Text("This hand-in could not be read:", "无法读取这份提交：")
TWICE = Text(
    "The cell {cell} is in the notebook {count} times; the last one was graded.",
    "单元格 {cell} 在笔记本中出现了 {count} 次；评分的是最后一个。",
)
POINTS = Text("{score:g} of {most:g} points", "得 {score:g} 分，满分 {most:g} 分")
ALL_PASSED = Text("All checks passed.", "所有检查均通过。")
STOP = Text(".", "。")
NOT_STARTED = Text("Not started.", "尚未开始。")
FAILED = Text("{failed} of {all} checks failed.", "{all} 项检查中有 {failed} 项未通过。")
PRINTED = Text("your code printed:", "你的代码输出了：")
SIGNS = {"passed": "✔", "skipped": "-"}


@dataclasses.dataclass(frozen=True)
class Released:
    """One cell as nbgrader released it. `points` is None where it is worth none; `task` is nbgrader's word."""

    id: str
    kind: str
    source: str
    checksum: str | None
    locked: bool
    solution: bool
    task: bool
    points: float | None

    def marks(report: Report, released: Mapping[str, Released], lang: str) -> dict[str, Mark]:
    """The mark of each exercise that has a grade cell in this notebook."""
    cells = [(exercise, released.get(exercise.id)) for exercise in report.exercises]
    return {e.id: _mark(e, cell.points, lang) for e, cell in cells if cell and cell.points is not None}


def _mark(report: ExerciseReport, points: float, lang: str) -> Mark:
    """An exercise's report as a mark out of `points`; what was skipped costs nothing."""
    share = report.score / report.max_score if report.max_score else None
    lines = [f"{report.id}: {_points(report, lang)}"]
    if report.reason and not report.checks:
        lines += report.reason.splitlines()
    for _, same in itertools.groupby(report.checks, lambda c: (c.title, c.verdict)):
        lines += _check(list(same))
    lines += [f"→ {line}" for d in report.diagnoses for line in d.message.splitlines()]
    if report.stdout:
        lines += [PRINTED.to(lang), *(f"  {line}" for line in report.stdout.splitlines())]
    return Mark(None if share is None else round(points * share, 4), "\n".join(lines) + "\n")


def _points(report: ExerciseReport, lang: str) -> str:
    return POINTS.format(score=report.score, most=report.max_score).to(lang)


def _check(same: Sequence[Check]) -> Iterable[str]:
    """Checks that differ only in dtype or device in a line, and the first one's reason."""
    labels = ", ".join(filter(None, (c.id.partition("[")[2].rstrip("]") for c in same)))
    score, most, first = total(c.points for c in same), total(c.max_points for c in same), same[0]
    yield f"{SIGNS.get(first.verdict, '✘')} {score:g} / {most:g}  {first.title}" + (f"  [{labels}]" if labels else "")
    if first.verdict != "passed":
        yield from (f"      {line}" for line in first.reason.splitlines())


def comments(report: Report, released: Mapping[str, Released], found: Notebook, lang: str) -> dict[str, str]:
    """What is said about each cell with a student's work: how an exercise went; for a person, the rubric."""
    said: dict[str, list[str]] = {}
    for exercise in report.exercises:
        cell = next((c for c in (work_cell(exercise.id), work_cell(SHEET)) if c in released), None)
        if cell and exercise.id in released:
            said.setdefault(cell, []).append(_comment(exercise, found, cell, lang))
        by_hand = {f"{exercise.id}-{c.id}": c.reason for c in exercise.checks if c.verdict == "skipped"}
        said |= {cell: [_quoted(rubric)] for cell, rubric in by_hand.items() if cell in released}
    return {cell: "\n\n".join(parts) for cell, parts in said.items()}


def _comment(report: ExerciseReport, found: Notebook, cell: str, lang: str) -> str:
    """The comment in Markdown. What may come from the student's program is indented, so that it is shown as it is."""
    name = "" if cell == work_cell(report.id) else f"{report.id}: "
    head, reasons = [f"{name}{_points(report, lang)}{STOP.to(lang)}"], [report.reason or ""]
    if not started(report):
        head, reasons = [*head, NOT_STARTED.to(lang)], []
    elif report.checks:
        failed = sum(c.verdict not in ("passed", "skipped") for c in report.checks)
        count = FAILED.format(failed=failed, all=len(report.checks)) if failed else ALL_PASSED
        head, reasons = [*head, count.to(lang)], [*reasons, *(f"→ {d.message}" for d in report.diagnoses)]
    if earlier := found.earlier(cell):
        head.append(TWICE.format(cell=cell, count=len(earlier) + 1).to(lang))
    parts = [(" " if lang == "en" else "").join(head), _quoted("\n".join(filter(None, reasons)))]
    return "\n\n".join(filter(None, parts))


def _quoted(text: str) -> str:
    """A text as a Markdown code block: nothing in it is taken for markup."""
    return "\n".join(f"    {line}" for line in _storable(text).splitlines())
