"""One student's answer sheet: parsed in a confined worker, each section marked against its questions' experiments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from grader.course import COMMON, SHEET, Course, Exercise, file_name
from grader.questions.questions import OTHER_VARIANT, Paper, WrongAnswer
from grader.sandbox.processes import ReadSheet, SheetRead, WorkerPool
from grader.sandbox.worker import wire
from grader.suites import CheckResult, LoadFailed, WorkerLink, first_answer
from grader.texts import clean, translated

NOT_YAML = translated("{file}: {problem}")
NOT_YAML_ON = translated("{file}, line {line}: {problem}")
Marked = list[tuple[CheckResult, WrongAnswer | None]]


class Papers:
    """The concept questions of a course; each exercise's are loaded when first asked for."""

    def __init__(self, course: Course, pool: WorkerPool) -> None:
        self._course, self._pool = course, pool
        self._papers: dict[str, Paper] = {}
        self._read: tuple[str, Mapping[str, Any] | LoadFailed] | None = None

    def __getitem__(self, exercise: str) -> Paper:
        if exercise not in self._papers:
            self._papers[exercise] = Paper(self._course.suite(exercise), self._course.root / "solutions")
        return self._papers[exercise]

    def mark(self, exercise: Exercise, source: str, student: str, seconds: float) -> Marked:
        """Each question of the exercise with its verdict.

        Raises:
            MachineError: the machine is at fault.
            CourseError: an experiment fails.
        """
        paper = self[exercise.id]
        sheet = self._sheet(exercise, source, seconds)
        if isinstance(sheet, LoadFailed):
            return [(result, None) for result in paper.all_with(sheet.verdict, sheet.reason)]
        mine = COMMON if self._course.settings.variants == COMMON else student
        found = str(sheet.get("variant") or COMMON).strip()
        if found != mine.strip():
            wrong = OTHER_VARIANT.format(found=clean(found, 60), want=mine)
            return [(result, None) for result in paper.all_with("failed", wrong)]
        return paper.mark(sheet.get(exercise.id), mine)

    def _sheet(self, exercise: Exercise, source: str, seconds: float) -> Mapping[str, Any] | LoadFailed:
        """The sheet as data, parsed once for all the sections of one submission."""
        if self._read is None or self._read[0] != source:
            self._read = source, self._parsed(exercise, source, seconds)
        return self._read[1]

    def _parsed(self, exercise: Exercise, source: str, seconds: float) -> Mapping[str, Any] | LoadFailed:
        link = WorkerLink(self._pool, self._course.settings.limits, seconds)
        try:
            link.start()
            request = ReadSheet(source, self._course.settings.limits.value_mb << 20)
            sheet, payload = first_answer(link, request, SheetRead, exercise.id)
            answers = wire.decode(sheet.answers, payload)
        except wire.BadValue:
            return LoadFailed("crashed", link.disturbed().reason)
        except LoadFailed as error:
            return error
        finally:
            link.close()
        if isinstance(answers, dict):
            return answers
        facts = {"file": file_name(SHEET), "problem": clean(sheet.problem or "", 300), "line": sheet.line}
        return LoadFailed("failed", (NOT_YAML if sheet.line is None else NOT_YAML_ON).format(**facts))
