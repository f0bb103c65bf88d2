"""pytest in a course's folder: each check of an exercise is a test item, run behind the sandbox as `grader check` does.

pytest loads this wherever the grader is installed, so nothing of ours is imported before an exercise is collected.
"""

from __future__ import annotations

import functools
import hashlib
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from grader.batch import ForkServer, GradingProcess
    from grader.report import ExerciseReport
    from grader.texts import Text


CACHED = "grader/checks"  # where pytest keeps from run to run what checks are called


class Course:
    """A course whose exercises are collected: what its checks are called, and what they found, once for an exercise."""

    def __init__(self, root: Path, cache: Any) -> None:
        from grader.batch import default_language, kit_version
        from grader.course import course as courses

        self._course, self._cache = courses.load(root), cache
        self._lang, self._seed = default_language(self._course.settings.languages), secrets.randbelow(1 << 31)
        self._fork_server: ForkServer | None = None
        self._reports: dict[str, ExerciseReport] = {}
        self._made_from = {**self._course.digests(), "kit": kit_version(), "language": self._lang}

    def checks(self, file: Path) -> list[tuple[str, str, str]]:
        """Exercise, check and title of what this file is asked, in the course's order; nothing for other files."""
        mine = [e.id for e in self._course.exercises if self._course.stub(e.id).name == file.name]
        titles = self._titles(mine) if mine else {}
        return [(exercise, check, title) for exercise in mine for check, title in titles[exercise].items()]

    def _titles(self, exercises: list[str]) -> dict[str, dict[str, str]]:
        """As they were at the last run, where nothing has changed since: no suite is opened for what is known."""
        from grader.sandbox.processes import ListTexts, Texts

        key = f"{CACHED}/{hashlib.sha256(str(self._course.root).encode()).hexdigest()[:16]}"
        kept = self._cache.get(key, {}) if self._cache else {}
        known: dict[str, dict[str, str]] = kept["titles"] if kept.get("made_from") == self._made_from else {}
        if not {*exercises} <= {*known}:
            found = self._process.ask(ListTexts(tuple(exercises)), dict[str, Texts], 60)
            known |= {e: {c: title.to(self._lang) for c, title in texts.titles.items()} for e, texts in found.items()}
            if self._cache:
                self._cache.set(key, {"made_from": self._made_from, "titles": known})
        return known

    @functools.cached_property
    def _process(self) -> GradingProcess:
        from grader.batch import AUTHORING, ForkServer, environment, kit_version
        from grader.sandbox.processes import RunOptions

        self._fork_server = ForkServer(environment(self._course.root), confined=True)
        options = RunOptions(kit=kit_version())
        return self._fork_server.grading_process(self._course, options, service=AUTHORING)

    def said(self, text: Text | None) -> str:
        """The sentence in the language of this run."""
        return text.to(self._lang) if text else ""

    def report(self, exercise: str, folder: Path) -> ExerciseReport:
        """What the checks of an exercise found in the files of this folder, as far as the course lets it be seen."""
        from grader.intake import load
        from grader.report import Report, redact

        if exercise not in self._reports:
            source = self._course.exercise(exercise).source
            text = self._process.grade(load(folder, self._course, [source]), "", self._seed, [exercise])
            report = redact(Report.from_json(text), self._course.settings.feedback)
            self._reports[exercise] = report.exercises[0]
        return self._reports[exercise]

    def close(self) -> None:
        if self._fork_server:
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
                courses[root] = Course(root, getattr(self.config, "cache", None))
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
            raise Failed(course.said(report.reason) or report.status)
        if check.verdict == "skipped":
            pytest.skip(course.said(check.reason))
        if check.verdict != "passed":
            told = [f"→ {course.said(report.told(d))}" for d in report.diagnoses if self._check in d.checks]
            raise Failed("\n".join([self._title, *told, *filter(None, map(course.said, (check.reason, check.values)))]))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        return str(excinfo.value) if excinfo.errisinstance(Failed) else super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, 0, f"{self._exercise}: {self._title}"
