"""Makes the notebook that nbgrader keeps for a student: the released cells in order, with scores and reasons."""

from __future__ import annotations

import dataclasses
import itertools
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from grader.course import SHEET, rounded
from grader.intake import Cell, Notebook, work_cell
from grader.integrations.nbgrader.safe_markdown import harmless, quoted, storable
from grader.report import Check, ExerciseReport, Report, in_parts, total
from grader.texts import WITHOUT_SPACES, translated

RETURNED = translated("The cell `{cell}` was missing here; this is an empty one.")
DAMAGED = translated("This submission could not be read:")
TWICE = translated("The cell {cell} is in the notebook {count} times; the last one was graded.")
POINTS = translated("{score:g} of {most:g} points")
STOP = translated(".")
ALL_PASSED = translated("All checks passed.")
NOT_STARTED = translated("Not started.")
FAILED = translated("{failed} of {all} checks failed.")
PRINTED = translated("your code printed:")
_HIDDEN = re.compile(r"\n?[^\n]*BEGIN HIDDEN TESTS.*?END HIDDEN TESTS[^\n]*", re.DOTALL)  # never for students
SIGNS = {"passed": "✔", "skipped": "-"}


@dataclasses.dataclass(frozen=True)
class Released:
    """One cell as nbgrader released it. `points` is None if it is worth none; `task` is nbgrader's word."""

    id: str
    kind: str
    source: str
    checksum: str | None
    locked: bool
    solution: bool
    task: bool
    points: float | None

    def metadata(self) -> dict[str, Any]:
        """Return nbgrader's marks."""
        marks: dict[str, Any] = {
            "schema_version": 3, "grade_id": self.id, "grade": self.points is not None and not self.task,
            "solution": self.solution, "locked": self.locked, "task": self.task, "cell_type": self.kind,
            "checksum": self.checksum,
        }  # fmt: skip
        return {"nbgrader": marks if self.points is None else {**marks, "points": self.points}}


@dataclasses.dataclass(frozen=True)
class CellResult:
    """The result of one grade cell: points, None if a person has to decide, and the text below it."""

    score: float | None
    output: str


@dataclasses.dataclass(frozen=True)
class Graded:
    """A graded notebook, the marks by grade cell, and the comment on the work by work cell."""

    nb: NotebookNode
    marks: Mapping[str, CellResult]
    comments: Mapping[str, str]


def mended(found: Notebook, released: Mapping[str, Released], lang: str) -> NotebookNode:
    """Return the student's cells in their order, nbgrader's marks as released, and missing cells at the end.

    Anything that would stop nbgrader is removed: wrong marks, duplicate cells, outputs.
    """
    cells = [_text(f"**{DAMAGED.to(lang)}**\n\n{quoted(found.refused.to(lang))}")] if found.refused else []
    for number, cell in enumerate(found.cells):
        counts = cell.id if cell.id in released and found.last(cell.id) == number else None
        cells.append(_marked(released[counts], cell) if counts else _theirs(cell, {}))
    missing = [r for r in released.values() if found.last(r.id) is None]
    for lost in sorted(missing, key=lambda r: (r.id.removesuffix(work_cell("")), not r.solution)):
        notice = [] if found.refused else [_text(f"*{RETURNED.format(cell=lost.id).to(lang)}*")]
        cells += [*notice, _marked(lost, None)]
    return assembled(cells, "cell")


def assembled(cells: Sequence[NotebookNode], named: str) -> NotebookNode:
    """Return a notebook of these cells, with this name and their number as ids: nbformat would draw ids."""
    for number, cell in enumerate(cells):
        cell.id = f"{named}-{number}"
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    nb: NotebookNode = new_notebook(cells=cells, metadata={"kernelspec": kernel, "language_info": {"name": "python"}})
    return nb


def _marked(released: Released, cell: Cell | None) -> NotebookNode:
    if cell is None or released.locked:
        return _new(released.kind, _HIDDEN.sub("", released.source), released.metadata())
    return _theirs(dataclasses.replace(cell, kind=released.kind), released.metadata())


def _theirs(cell: Cell, metadata: dict[str, Any]) -> NotebookNode:
    if cell.kind == "code":
        return _new("code", cell.source, metadata)
    source, pictures = harmless(cell)
    made = _new("markdown", source, metadata)
    if pictures:
        made.attachments = pictures
    return made


def _new(kind: str, source: str, metadata: dict[str, Any]) -> NotebookNode:
    made: NotebookNode = {"code": new_code_cell, "markdown": new_markdown_cell}[kind](
        storable(source), metadata=metadata
    )
    return made


