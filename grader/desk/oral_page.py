"""The oral exam at the desk: one question about one student's code at a time, with points by keyboard."""

from __future__ import annotations

from collections.abc import Mapping

from grader.desk.desk import Desk
from grader.desk.views import DeskViews, paged
from grader.rendering.pages import pages as html
from grader.report import Check, oral_exam, unguarded
from grader.report.oral_exam import LETTERS, OralSheet
from grader.texts import NOTHING, Text
from grader.viva import points_table

STEPS = [n * points_table.STEP for n in range(int(points_table.WORTH / points_table.STEP) + 1)]


class OralPage:
    """Makes the pages, and takes the points that they ask for."""

    def __init__(self, desk: Desk, views: DeskViews) -> None:
        self._desk, self._views = desk, views

    def overview(self, number: int) -> str:
        """Everybody who has a sheet: how many of its questions have points."""
        index = self._desk.index
        asked = [(index.students[s], count) for s, count in sorted(index.sheets.items()) if s in index.students]
        waiting = self._desk.index.unexamined()
        return self._views.page(
            "desk_orals.html", listed=paged(asked, number), waiting=len(waiting), first=next(iter(waiting), "")
        )

    def question(self, student: str, number: int, trouble: Text = NOTHING, typed: Mapping[str, str] = {}) -> str | None:
        """Return the page of a question, counted from 1; 0 for the first that waits. None where there is none."""
        sheet = self._sheet(student)
        if sheet is None or not 0 <= number <= max(1, len(sheet.questions)):
            return None
        given = self._given(student)
        left = [n for n in range(1, len(sheet.questions) + 1) if n not in given]
        number = number or next(iter(left), 1)
        order = self._desk.index.unexamined()
        return self._views.page(
            "desk_oral.html", student=self._desk.index.students[student], sheet=sheet, number=number, given=given,
            asked=sheet.questions[number - 1] if sheet.questions else None, letters=LETTERS, steps=STEPS,
            coloured=html.coloured, most=points_table.WORTH, left=len(left), trouble=trouble, typed=typed,
            other=self._other(sheet, number, given), following=next((s for s in order if s != student), ""),
        )  # fmt: skip

    def mark(self, student: str, number: int, form: Mapping[str, str]) -> tuple[str, int]:
        """Take points, or the letters that were chosen; without either the question waits again. The next question.

        Raises:
            ValueError: what was typed makes no sense; the message says why.
            GraderError: it cannot be written.
        """
        sheet = self._sheet(student)
        if sheet is None or not 1 <= number <= len(sheet.questions):
            raise ValueError(f"{student} has no question {number}")
        typed = {name: form.get(name, "").strip() for name in ("given", "points", "comment")}
        line = points_table.line_of(sheet, number, self._desk.lang) | typed
        _, _, answered = points_table.answered(line, [student])
        self._desk.examine(student, number, answered)
        given = {*self._given(student), number}
        order = [*range(number + 1, len(sheet.questions) + 1), *range(1, number)]
        following = next((n for n in order if n not in given), 0) if answered else number
        return (
            (student, following)
            if following
            else (next((s for s in self._desk.index.unexamined() if s != student), ""), 0)
        )

    def _sheet(self, student: str) -> OralSheet | None:
        return oral_exam.sheet(self._desk.results, student) if student in self._desk.index.students else None

    def _other(self, sheet: OralSheet, number: int, given: Mapping[int, Check]) -> Text:
        """Return the question that points were given for, if it is not the one of this sheet."""
        if number not in given:
            return NOTHING
        languages = self._desk.course.settings.languages
        said = {unguarded(points_table.line_of(sheet, number, lang)["text"]) for lang in languages}
        title = given[number].title
        return NOTHING if title.to(self._desk.lang) in said else title

    def _given(self, student: str) -> dict[int, Check]:
        """Return the checks of the oral exam in the student's report, by their question."""
        report = self._desk.report(student)
        found = (c for e in report.exercises if e.id == oral_exam.ID for c in e.checks) if report else ()
        return {int(c.id): c for c in found}
