"""The wheel holds all of the engine: installed where no checkout is, it checks, grades and lints a course."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest
from support import ROOT, TOY

from grader.report import Report

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="submissions are graded on Linux"),
]


def run(*command: str | Path, folder: Path) -> str:
    """What the command prints; it must succeed."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "PIP_", "VIRTUAL_ENV"))}
    done = subprocess.run([*map(str, command)], cwd=folder, env=clean, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """Built from a copy, for a build leaves files beside its source."""
    source, made = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    shutil.copytree(ROOT / "grader", source / "grader", ignore=shutil.ignore_patterns("__pycache__"))
    pip = (sys.executable, "-m", "pip", "--isolated", "wheel", "--quiet", "--no-index", "--no-deps")
    run(*pip, "--no-build-isolation", "--wheel-dir", made, source, folder=source)
    return next(made.glob("*.whl"))


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory) -> Path:
    """The commands of an environment with this wheel; what it depends on lies in the environment of the tests."""
    place = tmp_path_factory.mktemp("environment")
    venv.create(place, symlinks=True)
    python = place / "bin" / "python"
    pip = (sys.executable, "-m", "pip", "--isolated", "--python", python, "install", "--quiet", "--no-index")
    run(*pip, "--no-deps", wheel, folder=place)
    packages = Path(sysconfig.get_path("purelib", vars={"base": str(place)}))
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return python.parent


@pytest.fixture
def elsewhere(tmp_path) -> Path:
    """A folder with the toy course in it, and no checkout."""
    shutil.copytree(TOY, tmp_path / "toy", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def test_every_file_of_the_engine_is_in_it(wheel):
    files = {p.relative_to(ROOT).as_posix() for p in (ROOT / "grader").rglob("*.*") if p.is_file()}
    assert {f for f in files if "__pycache__" not in f} <= set(zipfile.ZipFile(wheel).namelist())


def test_a_students_installation_is_small(wheel):
    """What takes hundreds of megabytes, or only teachers need, is asked for by an extra."""
    with zipfile.ZipFile(wheel) as archive:
        metadata = archive.read(next(n for n in archive.namelist() if n.endswith(".dist-info/METADATA"))).decode()
    needed = re.findall(r"^Requires-Dist: ([\w-]+)[^;\n]*$", metadata, re.MULTILINE)
    assert needed == [
        "numpy",
        "msgspec",
        "pytest",
        "packaging",
        "pyyaml",
        "rich",
        "markdown-it-py",
        "watchfiles",
        "pygments",
        "babel",
    ]
    extras = set(re.findall(r"^Provides-Extra: (\w+)$", metadata, re.MULTILINE))
    assert {"torch", "pages", "similarity", "cluster", "nbgrader"} <= extras


def test_a_new_course_needs_nothing_else(installed, tmp_path):
    run(installed / "grader", "new", "course", folder=tmp_path)
    assert run(installed / "grader", "lint", folder=tmp_path / "course") == "2 exercises, 0 problems\n"


def test_the_engine_that_runs_is_the_installed_one(installed, elsewhere):
    found = run(installed / "python", "-c", "import grader; print(grader.__file__)", folder=elsewhere)
    assert Path(found.strip()).is_relative_to(installed.parent)


def test_it_checks(installed, elsewhere):
    text = run(installed / "grader", "check", "--course", "toy", "--dir", "toy/solutions", "--json", folder=elsewhere)
    report = Report.from_json(text)
    assert report.score == report.max_score == 6


def test_it_grades(installed, elsewhere):
    shutil.copytree(elsewhere / "toy" / "solutions", elsewhere / "class" / "ada")
    run(installed / "grader", "grade", "class", "--course", "toy", "--out", "results", folder=elsewhere)
    report = Report.from_json((elsewhere / "results" / "reports" / "ada.json").read_text(encoding="utf-8"))
    assert report.score == 6
    assert {"landlock", "seccomp"} <= set(report.environment.isolation)
    assert "<table" in (elsewhere / "results" / "index.html").read_text(encoding="utf-8")


def test_it_lints(installed, elsewhere):
    assert "0 problems" in run(installed / "grader", "lint", "--course", "toy", folder=elsewhere)


def test_it_makes_the_students_copy(installed, elsewhere):
    run(installed / "grader", "release", "--course", "toy", "--format", "kit", "--to", "copy", folder=elsewhere)
    assert (elsewhere / "copy" / "exercises" / "scale.py").is_file()
