"""One student's answer sheet: parsed in a confined worker, each section marked against its questions' experiments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from grader.course import COMMON, SHEET, Course, Exercise, file_name
from grader.nursery import Nursery
from grader.questions import OTHER_VARIANT, Paper, Slip
from grader.sandbox import LoadFailed, StudentTarget
from grader.suite import CheckResult
from grader.words import Text, clean

NOT_YAML = Text("{file}: {problem}", "{file}：{problem}")
NOT_YAML_ON = Text("{file}, line {line}: {problem}", "{file} 第 {line} 行：{problem}")
Marked = list[tuple[CheckResult, Slip | None]]


class Papers:
    """The concept questions of a course; each exercise's are loaded when first asked for."""

    def __init__(self, course: Course, nursery: Nursery) -> None:
        self._course, self._nursery = course, nursery
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
        target = StudentTarget(self._nursery, exercise, source, self._course.settings.limits, seconds)
        try:
            found = target.sheet()
        except LoadFailed as error:
            return error
        finally:
            target.close()
        answers = found.get("answers")
        if isinstance(answers, dict):
            return answers
        facts = {"file": file_name(SHEET), "problem": clean(str(found.get("problem")), 300), "line": found.get("line")}
        sentence = NOT_YAML_ON if isinstance(found.get("line"), int) else NOT_YAML
        return LoadFailed("failed", sentence.format(**facts))
