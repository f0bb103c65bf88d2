"""nbgrader's gradebook: reads an assignment's cells, and writes one student's scores and comments.

Scores go where nbgrader's own autograder puts them, so a person's score, extra credit or comment stays.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from nbgrader.api import Comment, Grade, Gradebook, MissingEntry
from nbgrader.utils import compute_checksum, determine_grade, is_grade, is_solution

from grader.course import Course
from grader.errors import CourseError
from grader.intake import Notebook, Source, Submission, from_notebooks, work_cell
from grader.integrations.nbgrader.graded_notebook import Graded, Released

NO_RESPONSE = "No response."  # as nbgrader says it


@dataclasses.dataclass(frozen=True)
class ReleasedNotebook:
    """One released notebook of an assignment: its cells by id."""

    name: str
    cells: Mapping[str, Released]

    def exercises(self, known: Collection[str]) -> list[str]:
        """Return those of the exercises `known` that have a grade cell here, or one that a person grades."""
        graded = [c.id for c in self.cells.values() if c.points is not None]
        return [e for e in known if any(id == e or id.startswith(f"{e}-") for id in graded)]


def submission(
    sheets: Sequence[ReleasedNotebook],
    found: Sequence[Notebook],
    student: str,
    course: Course,
    others: tuple[str, ...] = (),
) -> Submission:
    """Return a student's notebooks as a submission for an assignment; unasked exercises are not missing.

    Args:
        others: files beside the notebooks that no exercise uses.
    """
    ids = [e.id for e in course.exercises]
    wanted = {course.exercise(i).source for sheet in sheets for i in sheet.exercises(ids)}
    asked = [source for source in wanted if any(work_cell(source) in sheet.cells for sheet in sheets)]
    whole = from_notebooks(student, found, course, asked, others)
    return dataclasses.replace(whole, sources={**whole.sources, **{s: Source("") for s in wanted if s not in asked}})


def sheets(book: Gradebook, assignment: str) -> list[ReleasedNotebook]:
    """Return the notebooks of an assignment, as `nbgrader generate_assignment` stored them.

    Raises:
        CourseError: there is no such assignment.
    """
    try:
        notebooks = book.find_assignment(assignment).notebooks
    except MissingEntry as error:
        known = ", ".join(sorted(a.name for a in book.assignments)) or "none"
        raise CourseError(
            f"the gradebook has no assignment {assignment!r} (it has: {known}); "
            f"run `nbgrader generate_assignment {assignment}` first"
        ) from error
    return sorted((_sheet(notebook) for notebook in notebooks), key=lambda s: s.name)


def sheet(book: Gradebook, assignment: str, name: str) -> ReleasedNotebook:
    """Return one notebook of an assignment. Raises MissingEntry if there is none."""
    return _sheet(book.find_notebook(name, assignment))


def _sheet(notebook: Any) -> ReleasedNotebook:
    solutions = {c.name for c in notebook.solution_cells}
    tasks = {c.name: c.max_score for c in notebook.task_cells}
    points = {c.name: c.max_score for c in notebook.grade_cells} | tasks
    cells = [
        Released(
            c.name, c.cell_type, c.source or "", c.checksum, c.locked, c.name in solutions, c.name in tasks,
            points.get(c.name),
        )
        for c in notebook.source_cells
    ]  # fmt: skip
    return ReleasedNotebook(notebook.name, {cell.id: cell for cell in cells})


def record(book: Gradebook, assignment: str, student: str, name: str, graded: Graded, again: bool) -> None:
    """Store one student's scores for a notebook. The submission exists; storing twice changes nothing.

    Args:
        name: the notebook's name without its ending.
        again: the same submission was graded the same before, so that a person need not look at it once more.
    """
    submitted = book.find_submission_notebook(name, assignment, student)
    released = submitted.notebook
    worth, said = [*released.grade_cells, *released.task_cells], [*released.solution_cells, *released.task_cells]
    grades = _rows(book, Grade, submitted.grades, worth, submitted)
    comments = _rows(book, Comment, submitted.comments, said, submitted)
    for cell in graded.nb.cells:
        if is_grade(cell):
            mark = graded.marks.get(id := cell.metadata.nbgrader.grade_id)
            # What a person grades: nbgrader's rule, 0 where nothing was written, else nothing yet.
            by_hand = determine_grade(cell)[0] if is_solution(cell) and not mark else None
            _grade(grades[id], mark.score if mark else by_hand, again)
        if is_solution(cell):
            id = cell.metadata.nbgrader.grade_id
            untouched = is_grade(cell) and cell.metadata.nbgrader.checksum == compute_checksum(cell)
            comments[id].auto_comment = NO_RESPONSE if untouched else graded.comments.get(id)
    book.db.commit()


def _rows(book: Gradebook, kind: Any, present: Collection[Any], cells: Collection[Any], to: Any) -> dict[str, Any]:
    """Return the submission's rows by cell. nbgrader makes them with the submission; a later cell gets its own now."""
    rows = {row.name: row for row in present}
    new = {c.name: kind(cell_id=c.id, notebook_id=to.id) for c in cells if c.name not in rows}
    book.db.add_all(new.values())
    return rows | new


def _grade(grade: Any, score: float | None, again: bool) -> None:
    """Apply nbgrader's rule to the row: a person looks at it without a score, or with one that a person gave before."""
    changed = grade.auto_score != score
    grade.auto_score = score
    if changed or not again or grade.manual_score is None:
        grade.needs_manual_grade = grade.manual_score is not None or score is None
