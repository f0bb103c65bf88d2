"""What all commands share: their common options, the screen, the fork server, the folder of one's own files."""

from __future__ import annotations

import argparse
import dataclasses
import importlib.metadata
import importlib.util
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from grader import catalogues, packages
from grader.batch import WITHOUT_TORCH, ForkServer, course_languages, environment, kit_version, language
from grader.cli import plain_output
from grader.course import Course
from grader.errors import CourseError
from grader.report import seeds
from grader.sandbox.processes import RunOptions

if TYPE_CHECKING:
    from grader.rendering.terminal import Screen


@dataclasses.dataclass(frozen=True)
class Options:
    """The options of every command."""

    lang: str
    course: Path | None

    def on_cpu(self, only: Sequence[str] = ()) -> RunOptions:
        """What a grading process is opened with that need not use a GPU; for the exercises in `only`, or all."""
        return RunOptions("cpu", tuple(only), kit_version())


@dataclasses.dataclass(frozen=True)
class FolderOptions(Options):
    """The options of a command on a folder of exercise files."""

    dir: Path | None

    def folder(self, course: Course, packed: bool = False) -> Path:
        """The folder; with `packed` a single file will do. Raises CourseError if it is not there, or if a file that was
        named lies somewhere else."""
        found = self.dir or course.root / "exercises"
        if packed and found.is_file():
            return found
        if not found.is_dir():
            raise CourseError(f"{found}: no such folder; --dir names the folder with your exercise files")
        for path in map(Path, (*getattr(self, "ids", ()), *filter(None, [getattr(self, "id", None)]))):
            inside = path.is_file() and found.resolve() in path.resolve().parents
            if (path.is_file() and not inside) or (path.is_dir() and not course.meant(str(path)) and self.dir is None):
                where = path.parent if path.is_file() else path
                if where.resolve() != found.resolve() and path.resolve() != course.root.resolve():
                    raise CourseError(f"{path} is not in {found}, where your files are looked for; use --dir {where}")
        return found


@dataclasses.dataclass(frozen=True)
class TimedOptions(Options):
    """The options of a command that can be told anew what a RESULTS folder was graded with: when work came, who had
    more time, who is in the class."""

    times: Path | None
    extensions: Path | None
    roster: Path | None
    key: str | None


@dataclasses.dataclass(frozen=True)
class Run(Options):
    """The options of every command that runs suites; `ids` names exercises or units."""

    ids: tuple[str, ...]
    device: str
    seed: int | None

    def run_options(self, only: Sequence[str]) -> RunOptions:
        """What a grading process is opened with."""
        return RunOptions(self.device, tuple(only), kit_version())

    def versions(self, course: Course) -> dict[str, str]:
        """Everything beside the submission that a report depends on, by what to call it."""
        arrays = course.settings.arrays
        chosen = json.dumps([sorted(self.ids), self.device])
        numerical = {arrays: importlib.metadata.version(arrays), **packages.versions(course.settings.packages)}
        return {**course.digests(), "kit": kit_version(), **numerical, "options": chosen}


FOLDER = "the folder with your exercise files"
ANY_FORM = f"{FOLDER}, or a zip, a notebook or one student's download from a platform"
Kind = TypeVar("Kind", bound=Options)


def command(
    commands: Any, name: str, kind: type[Kind], run: Callable[[Kind], int], what: str, example: str
) -> argparse.ArgumentParser:
    """Describe a command to the parser: `run` is called with its options as a `kind`.

    Args:
        what: what it does, as a sentence of one line.
        example: command lines to copy; EXERCISE stands for an exercise of the course.
    """
    lines = "".join(f"\n  {line}" for line in example.splitlines())
    sub: argparse.ArgumentParser = commands.add_parser(
        name, description=what, epilog=f"example:{lines}", formatter_class=argparse.RawDescriptionHelpFormatter
    )
    sub.set_defaults(run=run, kind=kind)
    sub.add_argument("--lang", help="the language to speak (default: your system's, if the course has it)")
    sub.add_argument(
        "--course", type=Path, metavar="DIR", help="the course folder (default: the current folder or one above it)"
    )
    return sub


def run(parsed: argparse.Namespace) -> int:
    """Run the command that was typed; its exit code."""
    given = {f.name: getattr(parsed, f.name) for f in dataclasses.fields(parsed.kind)}
    frozen = {name: tuple(value) if isinstance(value, list) else value for name, value in given.items()}
    frozen["lang"] = _language(parsed.lang, parsed.course)
    if issubclass(parsed.kind, FolderOptions) and not frozen.get("json"):
        frozen["lang"] = plain_output.shown_in(str(frozen["lang"]))
    code: int = parsed.run(parsed.kind(**frozen))
    return code


def _language(asked: str | None, course: Path | None) -> str:
    """The language to speak. Raises CourseError for one in which there is nothing to say."""
    folder, named = course_languages(course)
    catalogues.take(folder, *named[:1])
    return language(asked, named)


def timed_options(sub: argparse.ArgumentParser) -> None:
    """The options of every command that can be told anew what a RESULTS folder was graded with."""
    sub.add_argument("--times", type=Path, metavar="CSV", help="times of handing in: columns student, time")
    sub.add_argument("--extensions", type=Path, metavar="CSV", help="extended deadlines: columns student, due, unit")
    sub.add_argument("--roster", type=Path, metavar="CSV", help="the class list, as your platform exports it")
    sub.add_argument("--key", metavar="COLUMN", help="the roster column to use as the student id")


def folder_option(sub: argparse.ArgumentParser, what: str = FOLDER) -> None:
    sub.add_argument("--dir", type=Path, metavar="DIR", help=f"{what} (default: exercises)")


def run_options(sub: argparse.ArgumentParser, reports: bool = False) -> None:
    """The options of every command that runs suites; with `reports`, a report may stand for its seed."""
    what = "where the checks run; auto, the default: on the CPU, and on CUDA too if there is a GPU"
    sub.add_argument("--device", choices=["auto", "cpu", "cuda"], default="auto", help=what)
    said = "use the inputs of this seed again" + (", or of this report in a RESULTS folder" if reports else "")
    sub.add_argument("--seed", type=seed if reports else int, metavar="N|REPORT" if reports else "N", help=said)


def seed(said: str) -> int:
    """The type of an option: a number, or a report of `grader grade`, whose inputs are to come again."""
    return int(said) if said.isdecimal() else seeds.of_report(Path(said))


def start_fork_server(course: Path | None = None, confined: bool = True) -> ForkServer:
    """Start importing torch as early as possible; the rest of the command happens meanwhile.

    course: the folder that `--course` names; a course of numpy needs no torch.
    """
    seen = environment(course)
    if WITHOUT_TORCH not in seen:
        need("torch")
    return ForkServer(seen, confined)


def need(package: str) -> None:
    """Raise ModuleNotFoundError unless this package is installed, before anything is done for which it is needed."""
    if importlib.util.find_spec(package) is None:
        raise ModuleNotFoundError(f"{package} is not installed", name=package)


def reports_in(results: Path) -> Path:
    """The folder of reports that `grader grade` wrote. Raises CourseError where there is none."""
    folder = results / "reports"
    if not folder.is_dir():
        raise CourseError(f"{results}: no folder reports in it; name the --out folder of `grader grade`")
    return folder


def screen(lang: str, stderr: bool = False) -> Screen:
    """Where to print."""
    from rich.console import Console

    from grader.rendering.terminal import Screen

    console = Console(stderr=stderr, highlight=False)
    if not console.is_terminal:
        console.width = 160
    return Screen(lang, console)
