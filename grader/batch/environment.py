"""The surroundings of a run: our version, the environment that started processes see, the language of the system."""

from __future__ import annotations

import contextlib
import locale
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

from grader import catalogues, packages
from grader.errors import CourseError
from grader.texts import LANGUAGES

WITHOUT_TORCH = "GRADER_WITHOUT_TORCH"  # as in `grader.arrays`, which imports torch
_LIST = r"^%s:.*(\n[ \t]*-.*|\n[ \t]+.*|\n[ \t]*#.*)*"
_NUMPY = re.compile(rb"^arrays:\s*numpy\s*(#|$)", re.MULTILINE)
# What Python needs to start; nothing else is passed on. Where strangers are graded, PATH would tell of the instructor.
KEPT = ("LD_LIBRARY_PATH",) if sys.platform == "linux" else ("PATH", "LD_LIBRARY_PATH", "SYSTEMROOT", "TEMP", "TMP")


def environment(course: Path | None = None) -> dict[str, str]:
    """Return the environment of grading processes: some of our variables, and what the course from here up asks for.

    The processes start before course.yaml is read, so it is searched for two lines here: `arrays: numpy` leaves torch
    out, and `packages` names what else is imported. Raises MachineError if one of those packages is not installed.
    """
    kept = {k: os.environ[k] for k in KEPT if k in os.environ}
    if _NUMPY.search(_course_file(course)[1]):
        kept[WITHOUT_TORCH] = "1"
    if asked := packages.versions(course_packages(course)):
        kept[packages.VARIABLE] = " ".join(asked)
    return kept


def _course_file(course: Path | None) -> tuple[Path, bytes]:
    """The folder of the course from here up, and what its course.yaml holds; nothing where there is none."""
    try:
        start = (course or Path()).resolve()
    except FileNotFoundError as error:
        raise CourseError("the folder in which this was started is gone; go to the course's folder") from error
    with contextlib.suppress(OSError):  # whoever loads the course says so
        for folder in (start, *start.parents):
            if (folder / "course.yaml").is_file():
                return folder, (folder / "course.yaml").read_bytes()
    return start, b""


def course_packages(course: Path | None = None) -> list[str]:
    """The packages that the course from here up names, of those that there are; like `environment` before it is read.

    What else it names is an error of whoever reads it.
    """
    named = _listed(_course_file(course)[1], "packages")
    return [name for name in packages.KNOWN if name in named]


def _listed(text: bytes, key: str, named: Any = ()) -> list[str]:
    """The list that stands under this key of course.yaml; `named` where there is none."""
    with contextlib.suppress(yaml.YAMLError):  # as above
        if found := re.search((_LIST % key).encode(), text, re.MULTILINE):
            named = yaml.safe_load(found[0])[key]
    return [*map(str, named)] if isinstance(named, list | tuple) else []


def course_languages(course: Path | None = None) -> tuple[Path, list[str]]:
    """The folder of the course, and the languages that its file names; like `environment` before it is read."""
    folder, text = _course_file(course)
    return folder, _listed(text, "languages", LANGUAGES if text else ())


def language(asked: str | None, languages: Sequence[str]) -> str:
    """The language to speak in a course that is in `languages`, or in none that is known.

    Raises:
        CourseError: nothing is said in the one that was asked for.
    """
    if asked is None:
        return default_language(languages or LANGUAGES)
    known = {lang.lower(): lang for lang in (*catalogues.languages(), *languages)}
    plain = re.sub(r"[_.@]", "-", asked.lower())  # zh_CN.UTF-8
    if (found := known.get(plain) or known.get(plain.partition("-")[0])) is None:
        have = f"this course is in {' and '.join(languages)}" if languages else f"there is {' and '.join(LANGUAGES)}"
        raise CourseError(f"--lang: invalid choice: {asked!r}; {have}")
    return found


def default_language(languages: Sequence[str] = LANGUAGES) -> str:
    """Return which of the languages the system uses; Chinese on any Chinese system; else English, or the first."""
    named = next((v for k in ("LC_ALL", "LC_MESSAGES", "LANG") if (v := os.environ.get(k))), None)
    system = (named or locale.getlocale()[0] or "").lower()
    system = "zh" if system.startswith("chinese") else re.split(r"[_.@-]", system)[0]
    fitting = (lang for lang in languages if lang.partition("-")[0] == system)
    return next(fitting, "zh" if system == "zh" else "en" if "en" in languages else languages[0])


def kit_version() -> str:
    """The version of this package, "unknown" where it is not installed."""
    return packages.version(packages.DISTRIBUTION) or "unknown"
