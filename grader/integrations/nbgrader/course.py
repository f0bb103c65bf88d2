"""An nbgrader course folder for a batch: its configuration, its submissions, and the scores put into it."""

from __future__ import annotations

import contextlib
import dataclasses
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import nbformat
import sqlalchemy
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import AssignLatePenalties
from nbgrader.utils import parse_utc
from sqlalchemy.exc import SQLAlchemyError
from traitlets.config.loader import Config

from grader.atomic_write import replace
from grader.course import Course
from grader.errors import CourseError
from grader.intake import NOTEBOOK, Notebook, Submission, printable, read_notebooks
from grader.integrations.nbgrader import gradebook, graded_notebook
from grader.integrations.nbgrader.config import CONFIG, configuration
from grader.report import Fault, Report, Row, redact
from grader.texts import one_line

Reports = Callable[[str, str], Report | None]
KEPT = ("timestamp.txt", "submission_secret.txt")  # nbgrader reads them beside the graded notebook
KEPT_SIZE = 4096  # bytes of each: a date, a word


@dataclasses.dataclass(frozen=True)
class NotebookEntry:
    """One student's folder in an nbgrader course."""

    student: str
    path: Path
    nb_course: NbCourse

    def load(self, course: Course) -> Submission:
        """Return the notebooks of the assignment as a submission."""
        return self.nb_course.read(self)


class NbCourse:
    """One assignment of an nbgrader course, with its gradebook open.

    Args:
        folder: the course folder, which holds nbgrader_config.py, `source`, `submitted` and so on.
        add_students: True to add students who are not in the gradebook.

    Raises:
        CourseError: the configuration is broken, or the gradebook cannot be opened or lacks the assignment.
    """

    def __init__(self, folder: Path, assignment: str, submissions: Path, course: Course, add_students: bool) -> None:
        self._config = configuration(folder)
        self._dirs = CourseDirectory(config=self._config, **_root(self._config, folder))
        usual = CourseDirectory.class_traits()["directory_structure"].default_value
        if self._dirs.directory_structure != usual:
            raise CourseError(
                f"{folder / CONFIG}: directory_structure {self._dirs.directory_structure!r} is not known here, only "
                f"{usual!r}; use `nbgrader autograde` there"
            )
        self._assignment, self._add = assignment, add_students
        self._submissions, self._course = submissions, course
        self.refused: list[str] = []
        self.failed: list[str] = []
        self.lang: str | None = self._config.BehindTheWall.get("lang")
        self.seed: int | None = self._config.BehindTheWall.get("seed")
        self._url = _located(self._dirs.db_url, folder)
        try:
            if _is_empty(self._url):
                raise CourseError(
                    f"the gradebook {_without_password(self._url)} is empty; run `nbgrader generate_assignment` first"
                )
            self._book = Gradebook(self._url, self._dirs.course_id)
        except (SQLAlchemyError, ImportError, OSError) as error:  # ImportError: the database's driver
            said = str(error).strip().splitlines()[0]
            raise CourseError(f"the gradebook {_without_password(self._url)} cannot be opened: {said}") from error
        with contextlib.ExitStack() as unless_found:
            unless_found.callback(self.close)
            self._sheets = gradebook.sheets(self._book, assignment)
            unless_found.pop_all()

    def exercises(self) -> list[str]:
        """Return the exercises of the course that have a grade cell in this assignment.

        Raises:
            CourseError: none has.
        """
        ids = [e.id for e in self._course.exercises]
        found = {e for sheet in self._sheets for e in sheet.exercises(ids)}
        if not found:
            raise CourseError(
                f"the assignment {self._assignment!r} has no grade cell for any exercise of {self._course.root}; "
                "was it made with `grader release --format nbgrader`?"
            )
        return [i for i in ids if i in found]

    def entries(self) -> list[NotebookEntry]:
        """Return the students' submissions: their folders that hold one for the assignment.

        Raises:
            CourseError: there is none.
        """
        submissions = self._submissions
        try:
            found = sorted(p for p in submissions.iterdir() if (p / self._assignment).is_dir())
        except OSError as error:
            raise CourseError(f"{submissions}: cannot be listed: {error.strerror}") from error
        if not found:
            wanted = submissions / "STUDENT" / self._assignment
            raise CourseError(f"{submissions}: no submission of {self._assignment!r}; expected folders like {wanted}")
        return [NotebookEntry(printable(path.name), path, self) for path in found]

    def read(self, entry: NotebookEntry) -> Submission:
        """Return one student's notebooks as a submission."""
        folder, found = entry.path / self._assignment, self._notebooks(entry.path)
        names = {notebook.name for notebook in found}
        others = sorted(one_line(p.name, 60) for p in folder.glob("[!.]*") if p.name not in (*names, *KEPT))[:8]
        return gradebook.submission(self._sheets, found, entry.student, self._course, tuple(others))

    def storing(self, stream: Iterator[Row | Fault], reports: Reports) -> Iterator[Row | Fault]:
        """Yield the same outcomes, each after it was written to the gradebook.

        Students whom the gradebook does not take are recorded in `refused`, failed writes in `failed`.

        Args:
            reports: the report of a student and fingerprint.
        """
        by_name = {entry.student: entry.path for entry in self.entries()}
        for outcome in stream:
            if isinstance(outcome, Row) and (report := reports(outcome.student, outcome.fingerprint)):
                self._note(by_name[outcome.student], redact(report, self._course.settings.feedback))
            yield outcome

    def _note(self, entry: Path, report: Report) -> None:
        try:
            if reason := self._refusal(entry.name) or self._store(entry, report):
                self.refused.append(reason)
        except Exception as error:  # whatever one student's folder leads nbgrader and its database into, others go on
            with contextlib.suppress(SQLAlchemyError):
                self._book.db.rollback()
            said = one_line(f"{type(error).__name__}: {error}")
            self.failed.append(f"{printable(entry.name)}: {said}; the report is kept")

    def close(self) -> None:
        self._book.close()

    def _refusal(self, student: str) -> str | None:
        """Add the student if that is wished; else say why the gradebook takes no scores."""
        try:
            self._book.find_student(student)
        except MissingEntry:
            if not self._add:
                return f"{printable(student)} is not in the gradebook: `nbgrader db student add`, or --add-students"
            self._book.add_student(student)
        return None

    def _store(self, entry: Path, report: Report) -> str | None:
        folder, student = entry / self._assignment, entry.name
        graded = Path(self._dirs.format_path(self._dirs.autograded_directory, student, self._assignment))
        graded.mkdir(parents=True, exist_ok=True)
        kept = {name: text for name in KEPT if (text := _small(folder / name)) is not None}
        facts = {}
        if when := kept.get("timestamp.txt", "").strip():
            try:
                facts = {"timestamp": parse_utc(when)}
            except (ValueError, OverflowError):
                return f"{printable(student)}: timestamp.txt is not a date, so nothing was stored; fix or remove it"
        with self._book.db.no_autoflush:  # nbgrader builds the rows before it adds them, of which SQLAlchemy warns
            submission = self._book.update_or_create_submission(self._assignment, student, **facts)
        for sheet, found in zip(self._sheets, self._notebooks(entry), strict=True):
            made = graded_notebook.graded(report, found, sheet.cells, self.lang or "en")
            path, text = graded / (sheet.name + NOTEBOOK), nbformat.writes(made.nb)
            again = _small(path, 4 * len(text)) == text
            gradebook.record(self._book, self._assignment, student, sheet.name, made, again)
            if not again:
                kept[path.name] = text
        for name, text in kept.items():
            _replace(graded / name, text)
        self._late(submission, student)
        return None

    def _late(self, submission: Any, student: str) -> None:
        """Apply nbgrader's own penalty, by whatever plugin its configuration names."""
        if submission.total_seconds_late <= 0:
            for notebook in submission.notebooks:
                notebook.late_submission_penalty = None
            self._book.db.commit()
            return
        self._book.db.commit()  # the penalty is set through a connection of its own
        for sheet in self._sheets:
            names = {"assignment": self._assignment, "student": student, "notebook": sheet.name, "db_url": self._url}
            AssignLatePenalties(config=self._config).preprocess(nbformat.v4.new_notebook(), {"nbgrader": names})

    def _notebooks(self, entry: Path) -> list[Notebook]:
        return read_notebooks(entry / self._assignment, [sheet.name + NOTEBOOK for sheet in self._sheets])


