"""Submissions to the toy course as the tests of the intake make them: folders and zips, and what is read from them."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from pathlib import Path

from support import TOY

from grader.course import course as courses
from grader.intake import Source, Submission, load

COURSE = courses.load(TOY)
KB = COURSE.settings.limits.source_kb
SOURCE = "def scale(x):\n    return x\n"
OTHER = "def scale(x):\n    return 2 * x\n"
STUB = (TOY / "exercises" / "scale.py").read_bytes()


def folder(tmp_path: Path, name: str = "s1", /, **files: bytes | str) -> Path:
    """`folder(tmp_path, scale="...")` is a folder with this `scale.py`."""
    path = tmp_path / name
    path.mkdir()
    for stem, data in files.items():
        (path / f"{stem}.py").write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def tree(tmp_path: Path, files: dict[str, bytes | str], name: str = "s1") -> Path:
    """A folder with these files, by their paths in it."""
    for inside, data in files.items():
        path = tmp_path / name / inside
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data.encode() if isinstance(data, str) else data)
    return tmp_path / name


def zipped(
    tmp_path: Path, members: Sequence[tuple[str | zipfile.ZipInfo, bytes | str]], name: str = "s1.zip"
) -> Path:  # fmt: skip
    """A zip with these members, in this order; one may be there twice."""
    path = tmp_path / name
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for member, data in members:
            archive.writestr(member, data)
    return path


def read(path: Path) -> Submission:
    """What the toy course finds there."""
    return load(path, COURSE)


def scale_of(path: Path) -> Source:
    """What is read for the exercise `scale`."""
    return read(path).sources["scale"]


def refusal(path: Path) -> str:
    """Why there is no source for the exercise `scale`."""
    source = scale_of(path)
    assert source.text is None
    assert source.refused is not None
    assert source.refused.to("zh") != source.refused.to("en")
    return source.refused.to("en")


def whole_refusal(path: Path) -> str:
    """Why nothing of it could be used."""
    found = read(path)
    assert found.sources == {}
    assert found.refused is not None
    assert found.refused.to("zh") != found.refused.to("en")
    return found.refused.to("en")
