"""The surroundings of a run: our version, the environment that started processes see, the language of the system."""

from __future__ import annotations

import contextlib
import locale
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path

import yaml

from grader import catalogues, packages
from grader.course import course as courses
from grader.course import strict_yaml
from grader.course.strict_yaml import value_of
from grader.errors import CourseError
from grader.texts import LANGUAGES

WITHOUT_TORCH = "GRADER_WITHOUT_TORCH"  # as in `grader.arrays`, which imports torch
# What Python needs to start; nothing else is passed on. Where strangers are graded, PATH would tell of the instructor.
KEPT = ("LD_LIBRARY_PATH",) if sys.platform == "linux" else ("PATH", "LD_LIBRARY_PATH", "SYSTEMROOT", "TEMP", "TMP")


def environment(course: Path | None = None) -> dict[str, str]:
    """Return the environment of grading processes: some of our variables, and what the course from here up asks for.

    `arrays: numpy` leaves torch out, as does a course that cannot be read; `packages` names what else is imported.

    Raises:
        MachineError: one of those packages is not installed.
    """
    kept = {k: os.environ[k] for k in KEPT if k in os.environ}
    _, node = _course_file(course)
    if node is None or getattr(value_of(node, "arrays"), "value", "") == "numpy":
        kept[WITHOUT_TORCH] = "1"
    if asked := packages.versions(course_packages(course)):
        kept[packages.VARIABLE] = " ".join(asked)
    return kept


def course_packages(course: Path | None = None) -> list[str]:
    """Return the packages that the course from here up names, of those that there are.

    What else it names is an error of whoever loads the course.
    """
    named = _listed(_course_file(course)[1], "packages")
    return [name for name in packages.KNOWN if name in named]


def course_languages(course: Path | None = None) -> tuple[Path, list[str]]:
    """Return the folder of the course from here up, and the languages that it is in; none where it cannot be read."""
    folder, node = _course_file(course)
    return folder, [*LANGUAGES] if node and not value_of(node, "languages") else _listed(node, "languages")


def _course_file(course: Path | None) -> tuple[Path, yaml.Node | None]:
    """Return the folder of the course from here up, and its course.yaml, parsed; None where it cannot be read."""
    folder = courses.folder_of(course)
    with contextlib.suppress(OSError, UnicodeError, yaml.YAMLError):  # whoever loads the course says so
        if folder:
            return folder, strict_yaml.composed((folder / courses.FILE).read_text(encoding="utf-8"))
    return folder or (course or Path()).resolve(), None


def _listed(node: yaml.Node | None, key: str) -> list[str]:
    """Return the words of the list under this key of course.yaml; none where there is no list."""
    found = value_of(node, key)
    return [str(item.value) for item in found.value] if isinstance(found, yaml.SequenceNode) else []


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