def _root(config: Config, folder: Path) -> dict[str, str]:
    return {} if "root" in config.CourseDirectory else {"root": str(folder.resolve())}


def _located(url: str, folder: Path) -> str:
    """Return the database's address; a relative file is meant from the course folder, and must exist.

    Raises:
        CourseError: it is no address, or there is no such file.
    """
    try:
        parsed = sqlalchemy.make_url(url)
    except SQLAlchemyError as error:
        raise CourseError(f"{url!r} in {CONFIG} is not a database URL: {error}") from error
    if parsed.get_backend_name() != "sqlite" or not parsed.database:
        return url
    path = folder.resolve() / parsed.database
    if not path.is_file():
        raise CourseError(f"{path}: no such gradebook; run `nbgrader generate_assignment` in {folder} first")
    return parsed.set(database=str(path)).render_as_string(hide_password=False)


def _is_empty(url: str) -> bool:
    engine = sqlalchemy.create_engine(url)
    try:
        return not sqlalchemy.inspect(engine).get_table_names()
    finally:
        engine.dispose()


def _without_password(url: str) -> str:
    return sqlalchemy.make_url(url).render_as_string(hide_password=True)


def _small(path: Path, most: int = KEPT_SIZE) -> str | None:
    """Return the text of a regular file of no more than `most` bytes; None for any other."""
    try:
        found = path.lstat()
        if not stat.S_ISREG(found.st_mode) or found.st_size > most:
            return None
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None


def _replace(path: Path, text: str) -> None:
    """Write all of the new content or keep the old; not writable, as nbgrader leaves its own."""
    with contextlib.suppress(FileNotFoundError):
        path.chmod(0o644)  # Windows replaces no file that cannot be written
    replace(path, text)
    path.chmod(0o444)
