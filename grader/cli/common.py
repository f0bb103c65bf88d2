"""The common parts of commands: options, the screen, the fork server, the folder of the learner's files."""

from __future__ import annotations

import argparse
import dataclasses
import functools
import importlib.metadata
import importlib.util
import json
import sys
import webbrowser
from collections.abc import Callable, Sequence
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Annotated, Any, get_args, get_origin, get_type_hints

from grader import catalogues, packages
from grader.batch import WITHOUT_TORCH, ForkServer, course_languages, environment, kit_version, language
from grader.cli import plain_output
from grader.course import Course
from grader.errors import CourseError
from grader.report import seeds
from grader.sandbox.processes import RunOptions
from grader.texts import Text, translated

if TYPE_CHECKING:
    from grader.rendering.terminal import Screen


NO_BROWSER = translated("No browser could be opened here; open this address yourself.")
FOLDER = "the folder with your exercise files"
ANY_FORM = f"{FOLDER}, or a zip, a notebook or one student's download from a platform"
DEVICE = "the device for the checks; auto, the default: the CPU, and CUDA too if there is a GPU"


def option(what: str, metavar: str | None = None, flag: str = "", **how: Any) -> dict[str, Any]:
    """Describe how a field of an options class is typed: as `--its-name METAVAR`, or by another `flag`.

    A field that is true or false takes no value, one of many may be repeated. `how` is for argparse.
    """
    return {"help": what, "flag": flag or "--{name}", **({"metavar": metavar} if metavar else {}), **how}


def name(metavar: str, what: str) -> dict[str, Any]:
    """Describe a field that is typed without an option before it."""
    return {"help": what, "metavar": metavar}


def folder(what: str) -> dict[str, Any]:
    """Describe the option for the folder of exercise files."""
    return option(f"{what} (default: exercises)", "DIR", flag="--dir")


def seed(said: str) -> int:
    """Convert an option: a number, or a report of `grader grade` whose inputs are to be used again."""
    return int(said) if said.isdecimal() else seeds.of_report(Path(said))


@dataclasses.dataclass(frozen=True)
class Options:
    """The options of every command. Each field says how it is typed."""

    lang: Annotated[str, option("the language of the output (default: your system's, if the course has it)")]
    course: Annotated[Path | None, option("the course folder (default: the current folder or one above it)", "DIR")]

    def on_cpu(self, only: Sequence[str] = ()) -> RunOptions:
        """Return the options of a grading process without a GPU; for the exercises in `only`, or all."""
        return RunOptions("cpu", tuple(only), kit_version())


@dataclasses.dataclass(frozen=True)
class FolderOptions(Options):
    """The options of a command on a folder of exercise files."""

    dir: Annotated[Path | None, folder(FOLDER)]

    def folder(self, course: Course, packed: bool = False) -> Path:
        """Return the folder; with `packed` a single file, too. Raises CourseError if it does not exist, or if a named
        file lies in another one.
        """
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


def port(said: str) -> int:
    """The type of an option: a port."""
    if said.isdecimal() and int(said) < 1 << 16:
        return int(said)
    raise argparse.ArgumentTypeError(f"a port is a number from 0 to 65535, not {said!r}")


@dataclasses.dataclass(frozen=True)
class PageOptions(Options):
    """The options of a command that opens pages in a browser."""

    port: Annotated[int | None, option("the port of the page (default: 8300, or one that is free)", "N", type=port)]
    browser: Annotated[bool, option("print the address only", flag="--no-browser", action="store_false")]

    def show(self, screen: Screen, said: Text, address: str, **values: object) -> None:
        """Say where the pages are, and open them."""
        screen.say(said, "", address=address, **values)
        sys.stdout.flush()
        if self.browser and not webbrowser.open(address):
            screen.say(NO_BROWSER)


@dataclasses.dataclass(frozen=True)
class TimedOptions(Options):
    """The options of a command that can replace the data of a RESULTS folder: times, extensions, class list."""

    times: Annotated[Path | None, option("table with the time of each submission: columns student, time", "CSV")]
    extensions: Annotated[Path | None, option("table of extended deadlines: columns student, due, unit", "CSV")]
    roster: Annotated[Path | None, option("the class list, as your platform exports it", "CSV")]
    key: Annotated[str | None, option("the roster column to use as the student id", "COLUMN")]


@dataclasses.dataclass(frozen=True)
class DeviceOptions(Options):
    """The options of every command that runs suites."""

    device: Annotated[str, option(DEVICE, choices=["auto", "cpu", "cuda"], default="auto")]
    seed: Annotated[int | None, option("use the inputs of this seed again", "N")]


