"""The command line: parse, call one function, exit. Each module beside this one describes and runs a few commands."""

from __future__ import annotations

import argparse
import contextlib
import difflib
import os
import re
import sys
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, NoReturn

from grader import packages
from grader.batch import kit_version
from grader.cli import (
    answers,
    check,
    debug,
    desk,
    docs,
    doctor,
    essays,
    export,
    forget,
    generate,
    grade,
    learn,
    lessons,
    lint,
    new,
    override,
    pack,
    plain_output,
    release,
    report,
    study,
    translate,
    viva,
)  # fmt: skip
from grader.cli.common import run
from grader.course import course as courses
from grader.errors import CourseError, GraderError

READERS = {  # as --help lists the commands
    "to learn": (
        new.run_start, study.run_study, learn.run_watch, check.run_check, learn.run_next, learn.run_list,
        learn.run_progress, learn.run_hint, lessons.run_lesson, lessons.run_book, debug.run_debug,
        generate.run_generate,
        answers.run_answers, learn.run_reset, translate.run_translate,
    ),
    "to hand in": (pack.run_pack,),
    "to teach": (
        release.run_release, grade.run_grade, desk.run_desk, report.run_report, essays.run_essays, viva.run_viva,
        override.run_override, export.run_export, forget.run_forget, doctor.run_doctor,
    ),
    "to write a course": (new.run_new, lint.run_lint, docs.run_docs),
}  # fmt: skip

OPTIONAL = {
    "jinja2": "pages",
    "torch": "torch",
    "nicegui": "study",
    "starlette": "study",
    "uvicorn": "study",
    "latex2mathml": "study",
}  # what not every installation needs, with the extra that brings it
NO_CHOICE = re.compile(r"argument (\S+): invalid choice: '(.*?)' \(choose from (.*)\)", re.DOTALL)
SAME_AS = {
    "help": "--help",
    "version": "--version",
    "ls": "list",
    "status": "progress",
    "score": "progress",
    "test": "check",
    "run": "check",
    "verify": "check",
    "open": "watch",
    "undo": "reset",
    "submit": "pack",
    "setup": "doctor",
    "init": "new",
    "create": "new",
    "manual": "docs",
    "mark": "grade",
    "regrade": "grade --regrade",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; return its exit code."""
    plain_output.allow()
    top = parser()
    try:
        code = run(top.parse_args(top.in_order(sys.argv[1:] if arguments is None else arguments)))
        sys.stdout.flush()  # what cannot be written is known now, not when all is over
        return code
    except CourseError as error:
        print(f"grader: {error}", file=sys.stderr)
        return 2
    except GraderError as error:
        print(f"grader: {error}", file=sys.stderr)
        return 3
    except ModuleNotFoundError as error:
        said = f"a part of the installation is gone ({error}); run `make setup` again"
        if error.name in OPTIONAL:
            extra = f"or install the kit with its extra, [{OPTIONAL[error.name]}]"
            said = f"this needs {error.name}, which is not installed: pip install {error.name}, {extra}"
        print(f"grader: {said}", file=sys.stderr)
        return 3
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # which Python writes to once more
        if isinstance(error, BrokenPipeError):
            return 1
        print(f"grader: {error}", file=sys.stderr)
        return 3
    except KeyboardInterrupt:
        print("\ngrader: stopped; what was graded is kept", file=sys.stderr)
        return 130


class Parser(argparse.ArgumentParser):
    """Says in one line what is wrong with the arguments. Names may stand before, between and after the options."""

    commands: Collection[str] = ()
    _intermixed = False

    def parse_known_args(  # type: ignore[override] # which has an overload for each type of namespace
        self, args: Sequence[str] | None = None, namespace: Any = None
    ) -> tuple[Any, list[str]]:
        if self.commands or self._intermixed:  # which Pythons before 3.12 ask for within the other
            return super().parse_known_args(args, namespace)
        self._intermixed = True
        found, unknown = self.parse_known_intermixed_args(args, namespace)
        self._intermixed = False
        if unknown:
            named = unknown[0].partition("=")[0]
            options = re.findall(r"--([\w-]+)", self.format_usage())
            close = difflib.get_close_matches(named.lstrip("-"), options, 1)
            instead = f"did you mean --{close[0]}?" if close else f"`{self.prog} --help` lists all"
            option = named.startswith("-")
            what = f"there is no option {named} in" if option else f"{named} is one name too many for"
            self.exit(2, f"grader: {what} `{self.prog}`; {instead}\n")
        return found, unknown

    def format_help(self) -> str:
        """Format the help as argparse does; if an example names an exercise, use the course's first."""
        text = super().format_help()
        if "EXERCISE" in text:
            with contextlib.suppress(GraderError):
                text = text.replace("EXERCISE", courses.find(None).steps[0].id)
        return text

    def in_order(self, arguments: Sequence[str]) -> Sequence[str]:
        """Return the arguments with the command first: `--lang zh check` is `check --lang zh`."""
        at = next((n for n, argument in enumerate(arguments) if argument in self.commands), 0)
        ahead = arguments[:at]
        if not ahead or not ahead[0].startswith("-") or {"-h", "--help", "--version"} & set(ahead):
            return arguments
        return [arguments[at], *ahead, *arguments[at + 1 :]]

    def error(self, message: str) -> NoReturn:
        if wrong := NO_CHOICE.match(message):
            what, typed, choices = wrong[1], wrong[2], re.findall(r"[\w-]+", wrong[3])
            if what == "COMMAND":
                self.exit(2, f"{self.prog}: there is no command {typed!r}; {self._command_meant(typed, choices)}\n")
            if close := difflib.get_close_matches(typed, choices, 1):
                self.exit(2, f"{self.prog}: {what} has no {typed!r}; did you mean {close[0]!r}?\n")
        if message.endswith("COMMAND"):
            message = f"which command? `{self.prog} check` checks your work"
        self.exit(2, f"{self.prog}: {message}; see `{self.prog} --help`\n")

    def _command_meant(self, typed: str, commands: Sequence[str]) -> str:
        """Return a suggestion for an unknown command."""
        close = difflib.get_close_matches(typed, [*commands, *SAME_AS], 1)
        meant = [SAME_AS.get(name, name) for name in close]
        if not meant and any(Path(folder, f"{Path(typed).stem}.py").is_file() for folder in ("exercises", "")):
            meant = [f"check {typed}"]
        return f"did you mean `{self.prog} {meant[0]}`?" if meant else f"`{self.prog} --help` lists all"


def parser() -> Parser:
    """Return the parser of all commands; nothing heavy is imported before one of them runs."""
    top = Parser(
        prog="grader", usage="grader COMMAND ...", formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Check and grade a course of numerical Python.",
    )  # fmt: skip
    top.add_argument("--version", action="version", version=f"{packages.DISTRIBUTION} {kit_version()}")
    commands = top.add_subparsers(prog="grader", required=True, metavar="COMMAND", help=argparse.SUPPRESS)
    lines = []
    for reader, theirs in READERS.items():
        lines += [f"{reader}:", *(f"    {c.name:<10} {c.what}" for c in theirs), ""]
        for command in theirs:
            command.add_to(commands)
    top.commands = commands.choices
    top.epilog = "\n".join([*lines, "`grader COMMAND --help` shows the options of a command, with an example."])
    return top
