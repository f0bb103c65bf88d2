"""Everything that is written for people, made from reports in one go: each output by its name."""

from __future__ import annotations

import dataclasses
import importlib
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from screens import on_screen
from support import ROOT

from grader.cli.export import whole_again
from grader.course import IN_TIME, Course
from grader.integrations import exported, exports
from grader.integrations.notebook import Checked
from grader.rendering.pages import class_page, pages
from grader.rendering.terminal import batch_progress, class_table
from grader.report import Report, in_words, redact
from grader.report.summary import Fault, Row, table

sys.path.append(str(ROOT / "grader" / "authoring" / "kit"))  # where they run they are scripts beside each other
autograder, markdown_report = map(importlib.import_module, ("autograder", "markdown_report"))


def outputs(
    given: Sequence[Report], faults: Sequence[Fault], course: Course, folder: Path, lang: str = "en"
) -> dict[str, str]:
    """What stands in a report, on a page, in a table, an export, a notebook, a terminal and a log on GitHub, at the
    course's level of feedback. In `folder` lie the whole reports, as after grading.
    """
    level = course.settings.feedback
    shown = [redact(report, level) for report in given]
    reports = folder / "reports"
    reports.mkdir(parents=True)
    found: dict[str, str] = {}
    for number, (whole, report) in enumerate(zip(given, shown, strict=True)):
        (reports / f"student{number}.json").write_text(whole.to_json(), encoding="utf-8")
        plain = in_words(report, lang)
        checked = Checked(report, course, lang)
        found |= {
            f"report {number}": report.to_json(),
            f"report in words {number}": json.dumps(plain, ensure_ascii=False),
            f"page {number}": pages.student_page(whole, course, lang),
            f"notebook, HTML {number}": checked._repr_html_(),
            f"notebook, text {number}": repr(checked),
            f"summary on GitHub {number}": markdown_report.table(plain),
            f"Classroom {number}": json.dumps(autograder.result(plain)),
            f"terminal {number}": _terminal(report, course, lang),
        }
    rows = [Row.of(report) for report in shown]
    outcomes = [*rows, *faults]
    (folder / "faults.json").write_text(json.dumps([vars(f) for f in faults]), encoding="utf-8")
    found["class page"] = class_page.write(folder, course, lang).read_text(encoding="utf-8")
    found["summary"] = table(rows, ["scale", "pair"], lang)
    screen, out = on_screen(lang, force_terminal=False)
    class_table.class_table(screen, outcomes, {"basics": ["scale", "pair"]})
    found["terminal, class"] = out.getvalue()
    said: list[str] = []
    list(batch_progress.lines(iter(outcomes), len(outcomes), said.append))
    list(batch_progress.json_lines(iter(outcomes), said.append, lang))
    found["terminal, progress"] = "\n".join(said) + "\n"
    return found | _exports(reports, course, lang) | _nbgrader(shown, lang)


def _exports(reports: Path, course: Course, lang: str) -> dict[str, str]:
    level, found = course.settings.feedback, {}
    entries, damaged = exported.collected(reports, IN_TIME, level)
    assert not damaged
    entries = [dataclasses.replace(e, line={"name": e.report.student}) for e in entries]
    columns = exported.columns_for(entries, course, lang, None, each=True, graded=["scale", "pair"])
    for name, export in exports.FORMATS.items():
        files = export(whole_again(entries, reports, level), columns)
        found |= {f"export {name}, {file}": text for file, text in files}
    return found


def _terminal(report: Report, course: Course, lang: str) -> str:
    screen, out = on_screen(lang, force_terminal=False)
    screen.overview(report, course)
    screen.details(report, course)
    for exercise in report.exercises:
        screen.printed(exercise, 12)
    return out.getvalue()


def _nbgrader(given: Sequence[Report], lang: str) -> dict[str, str]:
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
        done = graded(report, Notebook("scale", cells), {"scale-solution": work, "scale": mark}, lang)
        found[f"graded notebook {number}"] = json.dumps(done.nb, ensure_ascii=False)
        found[f"nbgrader's comments {number}"] = "\n".join(done.comments.values())
    return found
