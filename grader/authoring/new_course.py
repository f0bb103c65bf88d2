"""A small course to begin with: one exercise and one question of numpy, in English, which `grader lint` finds sound."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

from grader import whole_files
from grader.errors import CourseError

FILES = Path(__file__).with_name("kit") / "new_course.txt"
_NAME = re.compile(r"^=== (\S+)\n", re.MULTILINE)


def files(title: str) -> dict[str, str]:
    """The files of a course with this title, by their paths."""
    _, *parts = _NAME.split(FILES.read_text(encoding="utf-8"))
    texts = dict(zip(parts[::2], parts[1::2], strict=True))
    titles = {"course.yaml": json.dumps(title, ensure_ascii=False), "README.md": title}
    return {path: text.replace("@title@", titles.get(path, "")) for path, text in texts.items()}


def title_of(folder: Path) -> str:
    """What a course in this folder is called."""
    title = folder.resolve().name.replace("_", " ").replace("-", " ").strip() or "course"
    return title[0].upper() + title[1:]


def write(folder: Path, texts: Mapping[str, str]) -> list[Path]:
    """Write the files of a course into a folder that is empty or not there yet; their paths.

    Raises:
        CourseError: the folder holds something, or cannot be written to.
    """
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise CourseError(f"{folder}: is there already; name a folder that is empty or not there yet")
        for path, text in texts.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            whole_files.write(folder / path, text)
    except OSError as error:
        raise CourseError(f"{folder}: cannot be written to: {error.strerror}") from error
    return [folder / path for path in texts]
