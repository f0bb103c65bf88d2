"""The functions of `from grader.notebook import check`: they grade a cell's functions and show the reasons below."""

from __future__ import annotations

import io
import secrets
from pathlib import Path
from typing import Any

from IPython.core.getipython import get_ipython
from IPython.display import display
from rich.console import Console

from grader.batch import kit_version, language
from grader.course import Course, Exercise, file_name
from grader.course import course as courses
from grader.errors import CourseError
from grader.intake import Source, Submission, defining
from grader.integrations import kept_process
from grader.rendering.pages import pages
from grader.rendering.terminal import Screen
from grader.report import Report, redact
from grader.sandbox.processes import RunOptions
from grader.sandbox.worker.notebook_code import gathered
from grader.sandbox.worker.source import first_line

NO_NOTEBOOK = (
    "check() looks at the cells that you ran, so it works in a notebook only; elsewhere use `grader check {id}`"
)
MOST_PRINTED = 12  # lines
NOT_RUN = "no cell that you ran defines {wanted}; run the cell with your work, then check again"


class Checked:
    """A report as a notebook shows it: as HTML if it can, else as text."""

    def __init__(self, report: Report, course: Course, lang: str) -> None:
        self.report = report
        self._course, self._lang = course, lang

    def _repr_html_(self) -> str:
        return pages.fragment(self.report, self._lang, self._course)

    def __repr__(self) -> str:
        shown = io.StringIO()
        screen = Screen(self._lang, Console(file=shown, width=110, force_jupyter=False, color_system=None))
        for exercise in self.report.exercises:
            known = self._course.exercise(exercise.id)
            screen.result(exercise, known)
            drawn = (c for c in (exercise.chief_check, *exercise.failed) if c and c.picture)
            if first := next(drawn, None):
                screen.picture(first, indent=4, view=known.view)
            screen.printed(exercise, MOST_PRINTED)
        return shown.getvalue()


def check(id: str, lang: str | None = None, course: str | Path | None = None, seed: int | None = None) -> None:
    """Show how the exercise `id` would be graded, from the last cell that you ran with its functions.

    Args:
        id: the exercise's id in the course.
        lang: a language of the course; None for that of the system.
        course: the course's folder or one below it.
        seed: repeats a run with the inputs of this seed.

    Raises:
        CourseError: not in a notebook, no such course or exercise, or no cell that defines its functions was run.
    """
    found = courses.find(Path(course) if course else None)
    exercise, lang = found.exercise(id), language(lang, found.settings.languages)
    submission = _submission(found, exercise)
    seed = secrets.randbelow(1 << 31) if seed is None else seed
    pool = kept_process.pool(found, RunOptions(kit=kit_version(), hurried=True))
    whole = redact(Report.from_json(pool.grade(submission, "", seed)), found.settings.feedback)
    display(Checked(whole.on(e for e in whole.exercises if e.id == exercise.id), found, lang))


def show(id: str, course: str | Path | None = None) -> None:
    """Show what would be graded for the exercise `id`: its cell, and the definitions that it needs of other cells.

    Raises:
        CourseError: as for `check`.
    """
    whole = courses.find(Path(course) if course else None)
    exercise = whole.exercise(id)
    submission = _submission(whole, exercise)
    found = submission.sources[exercise.source]
    if not exercise.functions:
        print(found.text)
        return
    cells = submission.cells(found)
    at = sum(number < found.number for number, _ in cells)
    try:
        text, body, _ = gathered(found.text or "", [cell for _, cell in cells], at, exercise.functions)
    except SyntaxError as error:
        print(f"line {error.lineno}: {error.msg}")
        return
    lines = text.splitlines()
    print("\n".join(line for node in body for line in lines[first_line(node) - 1 : node.end_lineno]))


def _submission(course: Course, exercise: Exercise) -> Submission:
    """Return the last cell that ran with the exercise's functions, and the others that ran, in their last run."""
    shell: Any = get_ipython()
    if shell is None:
        raise CourseError(NO_NOTEBOOK.format(id=exercise.id))
    ran: list[str] = shell.history_manager.input_hist_raw
    last = sorted({cell: number for number, cell in enumerate(ran) if cell.strip()}.values())
    work = defining(exercise, course, ran)
    if work is None:
        wanted = ", ".join(exercise.functions) or file_name(exercise.source)
        raise CourseError(NOT_RUN.format(wanted=wanted))
    cells = () if not exercise.functions else tuple((n, ran[n]) for n in last if n != work)
    source = Source(ran[work].replace("%%writefile", "# %%writefile"), path="In", number=work)
    return Submission("", {exercise.source: source}, books=(cells,))
