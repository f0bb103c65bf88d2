"""`grader release`: makes the files of the course for students or other systems, in their formats."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from grader import atomic_write
from grader.batch import AUTHORING, GradingProcess
from grader.cli import common
from grader.cli.answers import asked
from grader.cli.common import option
from grader.course import COMMON, Course, Unit, nearest
from grader.course import course as courses
from grader.errors import CourseError
from grader.report import seeds
from grader.sandbox.processes import ExampleCall
from grader.texts import Text, translated

if TYPE_CHECKING:
    from grader.authoring import Examples, Questions
    from grader.authoring.student_copy import Files

SECONDS = 600.0
COPIES, QUIZZES = ("kit", "gradescope", "github", "classroom50"), ("qti", "moodle-xml")
TARGETS = ("kit", "nbgrader", *COPIES[1:], *QUIZZES)
VERSIONS = 10  # of a question whose numbers each student draws
PARTS = translated("What is right in part earns its part in {system}, also where less than half is right.")
KEYS = translated("This holds the answers; do not give it to students.")


@dataclasses.dataclass(frozen=True)
class ReleaseOptions(common.Options):
    """The options of `grader release`."""

    to: Annotated[Path, option("the folder to write to", "DIR", required=True)]
    format: Annotated[str, option("the format to build; kit: the student copy", required=True, choices=TARGETS)]
    unit: Annotated[tuple[str, ...], option("only this unit; may be repeated", "ID")]
    force: Annotated[bool, option("replace files in DIR that differ")]


@dataclasses.dataclass(frozen=True)
class Release:
    """The source of a format's files: the course, its requested units, a grading process that knows them.

    open: what to close once the files are made. said: the sentences to print once they are written.
    """

    options: ReleaseOptions
    course: Course
    units: tuple[Unit, ...]
    open: contextlib.ExitStack
    said: list[Text] = dataclasses.field(default_factory=list)

    @functools.cached_property
    def process(self) -> GradingProcess:
        """Return the grading process, started on its first request; some formats need none."""
        only = [e.id for unit in self.units for e in unit.exercises]
        fork_server = self.open.enter_context(contextlib.closing(common.start_fork_server(self.course.root)))
        process = fork_server.grading_process(self.course, self.options.on_cpu(only))
        return self.open.enter_context(contextlib.closing(process))

    def shown(self) -> tuple[Examples, Questions]:
        """Return the visible examples and the concept questions, by exercise."""
        examples = self.process.ask(f"{AUTHORING}:visible", dict[str, list[ExampleCall]], SECONDS)
        return examples, asked(self.process, COMMON)


def nbgrader(release: Release) -> Files:
    """Return an nbgrader course: a source assignment for each unit, and a configuration that grades in the sandbox."""
    try:
        from grader.integrations.nbgrader import config, source_notebook
    except ImportError as error:
        raise CourseError(f"nbgrader is not installed: pip install nbgrader ({error})") from error

    if release.course.settings.variants != COMMON:
        raise CourseError(f"course.yaml: one notebook for all needs `variants: {COMMON}`")
    examples, questions = release.shown()
    for unit in release.units:
        notebook = source_notebook.notebook(release.course, unit, release.options.lang, examples, questions)
        yield f"source/{unit.id}/{unit.id}.ipynb", source_notebook.written(notebook)
    facts = (release.course, release.options.lang, seeds.new())
    present = release.options.to / config.CONFIG
    if not present.exists():
        yield config.CONFIG, config.whole(*facts).encode()
    elif config.HERE not in present.read_text(encoding="utf-8", errors="replace"):
        lines = config.grading(*facts)
        print(f"{present} is there already and stays as it is. To grade in the sandbox, add to it:\n\n{lines}")


def copy(release: Release) -> Files:
    """Return the student's copy: stubs, answer sheet, visible examples, the engine; or a platform's form of it."""
    from grader.authoring import student_copy

    course, units, format = release.course, release.units, release.options.format
    if format == "gradescope":
        return iter([("autograder.zip", student_copy.gradescope(course, units))])
    ids, by_unit = [u.id for u in units], dict[str, dict[str, str]]
    lessons = release.process.ask(f"{AUTHORING}:lessons", by_unit, SECONDS, ids)
    files = student_copy.student_copy(course, units, release.options.lang, *release.shown(), lessons)
    wrap = {"github": student_copy.github, "classroom50": student_copy.classroom50}.get(format)
    return wrap(course, files) if wrap else files


def quiz(release: Release) -> Files:
    """Return the concept questions with their keys, for another system's quizzes; say what it does differently."""
    from grader.integrations import quizzes

    writer = {"qti": quizzes.qti, "moodle-xml": quizzes.moodle_xml}[release.options.format]
    names = [COMMON] if release.course.settings.variants == COMMON else [f"quiz-{n}" for n in range(1, VERSIONS + 1)]
    versions = [asked(release.process, name) for name in names]
    lang = release.options.lang
    found = quizzes.sections(release.units, versions, lang)
    yield writer.FILE, writer.write(release.course.settings.title.to(lang), found)
    for section in found:
        release.said.extend(said for versions in section.questions for said in writer.lost(versions[0]))
    release.said.extend([PARTS.format(system=writer.SYSTEM), KEYS])


