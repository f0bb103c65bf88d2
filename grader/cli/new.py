"""`grader new` and `grader start`: make a starter course, or a copy of an installed one."""

from __future__ import annotations

import dataclasses
import shlex
from pathlib import Path
from typing import Annotated

from grader.cli import common
from grader.errors import CourseError
from grader.texts import translated

NEXT = """\
1. cd {folder}; grader lint              proves that the course is sound
2. grader check --dir solutions spread   shows what students see, here of the solution; without --dir, of the stub
3. change an exercise: one file each in exercises/, solutions/ and tests/hidden/, an entry in course.yaml"""


FROM_TESTS = """\
1. say in exercises/ what each function does: students read it
2. cd {folder}; grader lint     proves that the course is sound
3. write down the usual mistakes in tests/hidden/, and hints in course.yaml: see docs/writing-an-exercise.md"""
TESTS = "turn these tests into its checks; pytest runs them on the solutions, without a sandbox"
SOLUTIONS = "the folder of the solved modules; else they lie beside the tests"
STARTED = translated("The course is in {folder}. Begin with: cd {folder}, and then: grader study")
PARTLY = "{count} checks leave out a part of their tests:"
DOUBTS = "{count} tests accept results that their checks refuse; where those are right, see docs/authors.md:"


@dataclasses.dataclass(frozen=True)
class NewOptions(common.Options):
    """The options of `grader new`."""

    folder: Annotated[Path, common.name("DIR", "the folder to create it in")]
    from_tests: Annotated[Path | None, common.option(TESTS, "TESTS")]
    solutions: Annotated[Path | None, common.option(SOLUTIONS, "DIR")]


@dataclasses.dataclass(frozen=True)
class StartOptions(common.Options):
    """The options of `grader start`."""

    name: Annotated[str | None, common.name("NAME", "the course (default: the only one that is installed)")]
    folder: Annotated[Path | None, common.name("DIR", "the folder to make (default: NAME)")]


@common.command("start", "Make your own folder of a course that is installed.", "grader start")
def run_start(options: StartOptions) -> int:
    from grader.authoring import new_course

    name, files = new_course.installed(options.name)
    folder = options.folder or Path(name)
    new_course.write(folder, files)
    common.screen(options.lang).say(STARTED, folder=shlex.quote(str(folder)))
    return 0


@common.command("new", "Create a starter course.", "grader new my_course")
def run_new(options: NewOptions) -> int:
    from grader.authoring import new_course

    if options.solutions and not options.from_tests:
        raise CourseError("--solutions goes with --from-tests; without it the course has a solution of its own")
    if options.from_tests:
        return _from_tests(options, options.from_tests)
    written = new_course.write(options.folder, new_course.files(new_course.title_of(options.folder)))
    print(f"wrote a course of {len(written)} files into {options.folder}")
    print(NEXT.format(folder=shlex.quote(str(options.folder))))
    return 0


def _from_tests(options: NewOptions, tests: Path) -> int:
    from grader.authoring import from_tests, new_course

    found = from_tests.read(tests, options.solutions)
    new_course.write(options.folder, from_tests.files(found, new_course.title_of(options.folder)))
    for head, lines in (
        (f"{len(found.refused)} of {found.tests} tests are not checks:", found.refused),
        (PARTLY.format(count=len(found.partly)), found.partly),
        (DOUBTS.format(count=len(found.doubts)), found.doubts),
    ):
        if lines:
            print(head, *(f"  {line}" for line in lines), sep="\n")
    print(f"wrote a course into {options.folder}; exercises: {len(found.exercises)}, checks: {found.checks}")
    print(FROM_TESTS.format(folder=shlex.quote(str(options.folder))))
    return 0
