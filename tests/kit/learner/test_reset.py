"""Stubs that are put back: the work that was there is kept, and nothing but an untouched stub takes its place."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from grader.course import course as courses
from grader.learner import reset
from grader.learner.progress import Progress
from grader.report import ExerciseReport

NOT_BEGUN = ExerciseReport("scale", "failed", "...", 0.0, 4.0, started=False, stub=True)


@pytest.fixture
def course(toy_copy):
    return courses.load(toy_copy)


@pytest.fixture
def progress(course):
    return Progress(course, course.root / "exercises")


def untouched(source: str) -> bool:
    return "raise NotImplementedError" in source


def git(folder: Path, *arguments: str) -> None:
    author = ["-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "-C", str(folder), *author, *arguments], check=True, capture_output=True)


@pytest.fixture
def checkout(course):
    """The toy course as a git checkout."""
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    git(course.root, "init", "-q")
    git(course.root, "add", ".")
    git(course.root, "commit", "-q", "-m", "the course")
    return course


def test_reset_takes_the_stub_from_git(checkout):
    path = checkout.root / "exercises" / "scale.py"
    stub = path.read_bytes()
    path.write_text("my work\n")
    done = reset.reset(checkout, "scale", path, untouched)
    assert path.read_bytes() == stub
    assert (checkout.root / ".grader" / "backups" / "scale.1.py").read_text() == "my work\n"
    assert done.to("en") == "scale.py is the stub again; your work is in .grader/backups/scale.1.py"


def test_reset_passes_over_work_that_was_committed(checkout):
    path = checkout.root / "exercises" / "scale.py"
    stub = path.read_bytes()
    path.write_text("my work\n")
    git(checkout.root, "commit", "-q", "-a", "-m", "my work")
    done = reset.reset(checkout, "scale", path, untouched)
    assert path.read_bytes() == stub
    assert "is the stub again" in done.to("en")


def test_reset_takes_the_newest_stub(checkout):
    path = checkout.root / "exercises" / "scale.py"
    newer = path.read_text(encoding="utf-8") + "# clearer now\n"
    path.write_text(newer, encoding="utf-8")
    git(checkout.root, "commit", "-q", "-a", "-m", "an upgrade")
    path.write_text("my work\n")
    reset.reset(checkout, "scale", path, untouched)
    assert path.read_text(encoding="utf-8") == newer


def test_backups_are_numbered(checkout):
    path = checkout.root / "exercises" / "scale.py"
    for n in (1, 2, 3):
        path.write_text(f"attempt {n}\n")
        reset.reset(checkout, "scale", path, untouched)
    backups = checkout.root / ".grader" / "backups"
    assert [(backups / f"scale.{n}.py").read_text() for n in (1, 2, 3)] == [f"attempt {n}\n" for n in (1, 2, 3)]


def test_reset_of_the_stub_changes_nothing(checkout):
    done = reset.reset(checkout, "scale", checkout.root / "exercises" / "scale.py", untouched)
    assert done.to("en") == "scale.py is the stub already; nothing was changed"
    assert not (checkout.root / ".grader").exists()


def test_reset_brings_a_deleted_file_back(checkout):
    path = checkout.root / "exercises" / "scale.py"
    stub = path.read_bytes()
    path.unlink()
    done = reset.reset(checkout, "scale", path, untouched)
    assert path.read_bytes() == stub
    assert done.to("en") == "scale.py is there again, untouched"


def test_reset_without_git_takes_the_copy_that_was_kept(progress, course):
    path = course.root / "exercises" / "scale.py"
    stub = path.read_text(encoding="utf-8")
    progress.note([NOT_BEGUN], {"scale": stub})
    progress.note([NOT_BEGUN], {"scale": "what comes later is not the stub"})
    path.write_text("my work\n")
    reset.reset(course, "scale", path, untouched)
    assert path.read_text(encoding="utf-8") == stub


def test_reset_where_no_stub_is_known(course):
    path = course.root / "exercises" / "scale.py"
    path.write_text("my work\n")
    with pytest.raises(reset.NotReset) as error:
        reset.reset(course, "scale", path, untouched)
    assert "no untouched copy of it is known: the course folder is not a git checkout" in error.value.reason.to("en")
    assert "Copy it from where you got the course. Nothing was changed." in error.value.reason.to("en")
    assert "没有改动任何文件" in error.value.reason.to("zh")
    assert path.read_text() == "my work\n"
    assert not (course.root / ".grader").exists()


def test_reset_that_cannot_write_changes_nothing(checkout, monkeypatch):
    path = checkout.root / "exercises" / "scale.py"
    path.write_text("my work\n")
    (checkout.root / ".grader").write_text("a file in the way")
    with pytest.raises(reset.NotReset) as error:
        reset.reset(checkout, "scale", path, untouched)
    assert "not reset, nothing was changed: " in error.value.reason.to("en")
    assert path.read_text() == "my work\n"