def _for_teachers(course: Course, units: Sequence[Unit], options: ReleaseOptions) -> None:
    """Raise CourseError if there are no questions, or if students would get the answers."""
    for unit in (u for u in units if options.unit and not _asks(u)):
        raise CourseError(f"unit {unit.id!r} has no concept questions")
    if not any(map(_asks, units)):
        raise CourseError("this course has no concept questions")
    place = options.to.resolve()
    given_out = [course.root / "exercises", course.root / "lessons"]
    given_out += [folder for folder in (place, *place.parents) if (folder / "tests" / "visible").is_dir()]
    if any(place.is_relative_to(folder.resolve()) for folder in given_out):
        raise CourseError(f"{options.to} is what students get, and this holds the answers; choose another --to")


def _asks(unit: Unit) -> bool:
    return any(e.kind == "questions" for e in unit.exercises)


FORMATS: Mapping[str, Callable[[Release], Files]] = {
    "nbgrader": nbgrader,
    **dict.fromkeys(COPIES, copy),
    **dict.fromkeys(QUIZZES, quiz),
}


@common.command(
    "release",
    "Build the student copy, or what nbgrader, Gradescope, GitHub, Canvas or Moodle takes.",
    "grader release --format kit --to student_copy",
)
def run_release(options: ReleaseOptions) -> int:
    course = courses.find(options.course)
    units = _units(course, options.unit)
    for path in (
        p for u in units for e in u.exercises for p in (course.stub(e.id), course.suite(e.id), course.solution(e.id))
    ):
        if not path.is_file():
            raise CourseError(f"{path}: no such file; every exercise needs it")
    if options.to.is_file():
        raise CourseError(f"{options.to} is a file; --to names a folder")
    if options.format in QUIZZES:
        _for_teachers(course, units, options)
    with contextlib.ExitStack() as open:
        release = Release(options, course, units, open)
        files = list(FORMATS[options.format](release))
    for name, content in files:
        path = options.to / name
        if path.exists() and not options.force and path.read_bytes() != content:
            raise CourseError(
                f"{path} is there already and differs; nothing was written. "
                "Move it away, choose another --to, or replace it with --force"
            )
    for name, content in files:
        atomic_write.write(options.to / name, content)
        if "grader/" not in name:
            print(f"wrote {options.to / name}")
    if engine := sum("grader/" in name for name, _ in files):
        print(f"wrote the grader itself, {engine} files")
    for said in release.said:
        print(said.to(options.lang))
    return 0


def _units(course: Course, ids: Sequence[str]) -> tuple[Unit, ...]:
    known = {unit.id: unit for unit in course.settings.units}
    for id in ids:
        if id not in known:
            raise CourseError(f"there is no unit {id!r}{nearest(id, list(known))}")
    return tuple(unit for unit in known.values() if not ids or unit.id in ids)
