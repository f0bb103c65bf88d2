"""pytest in a course's folder: each check of an exercise is a test item, run behind the sandbox as `grader check` does.

pytest loads this wherever the grader is installed, so nothing of ours is imported before an exercise is collected.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from grader.report import ExerciseReport


class Course:
    """A course whose exercises are collected: what its checks are called, and what they found, once for an exercise."""

    def __init__(self, root: Path) -> None:
        from grader.batch import AUTHORING, ForkServer, default_language, environment, kit_version
        from grader.course import course as courses
        from grader.sandbox.processes import ListTexts, RunOptions, Texts

        self._course = courses.load(root)
        self._lang, self._seed = default_language(), secrets.randbelow(1 << 31)
        self._fork_server = ForkServer(environment(root), confined=True)
        options = RunOptions(self._lang, kit=kit_version())
        self._process = self._fork_server.grading_process(self._course, options, service=AUTHORING)
        self._texts = self._process.ask(ListTexts(), dict[str, Texts], 60)
        self._reports: dict[str, ExerciseReport] = {}

    def checks(self, file: Path) -> list[tuple[str, str, str]]:
        """Exercise, check and title of what this file is asked, in the course's order; nothing for other files."""
        mine = [e for e in self._course.exercises if self._course.stub(e.id).name == file.name]
        return [(e.id, id, text.to(self._lang)) for e in mine for id, text in self._texts[e.id].titles.items()]

    def report(self, exercise: str, folder: Path) -> ExerciseReport:
        """What the checks of an exercise found in the files of this folder."""
        from grader.intake import load
        from grader.report import Report

        if exercise not in self._reports:
            source = self._course.exercise(exercise).source
            text = self._process.grade(load(folder, self._course, [source]), "", self._seed, [exercise])
            self._reports[exercise] = Report.from_json(text).exercises[0]
        return self._reports[exercise]

    def close(self) -> None:
        self._process.close()
        self._fork_server.close()


COURSES = pytest.StashKey[dict[Path, Course]]()


def pytest_configure(config: pytest.Config) -> None:
    config.stash[COURSES] = {}


def pytest_unconfigure(config: pytest.Config) -> None:
    for course in config.stash.get(COURSES, {}).values():
        course.close()


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """The files of `exercises/` beside a course.yaml."""
    root = file_path.parent.parent
    wanted = file_path.parent.name == "exercises" and file_path.suffix in (".py", ".yaml")
    return WorkFile.from_parent(parent, path=file_path) if wanted and (root / "course.yaml").is_file() else None


class WorkFile(pytest.File):
    """One file of a learner's, with the checks of its exercise or exercises."""

    def collect(self) -> Iterator[CheckItem]:
        from grader.errors import GraderError

        courses, root = self.config.stash[COURSES], self.path.parent.parent
        try:
            if root not in courses:
                courses[root] = Course(root)
        except GraderError as error:
            raise self.CollectError(str(error)) from error
        found = courses[root].checks(self.path)
        several = len({exercise for exercise, _, _ in found}) > 1 or self.path.suffix == ".yaml"
        for exercise, check, title in found:
            name = f"{exercise}.{check}" if several else check
            yield CheckItem.from_parent(self, name=name, exercise=exercise, check=check, title=title)


class Failed(Exception):
    """A check failed; the message is what a learner reads."""


class CheckItem(pytest.Item):
    """One check."""

    def __init__(self, *, exercise: str, check: str, title: str, **rest: Any) -> None:
        super().__init__(**rest)
        self._exercise, self._check, self._title = exercise, check, title

    def runtest(self) -> None:
        course = self.config.stash[COURSES][self.path.parent.parent]
        report = course.report(self._exercise, self.path.parent)
        check = next((c for c in report.checks if c.id == self._check), None)
        if check is None:  # the file is missing or was refused as a whole
            raise Failed(report.reason or report.status)
        if check.verdict == "skipped":
            pytest.skip(check.reason)
        if check.verdict != "passed":
            told = [f"→ {d.message}" for d in report.diagnoses if self._check in d.checks]
            raise Failed("\n".join([self._title, *told, check.reason]))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        return str(excinfo.value) if excinfo.errisinstance(Failed) else super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, 0, f"{self._exercise}: {self._title}"
