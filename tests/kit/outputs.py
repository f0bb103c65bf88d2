"""Everything that is written for people, made from reports in one go: each output by its name."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from screens import on_screen
from support import ROOT

from grader.course.course import Course
from grader.course.suite_texts import SuiteTexts
from grader.integrations import exports
from grader.integrations.notebook import Checked
from grader.rendering.pages import class_page, pages
from grader.rendering.terminal import batch_progress, class_table
from grader.report.report import Report
from grader.report.summary import Fault, Row, table

sys.path.append(str(ROOT / "grader" / "authoring" / "kit"))  # where they run they are scripts beside each other
autograder, markdown_report = map(importlib.import_module, ("autograder", "markdown_report"))


def outputs(given: Sequence[Report], faults: Sequence[Fault], course: Course, folder: Path) -> dict[str, str]:
    """What stands in a report, on a page, in a table, an export, a notebook, a terminal and a log on GitHub."""
    reports = folder / "reports"
    reports.mkdir(parents=True)
    found: dict[str, str] = {}
    for number, report in enumerate(given):
        text = report.to_json()
        (reports / f"student{number}.json").write_text(text, encoding="utf-8")
        plain = json.loads(text)
        checked = Checked(report, course, "en")
        found |= {
            f"report {number}": text,
            f"page {number}": pages.student_page(report, course, "en"),
            f"notebook, HTML {number}": checked._repr_html_(),
            f"notebook, text {number}": repr(checked),
            f"summary on GitHub {number}": markdown_report.table(plain),
            f"Classroom {number}": json.dumps(autograder.result(plain)),
            f"terminal {number}": _terminal(report, course),
        }
    rows = [Row.of(report, "en") for report in given]
    outcomes = [*rows, *faults]
    (folder / "faults.json").write_text(json.dumps([vars(f) for f in faults]), encoding="utf-8")
    found["class page"] = class_page.write(folder, course, SuiteTexts({}, {}), "en").read_text(encoding="utf-8")
    found["summary"] = table(rows, ["scale", "pair"])
    screen, out = on_screen(force_terminal=False)
    class_table.class_table(screen, outcomes, {"basics": ["scale", "pair"]})
    found["terminal, class"] = out.getvalue()
    said: list[str] = []
    list(batch_progress.lines(iter(outcomes), len(outcomes), said.append))
    list(batch_progress.json_lines(iter(outcomes), said.append))
    found["terminal, progress"] = "\n".join(said) + "\n"
    entries = [
        exports.Exported(r, f"student{n}", {"name": r.student}, r.score, {e.id: e.score for e in r.exercises})
        for n, r in enumerate(given)
    ]
    titles = {"scale": "Scale", "pair": "Pair"}
    for name, export in exports.FORMATS.items():
        files = export(entries, exports.Columns("Total", titles, 6.0, {"scale": 4.0, "pair": 2.0}))
        found |= {f"export {name}, {file}": text for file, text in files}
    return found | _nbgrader(given)


def _terminal(report: Report, course: Course) -> str:
    screen, out = on_screen(force_terminal=False)
    screen.overview(report, course)
    screen.details(report, course)
    return out.getvalue()


def _nbgrader(given: Sequence[Report]) -> dict[str, str]:
    """The graded notebook and its comments; nothing where nbgrader is not installed."""
    try:
        from grader.intake.notebooks import Cell, Notebook
        from grader.integrations.nbgrader.graded_notebook import Released, graded
    except ImportError:
        return {}
    work = Released("scale-solution", "code", "", None, locked=False, solution=True, task=False, points=None)
    mark = Released("scale", "code", "", None, locked=True, solution=False, task=False, points=4.0)
    cells = (Cell("code", "def scale(): ...", "scale-solution"),)
    found = {}
    for number, report in enumerate(given):
        done = graded(report, Notebook("scale", cells), {"scale-solution": work, "scale": mark}, "en")
        found[f"graded notebook {number}"] = json.dumps(done.nb, ensure_ascii=False)
        found[f"nbgrader's comments {number}"] = "\n".join(done.comments.values())
    return found
