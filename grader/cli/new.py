"""`grader new DIR`: a course to begin with."""

from __future__ import annotations

import dataclasses
import shlex
from pathlib import Path
from typing import Any

from grader.cli import common

NEXT = """\
1. cd {folder}; grader lint              proves that the course is sound
2. grader check --dir solutions spread   shows what students see, here of the solution; without --dir, of the stub
3. change an exercise: one file each in exercises/, solutions/ and tests/hidden/, an entry in course.yaml"""


@dataclasses.dataclass(frozen=True)
class NewOptions(common.Options):
    """What `grader new` is asked for."""

    folder: Path


def add(commands: Any) -> None:
    """Describe the command to the parser."""
    new = common.command(commands, "new", NewOptions, run_new, "write a small course to begin with")
    new.add_argument("folder", type=Path, metavar="DIR", help="where it goes")


def run_new(options: NewOptions) -> int:
    from grader.authoring import new_course

    written = new_course.write(options.folder)
    print(f"wrote a course of {len(written)} files into {options.folder}")
    print(NEXT.format(folder=shlex.quote(str(options.folder))))
    return 0
