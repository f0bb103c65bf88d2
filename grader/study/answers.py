"""Answers to concept questions: what stands on the sheet, what is put there, and which questions come again."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader.course import SHEET, Course, file_name
from grader.learner import Attempts
from grader.learner.progress import Progress
from grader.learner.review import Review
from grader.report import ExerciseReport
from grader.report.report import Check
from grader.sandbox.processes import DescribedQuestion
from grader.study.author import Author, Questions
from grader.study.files import Files, NotOpen
from grader.texts import Text

if TYPE_CHECKING:
    from grader.learner.sheet_writing import SheetWriting

NAME = file_name(SHEET)


class Answers:
    """The answer sheet in the learner's folder."""

    def __init__(
        self, course: Course, folder: Path, files: Files, author: Author, attempts: Attempts, progress: Progress
    ) -> None:
        self._course, self._files, self._author, self._attempts = course, files, author, attempts
        self._progress = progress
        self._review = Review(course, folder)
        self.troubles = self._review.troubles
        self._writing, self._last = threading.Lock(), ""
        self._sheet: tuple[Questions, SheetWriting] | None = None  # which remembers the last sheets that it read
        self._handed_in: set[tuple[str, str]] = set()  # whose verdict has not come yet

    def questions(self) -> Questions:
        """The questions that the sheet asks, by exercise. Raises GraderError."""
        return self._author.questions(self._files.read(NAME).text)

    def given(self, section: str) -> Mapping[str, Any]:
        """Return the answers on the sheet, by the names of the questions of this exercise."""
        text = self._files.read(NAME).text
        asked = self._author.questions(text)
        return {q.name: self._writing_of(asked).given(text, section, q.name) for q in asked.get(section, ())}

    def put(self, section: str, question: str, value: Any, handed_in: bool) -> None:
        """Put an answer on the sheet; `handed_in`: its verdict is asked for, so that it counts as answered today.

        Raises:
            NotOpen: the sheet cannot be written, or has no place for it.
            GraderError: the questions are not known.
        """
        self.questions()  # made now, so that no save has to wait for it
        with self._writing:
            done = self._files.change(NAME, lambda text: self._with(text, section, question, value))
            self._last = done.revision
        if handed_in:
            self._handed_in.add((section, question))

    def is_last(self) -> bool:
        """Return True if the sheet is as our last answer left it, so nobody else has changed it."""
        with self._writing:  # so that what is being put there counts as put
            try:
                return self._files.read(NAME).revision == self._last
            except NotOpen:
                return False

    def noted(self, report: ExerciseReport) -> None:
        """Answers that were handed in have their verdicts: when their questions come again follows."""
        for check in report.checks:
            if (report.id, check.id) in self._handed_in:
                self._handed_in.discard((report.id, check.id))
                self._note(report.id, check)

    def due(self) -> list[tuple[str, Text, DescribedQuestion]]:
        """Up to three questions of earlier units: exercise, the unit's title, question. Raises GraderError."""
        asked = self.questions()
        following = [e.id for e in self._progress.standings().open_now()[:1]]
        known = {section: [q.name for q in found] for section, found in asked.items()}
        titles = {e.id: unit.title for unit in self._course.path for e in unit.exercises}
        return [
            (section, titles[section], next(q for q in asked[section] if q.name == name))
            for section, name in self._review.due(known, (following or [""])[0])
        ]

    def again(self, section: str, question: str, value: Any) -> ExerciseReport:
        """The verdict on an answer that is given once more; what stands on the sheet stays.

        Raises:
            NotOpen: the sheet has no place for it.
            MachineError: it cannot be marked.
        """
        sheet = self._with(self._files.read(NAME).text, section, question, value)
        report = self._attempts.judged(section, sheet)
        for check in report.checks:
            if check.id == question:
                self._note(section, check)
        return report

    def _note(self, section: str, check: Check) -> None:
        if check.verdict != "skipped" and not check.blank:
            with self._writing:
                self._review.noted(section, check.id, check.points / (check.max_points or 1))

    def _with(self, text: str, section: str, question: str, value: Any) -> str:
        from grader.learner.sheet_writing import NoPlace

        try:
            return self._writing_of(self._author.questions(text)).answered(text, section, question, value)
        except NoPlace as error:
            raise NotOpen(error.reason) from error

    def _writing_of(self, asked: Questions) -> SheetWriting:
        from grader.learner.sheet_writing import SheetWriting  # which takes torch along

        if self._sheet is None or self._sheet[0] is not asked:
            self._sheet = asked, SheetWriting.of(asked)
        return self._sheet[1]
