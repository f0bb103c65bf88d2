"""Makes a starter course: a small one of numpy, which `grader lint` finds sound, or one that pip has installed."""

from __future__ import annotations

import importlib.metadata
import importlib.resources
import json
import re
from collections.abc import Mapping
from pathlib import Path

from grader import atomic_write
from grader.course import nearest
from grader.errors import CourseError

FILES = Path(__file__).with_name("kit") / "new_course.txt"
INSTALLED = "grader_courses"
"""The group of the entry points that name a package and the course's folder in it, `package:folder`."""
_NAME = re.compile(r"^=== (\S+)\n", re.MULTILINE)


def files(title: str) -> dict[str, str]:
    """Return the files of a course with this title, by their paths."""
    _, *parts = _NAME.split(FILES.read_text(encoding="utf-8"))
    texts = dict(zip(parts[::2], parts[1::2], strict=True))
    titles = {"course.yaml": json.dumps(title, ensure_ascii=False), "README.md": title}
    return {path: text.replace("@title@", titles.get(path, "")) for path, text in texts.items()}


def installed(name: str | None) -> tuple[str, dict[str, bytes]]:
    """Return the installed course of this name, or the only one: its name, and its files by their paths.

    Raises:
        CourseError: there is none, or there are several and none is named.
    """
    known = {entry.name: entry for entry in importlib.metadata.entry_points(group=INSTALLED)}
    if not known:
        raise CourseError("no course is installed here; install one with pip, or make your own with `grader new DIR`")
    if name is None and len(known) > 1:
        raise CourseError(f"several courses are installed; name one of them: {', '.join(sorted(known))}")
    name = name or next(iter(known))
    if name not in known:
        raise CourseError(f"there is no installed course {name!r}{nearest(name, sorted(known))}")
    folder = Path(str(importlib.resources.files(known[name].module))) / known[name].attr
    paths = (p for p in sorted(folder.rglob("*")) if p.is_file() and "__pycache__" not in p.parts)
    return name, {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def title_of(folder: Path) -> str:
    """Return the title for a course in this folder."""
    title = folder.resolve().name.replace("_", " ").replace("-", " ").strip() or "course"
    return title[0].upper() + title[1:]


def write(folder: Path, texts: Mapping[str, str | bytes]) -> list[Path]:
    """Write the files of a course into a folder that is empty or does not exist yet; return their paths.

    Raises:
        CourseError: the folder holds something, or cannot be written to.
    """
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise CourseError(f"{folder}: is there already; name a folder that is empty or not there yet")
        for path, text in texts.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            atomic_write.write(folder / path, text)
    except OSError as error:
        raise CourseError(f"{folder}: cannot be written to: {error.strerror}") from error
    return [folder / path for path in texts]
