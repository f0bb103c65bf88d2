"""`grader lesson` and `grader book`: show the lessons on the terminal, and write them as a static site."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

from grader import atomic_write
from grader.batch import AUTHORING, ForkServer, GradingProcess
from grader.cli import common
from grader.cli.answers import asked
from grader.cli.common import option
from grader.course import COMMON, Course, Unit, nearest
from grader.course import course as courses
from grader.errors import CourseError
from grader.texts import in_every_language, translated

SECONDS = 600.0
THEN = translated("The exercises of this unit, in order:")
QUESTIONS = translated("questions in answers.yaml")


@dataclasses.dataclass(frozen=True)
class LessonOptions(common.FolderOptions):
    """The options of `grader lesson`."""

    unit: Annotated[str | None, common.name("UNIT", "the unit (default: the one with the next exercise)")]


@dataclasses.dataclass(frozen=True)
class BookOptions(common.Options):
    """The options of `grader book`."""

    to: Annotated[Path, option("the folder for the pages", "DIR", required=True)]
    unit: Annotated[tuple[str, ...], option("write only this unit; may be repeated", "ID")]
    evidence: Annotated[bool, option("include the questions' answers, with their evidence")]
    force: Annotated[bool, option("replace files in DIR that this command did not write")]


@common.command("lesson", "Show a unit's lesson.", "grader lesson")
def run_lesson(options: LessonOptions) -> int:
    with contextlib.closing(common.start_fork_server(options.course)) as fork_server:
        course = courses.find(options.course)
        unit = _meant(course, options.unit) if options.unit else _next(options, course)
        with _opened(fork_server, course, options) as process:
            texts = built(process, course, unit.read_here)
    screen = common.screen(options.lang)
    screen.line(unit.title.to(options.lang), "bold")
    for id in unit.read_here:
        if found := texts.get(id):
            screen.lesson(found.get(options.lang) or next(iter(found.values())))
    screen.say(THEN, "bold")
    for exercise in unit.exercises:
        note = f"  ({QUESTIONS.to(options.lang)})" if exercise.kind == "questions" else ""
        screen.line(f"{exercise.id:<24} {exercise.title.to(options.lang)}{note}", indent=2)
    return 0


@common.command(
    "book", "Write the lessons as pages to read offline, with search and glossary.", "grader book --to book"
)
def run_book(options: BookOptions) -> int:
    try:
        from grader.rendering.pages import book
    except ImportError as error:
        raise CourseError(f"formulas in pages need latex2mathml: pip install latex2mathml ({error})") from error
    with contextlib.closing(common.start_fork_server(options.course)) as fork_server:
        course = courses.find(options.course)
        units = chosen(course, options.unit)
        with _opened(fork_server, course, options) as process:
            texts = built(process, course, [lesson for u in units for lesson in u.read_here])
            questions = asked(process, COMMON)
    written = 0
    for name, page in book.pages(course, units, texts, questions, options.lang, options.evidence):
        path = options.to / name
        if path.exists() and not options.force and book.MARK not in path.read_text(encoding="utf-8", errors="replace"):
            raise CourseError(
                f"{path} is there already and is not a page of a book; choose another --to, or use --force"
            )
        atomic_write.write(path, page)
        written += 1
    print(f"wrote {written} pages; open {options.to / 'index.html'}")
    return 0


def chosen(course: Course, ids: Sequence[str]) -> tuple[Unit, ...]:
    """Return the units of the path with the lessons that these names mean, or all. Raises CourseError for an unknown
    one.
    """
    wanted = {lesson for id in ids for lesson in _meant(course, id).read_here}
    return tuple(unit for unit in course.path if not ids or wanted & {*unit.read_here})


def _meant(course: Course, said: str) -> Unit:
    """Return the unit named by its number on the path, its id, its lesson's file, an exercise or words of its title.

    Raises:
        CourseError: there is none.
    """
    units = course.settings.units
    known = {**course.stages, **{unit.id.lower(): unit for unit in units}}
    if found := known.get(Path(said).name.partition(".")[0].lower()):
        return found
    if exercise := course.meant(said):
        return next(unit for unit in (*course.path, *units) if exercise in unit.exercises)
    titled = [
        u for u in (*course.path, *units) if any(said.casefold() in t.casefold() for t in in_every_language(u.title))
    ]
    if titled:
        return titled[0]
    raise CourseError(f"there is no unit {said!r}{nearest(said, [u.id for u in units])}")


def built(process: GradingProcess, course: Course, units: Sequence[str]) -> Mapping[str, Mapping[str, str]]:
    """Return the lessons of these units of the syllabus, by language. Raises CourseError if there are none."""
    found = process.ask(f"{AUTHORING}:lessons", dict[str, dict[str, str]], SECONDS, units)
    if not any(found.values()):
        raise CourseError(f"{course.lesson([*units, 'A'][0], 'en')}: there is no such lesson")
    return found


def _next(options: LessonOptions, course: Course) -> Unit:
    """Return the unit of the path with the next exercise, else the first."""
    from grader.learner import Progress

    progress = Progress(course, options.folder(course))
    following = {e.id for e in progress.standings().open_now()[:1]}
    return next((u for u in course.path if following & {e.id for e in u.exercises}), course.path[0])


def _opened(fork_server: ForkServer, course: Course, options: common.Options) -> contextlib.closing[GradingProcess]:
    return contextlib.closing(fork_server.grading_process(course, options.on_cpu()))
