"""What all commands share: their common options, the environment that is passed on, the screen, the warm process."""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import locale
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from grader.course import Course
    from grader.lanes import Warm
    from grader.render import Screen

KEPT = (
    "PATH",
    "LD_LIBRARY_PATH",
    "SYSTEMROOT",
    "TEMP",
    "TMP",
)  # what Python itself needs to start; nothing else is passed on


def command(commands: Any, name: str, run: Any, what: str) -> argparse.ArgumentParser:
    sub: argparse.ArgumentParser = commands.add_parser(name, help=what, description=f"{what[0].upper()}{what[1:]}.")
    sub.set_defaults(run=run)
    sub.add_argument("--lang", choices=["en", "zh"], default=default_language())
    sub.add_argument("--course", type=Path, default=Path(), metavar="DIR", help="the course folder (default: this one)")
    return sub


def default_language() -> str:
    """`zh` in a Chinese locale, else `en`."""
    named = next((v for k in ("LC_ALL", "LC_MESSAGES", "LANG") if (v := os.environ.get(k))), None)
    return "zh" if (named or locale.getlocale()[0] or "").lower().startswith(("zh", "chinese")) else "en"


def kit_version() -> str:
    try:
        return importlib.metadata.version("attention-kit")
    except importlib.metadata.PackageNotFoundError:
        return "unknown"


def start_warm(confined: bool) -> Warm:
    """Start importing torch as early as possible; the rest of the command happens meanwhile."""
    from grader.lanes import Warm

    return Warm(environment(), confined)


def environment() -> dict[str, str]:
    """What the processes that grade see of ours."""
    return {k: os.environ[k] for k in KEPT if k in os.environ}


def screen(lang: str, stderr: bool = False) -> Screen:
    from rich.console import Console

    from grader.render import Screen

    console = Console(stderr=stderr, highlight=False)
    if not console.is_terminal:
        console.width = 160
    return Screen(lang, console)


def lane_options(options: argparse.Namespace, only: Sequence[str]) -> dict[str, Any]:
    return {"lang": options.lang, "device": options.device, "only": list(only), "kit": kit_version()}


def fingerprint_context(course: Course, options: argparse.Namespace) -> dict[str, str]:
    """Everything beside the hand-in that a report depends on, by what to call it."""
    torch = importlib.metadata.version("torch")
    chosen = json.dumps([sorted(options.ids), options.device, options.lang])
    return {**course.digests(), "kit": kit_version(), "torch": torch, "options": chosen}


def run_options(sub: argparse.ArgumentParser) -> None:
    """The options of every command that runs suites."""
    sub.add_argument("--device", choices=["auto", "cpu", "cuda"], default="auto")
    sub.add_argument("--seed", type=int, metavar="N", help="repeat a run with the inputs of this seed")
