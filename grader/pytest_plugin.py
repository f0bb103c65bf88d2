"""pytest in a course's folder: each check of an exercise is a test item, run in the sandbox as `grader check` does.

A file of `exercises/` gets the checks of its exercise; a suite of `tests/hidden/` is run on the course's own solution,
or on the file that `--student` names. pytest loads this wherever the grader is installed, so nothing of the grader is
imported before one of these files is collected.
"""

from __future__ import annotations

import functools
import hashlib
import os
import re
import secrets
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from grader.batch import ForkServer, GradingProcess
    from grader.report import ExerciseReport
    from grader.texts import Text


CACHED = "grader/checks"  # where pytest keeps from run to run what checks are called
STUDENT = "grader_student"  # what pytest's options call `--student`
AT_FAULT = "not run, for the reason that the first check of this exercise gives"


class CourseRun:
    """A course whose exercises are collected, with the titles of its checks and their results, once per exercise."""

    def __init__(self, root: Path, cache: Any) -> None:
        from grader.batch import default_language, kit_version
        from grader.course import course as courses

        self._course, self._cache = courses.load(root), cache
        self._lang, self._seed = default_language(self._course.settings.languages), secrets.randbelow(1 << 31)
        self._fork_server: ForkServer | None = None
        self._reports: dict[tuple[str, Path], ExerciseReport | None] = {}
        self._made_from = {**self._course.digests(), "kit": kit_version(), "language": self._lang}

    def checks(self, file: Path) -> list[tuple[str, str, str]]:
        """Return exercise, check and title of each check of this file, in the course's order; none for other files."""
        place = self._course.suite if is_suite(file) else self._course.stub
        mine = [e.id for e in self._course.exercises if place(e.id).name == file.name]
        titles = self._titles(mine) if mine else {}
        return [(exercise, check, title) for exercise in mine for check, title in titles[exercise].items()]

    def _titles(self, exercises: list[str]) -> dict[str, dict[str, str]]:
        """Return the titles of the last run if nothing has changed since, so that no suite has to be opened."""
        from grader.batch import AUTHORING
        from grader.sandbox.processes import Texts

        key = f"{CACHED}/{hashlib.sha256(str(self._course.root).encode()).hexdigest()[:16]}"
        kept = self._cache.get(key, {}) if self._cache else {}
        known: dict[str, dict[str, str]] = kept["titles"] if kept.get("made_from") == self._made_from else {}
        if not {*exercises} <= {*known}:
            found = self._process.ask(f"{AUTHORING}:texts", dict[str, Texts], 60, exercises)
            known |= {e: {c: title.to(self._lang) for c, title in texts.titles.items()} for e, texts in found.items()}
            if self._cache:
                self._cache.set(key, {"made_from": self._made_from, "titles": known})
        return known

    @functools.cached_property
    def _process(self) -> GradingProcess:
        from grader.batch import ForkServer, environment, kit_version
        from grader.sandbox.processes import RunOptions

        self._fork_server = ForkServer(environment(self._course.root), confined=True)
        options = RunOptions(kit=kit_version())
        return self._fork_server.grading_process(self._course, options)

    def said(self, text: Text | None) -> str:
        """Return the sentence in the language of this run."""
        return text.to(self._lang) if text else ""

    def report(self, exercise: str, judged: Path, feedback: str = "") -> ExerciseReport | None:
        """Return the report on an exercise in a folder or file, as far as the course, or `feedback`, shows it.

        Raises:
            GraderError: the course or the machine is at fault; when called again, the report is None.
        """
        from grader.batch import AUTHORING
        from grader.intake import load, load_as
        from grader.report import Report, redact

        if (exercise, judged) not in self._reports:
            self._reports[exercise, judged] = None
            source = self._course.exercise(exercise).source
            folder = judged.is_dir()
            work = load(judged, self._course, [source]) if folder else load_as(judged, self._course, source)
            text = self._process.grade(work, "", self._seed, [exercise], f"{AUTHORING}:proven")
            report = redact(Report.from_json(text), feedback or self._course.settings.feedback)
            self._reports[exercise, judged] = report.exercises[0]
        return self._reports[exercise, judged]

    def close(self) -> None:
        if self._fork_server:
            self._process.close()
            self._fork_server.close()


