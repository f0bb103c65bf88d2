"""`grader new` and `grader start`: a course of one's own, or a copy of an installed one, to begin with."""

from __future__ import annotations

import dataclasses
import shlex
from pathlib import Path
from typing import Any

from grader.cli import common
from grader.errors import CourseError
from grader.texts import translated

NEXT = """\
1. cd {folder}; grader lint              proves that the course is sound
2. grader check --dir solutions spread   shows what students see, here of the solution; without --dir, of the stub
3. change an exercise: one file each in exercises/, solutions/ and tests/hidden/, an entry in course.yaml"""


FROM_TESTS = """\
{first}
2. cd {folder}; grader lint     proves that the course is sound
3. write down the usual mistakes in tests/hidden/, and hints in course.yaml: see docs/writing-an-exercise.md"""
NO_SOLUTION = "1. write the solution into solutions/: {files}"
STARTED = translated("The course is in {folder}. Begin with: cd {folder}, and then: grader study")
DESCRIBE = "1. say in exercises/ what each function does: students read it"


@dataclasses.dataclass(frozen=True)
class NewOptions(common.Options):
    """What `grader new` is asked for."""

    folder: Path
    from_tests: Path | None
    solutions: Path | None


@dataclasses.dataclass(frozen=True)
class StartOptions(common.Options):
    """What `grader start` is asked for."""

    name: str | None
    folder: Path | None


def add(commands: Any) -> None:
    """Describe the commands to the parser."""
    what = "Make your own folder of a course that is installed."
    start = common.command(commands, "start", StartOptions, run_start, what, "grader start")
    start.add_argument("name", nargs="?", metavar="NAME", help="the course (default: the only one that is installed)")
    start.add_argument("folder", nargs="?", type=Path, metavar="DIR", help="the folder to make (default: NAME)")
    new = common.command(commands, "new", NewOptions, run_new, "Create a starter course.", "grader new my_course")
    new.add_argument("folder", type=Path, metavar="DIR", help="the folder to create it in")
    what = "turn these pytest tests into its checks; they are read, never run"
    new.add_argument("--from-tests", type=Path, metavar="TESTS", help=what)
    new.add_argument("--solutions", type=Path, metavar="DIR", help="the folder of the modules that the tests import")


def run_start(options: StartOptions) -> int:
    from grader.authoring import new_course

    name, files = new_course.installed(options.name)
    folder = options.folder or Path(name)
    new_course.write(folder, files)
    common.screen(options.lang).say(STARTED, folder=shlex.quote(str(folder)))
    return 0


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
    for line in found.refused:
        print(line)
    print(
        f"wrote a course into {options.folder}; exercises: {len(found.exercises)}, checks: {found.checks}, "
        f"tests not translated: {len(found.refused)}"
    )
    missing = ", ".join(f"{e.id}.py" for e in found.exercises.values() if not e.solution)
    first = NO_SOLUTION.format(files=missing) if missing else DESCRIBE
    print(FROM_TESTS.format(first=first, folder=shlex.quote(str(options.folder))))
    return 0