def _text(source: str) -> NotebookNode:
    return _new("markdown", source, {})


def graded(report: Report, found: Notebook, released: Mapping[str, Released], lang: str) -> Graded:
    """Return the notebook with the checks' findings below its grade cells and, last, the number nbgrader takes as
    points.

    A skipped check costs nothing: an exercise's share of what could be checked is its share of the cell's points.
    """
    nb, marks = mended(found, released, lang), {}
    for exercise in report.exercises:
        if (points := released[exercise.id].points if exercise.id in released else None) is not None:
            marks[exercise.id] = _mark(exercise, points, lang)
    for cell in nb.cells:
        mark = marks.get(cell.metadata.get("nbgrader", {}).get("grade_id"))
        if mark and cell.cell_type == "code":
            cell.outputs = [new_output("stream", name="stdout", text=mark.output)]
            if mark.score is not None:
                cell.outputs.append(new_output("execute_result", {"text/plain": repr(mark.score)}, execution_count=1))
            cell.execution_count = 1
    return Graded(nb, marks, _comments(report, released, found, lang))


def _mark(report: ExerciseReport, points: float, lang: str) -> CellResult:
    share = report.score / report.max_score if report.max_score else None
    lines = [f"{report.id}: {_points(report, points, lang)}"]
    if report.reason and not report.checks:
        lines += report.reason.to(lang).splitlines()
    for _, same in itertools.groupby(report.checks, lambda c: (c.title, c.verdict)):
        lines += _check(list(same), lang)
    lines += [f"→ {line}" for d in report.diagnoses for line in report.told(d).to(lang).splitlines()]
    if report.stdout:
        lines += [PRINTED.to(lang), *(f"  {line}" for line in report.stdout.splitlines())]
    return CellResult(None if share is None else rounded(points * share), "\n".join(lines) + "\n")


def _points(report: ExerciseReport, points: float | None, lang: str) -> str:
    """Return the score in the cell's points; if nothing could be checked, in the course's points."""
    most = points if points and report.max_score else report.max_score
    score = rounded(most * report.score / report.max_score) if report.max_score else report.score
    return POINTS.format(score=score, most=most).to(lang)


def _check(same: Sequence[Check], lang: str) -> Iterable[str]:
    """Return one line for checks that differ only in dtype or device, and the first one's reason."""
    labels = ", ".join(filter(None, (in_parts(c.id)[1] for c in same)))
    score, most, first = total(c.points for c in same), total(c.max_points for c in same), same[0]
    sign, title = SIGNS.get(first.verdict, "✘"), first.title.to(lang)
    yield f"{sign} {score:g} / {most:g}  {title}" + (f"  [{labels}]" if labels else "")
    if first.verdict != "passed":
        said = (line for text in (first.reason, first.values) for line in text.to(lang).splitlines())
        yield from (f"      {line}" for line in said)


def _comments(report: Report, released: Mapping[str, Released], found: Notebook, lang: str) -> dict[str, str]:
    """Return the comment on each exercise, by the cell with the student's work; several share the answer sheet."""
    said: dict[str, list[str]] = {}
    for exercise in report.exercises:
        cell = next((c for c in (work_cell(exercise.id), work_cell(SHEET)) if c in released), None)
        if cell and exercise.id in released:
            said.setdefault(cell, []).append(_comment(exercise, found, cell, released[exercise.id].points, lang))
    return {cell: "\n\n".join(parts) for cell, parts in said.items()}


def _comment(report: ExerciseReport, found: Notebook, cell: str, points: float | None, lang: str) -> str:
    """Return the comment in Markdown. Text that may come from the student's program is indented, shown verbatim."""
    name = "" if cell == work_cell(report.id) else f"{report.id}: "
    head, reasons = (
        [f"{name}{_points(report, points, lang)}{STOP.to(lang)}"],
        [report.reason.to(lang) if report.reason else ""],
    )
    if not report.started:
        head, reasons = [*head, NOT_STARTED.to(lang)], []
    elif report.checks:
        failed = len(report.failed)
        count = FAILED.format(failed=failed, all=len(report.checks)) if failed else ALL_PASSED
        head, reasons = [*head, count.to(lang)], [*reasons, *(f"→ {report.told(d).to(lang)}" for d in report.diagnoses)]
    if earlier := found.earlier(cell):
        head.append(TWICE.format(cell=cell, count=len(earlier) + 1).to(lang))
    parts = [
        ("" if lang in WITHOUT_SPACES else " ").join(head),
        quoted("\n".join(filter(None, [*reasons, *(remark.to(lang) for remark in report.remarks)]))),
    ]
    return "\n\n".join(filter(None, parts))