COURSES = pytest.StashKey[dict[Path, "CourseRun | None"]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    said = "run the hidden suites that are named on this file of a student's, whatever it is called"
    parser.getgroup("grader").addoption("--student", dest=STUDENT, metavar="FILE", help=said)


def pytest_configure(config: pytest.Config) -> None:
    config.stash[COURSES] = {}
    if file := student(config):
        must_be_for_suites(config, file)


def pytest_unconfigure(config: pytest.Config) -> None:
    for course in config.stash.get(COURSES, {}).values():
        if course:
            course.close()


def student(config: pytest.Config) -> Path | None:
    """Return the file that `--student` names."""
    named = config.getoption(STUDENT, None)
    return None if named is None else Path(os.path.abspath(config.invocation_params.dir / named))


def must_be_for_suites(config: pytest.Config, file: Path) -> None:
    """Raise UsageError unless `--student` names a file, and only hidden suites are to be collected."""
    if file.is_dir():
        raise pytest.UsageError(f"--student {file}: is a folder; name a file in it that the suite can run on")
    if not file.is_file():
        raise pytest.UsageError(f"--student {file}: there is no such file; name one that the suite can run on")
    for named in config.args:
        place = Path(os.path.abspath(config.invocation_params.dir / named.partition("::")[0]))
        suite = place / "all.py" if place.is_dir() else place
        if place.exists() and not (is_suite(suite) and course_of(suite)):
            remedy = "name one, as in `pytest tests/hidden/ID.py --student FILE`"
            raise pytest.UsageError(f"--student is for hidden suites, and {os.path.relpath(place)} is none; {remedy}")


def is_suite(file: Path) -> bool:
    """Return True if a file lies in a course's folder of hidden suites."""
    return file.suffix == ".py" and file.parent.parts[-2:] == ("tests", "hidden")


def course_of(file: Path) -> Path | None:
    """Return the folder of the course that a suite or a file of `exercises/` belongs to."""
    work = file.parent.name == "exercises" and file.suffix in (".py", ".yaml")
    root = file.parent.parent.parent if is_suite(file) else file.parent.parent if work else None
    return root if root and (root / "course.yaml").is_file() else None


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(
    file_path: Path, parent: pytest.Collector
) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Collect a course's files here alone, since pytest would import files that must run in the sandbox.

    A learner's own tests beside an exercise are left to pytest.
    """
    others = yield
    root = course_of(file_path)
    if root is None:
        return others
    own_tests = not is_suite(file_path) and (file_path.stem.startswith("test_") or file_path.stem.endswith("_test"))
    return [*(others if own_tests else ()), WorkFile.from_parent(parent, path=file_path, root=root)]


class WorkFile(pytest.File):
    """One file of a learner, or a suite, with the checks of its exercises."""

    def __init__(self, *, root: Path, **rest: Any) -> None:
        super().__init__(**rest)
        self._root = root

    def collect(self) -> Iterator[CheckItem]:
        from grader.errors import GraderError

        courses, root = self.config.stash[COURSES], self._root
        try:
            if root not in courses:
                courses[root] = None  # should the course be at fault, one of its files says so
                courses[root] = CourseRun(root, getattr(self.config, "cache", None))
            course = courses[root]
            found = course.checks(self.path) if course else []
        except GraderError as error:
            raise self.CollectError(str(error)) from error
        several = len({exercise for exercise, _, _ in found}) > 1 or self.path.suffix == ".yaml"
        for exercise, check, title in found:
            name = f"{exercise}.{check}" if several else check
            yield CheckItem.from_parent(self, name=name, course=course, exercise=exercise, check=check, title=title)


class NotPassed(Exception):
    """A check failed, or could not be run; the message says everything."""


class CheckItem(pytest.Item):
    """One check."""

    def __init__(self, *, course: CourseRun, exercise: str, check: str, title: str, **rest: Any) -> None:
        super().__init__(**rest)
        self._course, self._exercise, self._check, self._title = course, exercise, check, title

    def _report(self) -> ExerciseReport | None:
        """Return the report on the learner's folder; for a suite, on the file of `--student` or on the solutions."""
        if not is_suite(self.path):
            return self._course.report(self._exercise, self.path.parent)
        judged = student(self.config) or self.path.parent.parent.parent / "solutions"
        return self._course.report(self._exercise, judged, "full")

    def runtest(self) -> None:
        from grader.errors import GraderError

        course = self._course
        try:
            report = self._report()
        except GraderError as error:
            raise NotPassed(str(error)) from error
        if report is None:
            pytest.skip(AT_FAULT)
        check = next((c for c in report.checks if c.id == self._check), None)
        if check is None:  # the file is missing or was refused as a whole
            raise NotPassed(course.said(report.reason) or report.status)
        if check.verdict == "skipped":
            pytest.skip(course.said(check.reason))
        if check.verdict != "passed":
            told = [f"→ {course.said(report.told(d))}" for d in report.diagnoses if self._check in d.checks]
            raise NotPassed(
                "\n".join([self._title, *told, *filter(None, map(course.said, (check.reason, check.values)))])
            )

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        return str(excinfo.value) if excinfo.errisinstance(NotPassed) else super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return the place for an editor: the line of a suite or answer sheet that begins with the check's name, or
        that takes several laws.
        """
        text = self.path.read_text(encoding="utf-8", errors="replace")
        places = (rf"^ *(def )?{re.escape(self._check.partition('[')[0])}\b", r"^\w+ = laws\.all\(")
        found = next(filter(None, (re.search(place, text, re.MULTILINE) for place in places)), None)
        line = text.count("\n", 0, found.start()) if found else 0
        return self.path, line, f"{self._exercise}: {self._title}"
