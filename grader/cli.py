"""The command line: parse, call one function, exit. Each `cmd_*` module describes and runs a few commands."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from grader import (
    cmd_answers,
    cmd_check,
    cmd_course,
    cmd_export,
    cmd_grade,
    cmd_learn,
    cmd_pack,
    cmd_release,
    cmd_report,
)
from grader.console import kit_version
from grader.errors import CourseError, GraderError

COMMANDS = (  # in the order in which --help lists them
    cmd_check, cmd_learn, cmd_answers, cmd_pack, cmd_release, cmd_grade, cmd_report, cmd_export, cmd_course,
)  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; its exit code."""
    options = parser().parse_args(arguments)
    try:
        code: int = options.run(options)
        return code
    except CourseError as error:
        print(f"grader: {error}", file=sys.stderr)
        return 2
    except GraderError as error:
        print(f"grader: {error}", file=sys.stderr)
        return 3
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 1
    except KeyboardInterrupt:
        print("\ngrader: stopped; what was graded is kept", file=sys.stderr)
        return 130


def parser() -> argparse.ArgumentParser:
    """All commands; nothing heavy is imported before one of them runs."""
    top = argparse.ArgumentParser(prog="grader", description="Check and grade the attention course.")
    top.add_argument("--version", action="version", version=f"attention-kit {kit_version()}")
    commands = top.add_subparsers(title="commands", required=True, metavar="COMMAND")
    for module in COMMANDS:
        module.add(commands)
    return top


if __name__ == "__main__":
    sys.exit(main())