@dataclasses.dataclass(frozen=True)
class SuiteOptions(DeviceOptions):
    """The options of a command that runs the suites of exercises or units, which `ids` names."""

    ids: tuple[str, ...]

    def run_options(self, only: Sequence[str]) -> RunOptions:
        """Return the options of a grading process."""
        return RunOptions(self.device, tuple(only), kit_version())

    def versions(self, course: Course) -> dict[str, str]:
        """Return everything beside the submission that a report depends on, by name."""
        arrays = course.settings.arrays
        chosen = json.dumps([sorted(self.ids), self.device])
        numerical = {arrays: importlib.metadata.version(arrays), **packages.versions(course.settings.packages)}
        return {**course.digests(), "kit": kit_version(), **numerical, "options": chosen}


@dataclasses.dataclass(frozen=True)
class Command:
    """A command: `run` is called with a `kind`, whose fields say how they are typed.

    Attributes:
        what: its purpose, as a sentence of one line.
        example: command lines to copy; EXERCISE stands for an exercise of the course.
    """

    name: str
    kind: type[Options]
    run: Callable[[Any], int]
    what: str
    example: str

    @functools.cached_property
    def hints(self) -> dict[str, Any]:
        """The fields of the options with what is said about each; a process may build several parsers."""
        return get_type_hints(self.kind, include_extras=True)

    def add_to(self, commands: Any) -> None:
        """Describe the command to the parser."""
        lines = "".join(f"\n  {line}" for line in self.example.splitlines())
        sub: argparse.ArgumentParser = commands.add_parser(
            self.name, description=self.what, epilog=f"example:{lines}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )  # fmt: skip
        sub.set_defaults(run=self.run, kind=self.kind)
        hints = self.hints
        first = {*Options.__annotations__, *self.kind.__annotations__}
        for field in sorted(hints, key=lambda f: f not in first):  # what all commands have, its own, what some share
            if get_origin(hints[field]) is Annotated:
                _take(sub, field, *get_args(hints[field]))


def command(name: str, what: str, example: str) -> Callable[[Callable[[Any], int]], Command]:
    """Turn a function into a command, whose `options` say how it is typed."""
    return lambda run: Command(name, get_type_hints(run)["options"], run, what, example)


def _take(sub: argparse.ArgumentParser, field: str, kind: Any, how: dict[str, Any]) -> None:
    """Add a field typed as `option` and `name` say; its type says the rest."""
    of = [k for k in get_args(kind) or (kind,) if k is not NoneType]
    found: dict[str, Any] = {"action": "store_true"} if of[0] is bool else {"type": of[0]}
    many = get_origin(kind) is tuple
    if "flag" in how:
        found |= {"action": "append", "default": []} if many else {}
        flag, how = how["flag"].format(name=field.replace("_", "-")), {k: v for k, v in how.items() if k != "flag"}
        sub.add_argument(flag, dest=field, **found | how)
    else:
        found |= {"nargs": "*"} if many else {"nargs": "?"} if NoneType in get_args(kind) else {}
        sub.add_argument(field, **found | how)


def run(parsed: argparse.Namespace) -> int:
    """Run the typed command; return its exit code. Raises CourseError for an unknown language."""
    given = {f.name: getattr(parsed, f.name) for f in dataclasses.fields(parsed.kind)}
    frozen = {name: tuple(value) if isinstance(value, list) else value for name, value in given.items()}
    root, languages = course_languages(parsed.course)
    catalogues.take(root, *languages[:1])
    frozen["lang"] = language(parsed.lang, languages)
    if issubclass(parsed.kind, FolderOptions) and not frozen.get("json"):
        frozen["lang"] = plain_output.shown_in(str(frozen["lang"]))
    code: int = parsed.run(parsed.kind(**frozen))
    return code


def start_fork_server(course: Path | None = None, confined: bool = True) -> ForkServer:
    """Start importing torch as early as possible; the rest of the command happens meanwhile.

    course: the folder that `--course` names; a course of numpy needs no torch.
    """
    seen = environment(course)
    if WITHOUT_TORCH not in seen:
        need("torch")
    return ForkServer(seen, confined)


def need(package: str) -> None:
    """Raise ModuleNotFoundError unless this package is installed, before any work that needs it."""
    if importlib.util.find_spec(package) is None:
        raise ModuleNotFoundError(f"{package} is not installed", name=package)


def reports_in(results: Path) -> Path:
    """Return the folder of reports that `grader grade` wrote. Raises CourseError if there is none."""
    folder = results / "reports"
    if not folder.is_dir():
        raise CourseError(f"{results}: no folder reports in it; name the --out folder of `grader grade`")
    return folder


def screen(lang: str, stderr: bool = False) -> Screen:
    """Return the screen to print on."""
    from rich.console import Console

    from grader.rendering.terminal import Screen

    console = Console(stderr=stderr, highlight=False)
    if not console.is_terminal:
        console.width = 160
    return Screen(lang, console)
