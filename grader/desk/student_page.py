"""A student's page: the code beside its verdict, what was charged and decided, and a call that is made again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from grader.desk.desk import Desk
from grader.desk.essay_marks import group_of
from grader.desk.views import DeskViews
from grader.intake import Submission
from grader.rendering.pages import pages as html
from grader.rendering.pages import student_view
from grader.rendering.pages.lateness import lateness
from grader.report import ExerciseReport, decisions, graded_with, in_parts, oral_exam
from grader.sandbox.processes import ShownSteps
from grader.texts import NOTHING, Text


class StudentPage:
    """Makes the pages of students."""

    def __init__(self, desk: Desk, views: DeskViews) -> None:
        self._desk, self._views, self._course = desk, views, desk.course

    def of(self, student: str, trouble: Text = NOTHING, typed: Mapping[str, str] | None = None) -> str | None:
        """The page of a student; None for nobody. `typed` is what a form held that was not taken."""
        report = self._desk.report(student)
        if report is None:
            return None
        index = self._desk.index
        order = list(index.students)
        here = order.index(student)
        scores = {e.id: e.score for e in report.exercises}
        submission = self._views.submission(student)
        shown = {e.id: self._block(submission, e) for e in report.exercises if e.state != "missing"}
        missing = [e for e in report.exercises if e.state == "missing"]
        return self._views.page(
            "desk_student.html", report=report, known=index.students[student],
            late=lateness(student, scores, self._course, index.penalty),
            parts_of=student_view.by_unit(shown, self._course),
            blocks=[*shown], missing=[(e, student_view.title(self._course, e.id)) for e in missing],
            history=self._views.history(lambda d: d.student == student), earlier=self._desk.earlier(student),
            versions=graded_with.versions(self._desk.results, student),
            before=order[here - 1] if here else "", after=order[here + 1] if here + 1 < len(order) else "",
            trouble=trouble, typed=typed or {}, group_of=group_of,
        )  # fmt: skip

    def _block(self, submission: Submission | Text, exercise: ExerciseReport) -> dict[str, Any]:
        """An exercise as the page shows it."""
        found = student_view.known(self._course, exercise.id)
        reasons = [r for r in (exercise.reason, *(c.reason for c in exercise.failed)) if r]
        lines: list[Any] = []
        why = NOTHING
        if found and found.kind != "questions":
            lines, why = self._views.code(submission, exercise.id, reasons if exercise.failed else [])
        mistakes = [
            {
                "id": d.misconception, "message": exercise.told(d),
                "cost": decisions.charged(exercise, d.misconception),
                "checks": [(in_parts(c.id)[0], c.title) for c in exercise.failed if c.id in d.checks],
            }
            for d in exercise.diagnoses
        ]  # fmt: skip
        return {
            "block": student_view.block(exercise, self._course), "lines": lines, "why": why, "mistakes": mistakes,
            "runs": bool(lines) and bool(found and found.functions), "functions": found.functions if found else (),
            "oral": exercise.id == oral_exam.ID,
        }  # fmt: skip

    def again(self, student: str, exercise: str, call: str, shown: ShownSteps) -> str:
        """Return the page with what a call gave."""
        found = student_view.known(self._course, exercise)
        steps = html.steps_fragment(shown, student_view.view(self._course, exercise), self._course.settings.languages)
        return self._views.page(
            "desk_again.html", student=self._desk.index.students[student], exercise=exercise, call=call, shown=shown,
            title=student_view.title(self._course, exercise), steps=steps, functions=found.functions if found else (),
        )  # fmt: skip
