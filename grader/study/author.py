"""Lessons and questions for the pages, made once by a grading process of its own."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from grader.batch import AUTHORING, ForkServer, GradingProcess, kit_version
from grader.course import COMMON, Course
from grader.errors import MachineError
from grader.sandbox.processes import DescribedQuestion, RunOptions

SECONDS = 600.0  # to build lessons and to run the questions' experiments
VARIANT = re.compile(r"^variant:[ \t]*([^\s#]+)", re.MULTILINE)  # of an answer sheet
Questions = Mapping[str, Sequence[DescribedQuestion]]


class Author:
    """The lessons and questions of a course for its pages. Several threads may ask for them.

    Args:
        server: gives the process that imports torch.
    """

    def __init__(self, course: Course, server: Callable[[], ForkServer]) -> None:
        self._course, self._server = course, server
        self._process: GradingProcess | None = None
        self._asking = threading.Lock()
        self._lessons: dict[str, Mapping[str, str]] = {}
        self._questions: dict[str, Questions] = {}

    def lesson(self, unit: str) -> Mapping[str, str]:
        """The lesson of this unit of the syllabus by language; none where the course has none.

        Raises:
            GraderError: it cannot be built.
        """
        with self._asking:
            if unit not in self._lessons:
                self._lessons |= self._asked("lessons", dict[str, dict[str, str]], [unit])
            return self._lessons.get(unit, {})

    def questions(self, sheet: str) -> Questions:
        """The questions by exercise, with what proves their answers, as this answer sheet has them.

        Raises:
            GraderError: an experiment fails.
        """
        found = VARIANT.search(sheet)
        variant = found[1] if found else COMMON
        with self._asking:
            if variant not in self._questions:
                self._questions[variant] = self._asked("questions", dict[str, list[DescribedQuestion]], variant)
            return self._questions[variant]

    def close(self) -> None:
        """End the process."""
        if self._process:
            self._process.close()

    def _asked(self, function: str, kind: type[Any], asked: object) -> Any:
        for last in (False, True):
            try:
                if self._process is None:
                    options = RunOptions("cpu", (), kit_version())
                    self._process = self._server().grading_process(self._course, options)
                return self._process.ask(f"{AUTHORING}:{function}", kind, SECONDS, asked)
            except MachineError:
                process, self._process = self._process, None
                if process:
                    process.close()
                if last:
                    raise
        raise AssertionError("a loop of two turns ended by itself")
