"""The wheels hold all of the engine and of the course: installed where no checkout is, they check, grade and lint."""

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


COURSE = ("course.yaml", "exercises", "languages", "lessons", "solutions", "tests/hidden")
DESCRIBED = ("Makefile", "constraints.txt", "pyproject.toml", "README.md", "LICENSE", "docs", "packaging", "grader")
UNWANTED = shutil.ignore_patterns("__pycache__")


def done(*command: str | Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """The command, once it has ended; what it knows of this environment is what pip needs to reach an index."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "VIRTUAL_ENV", "MAKE", "PIP_COMPILE"))}
    return subprocess.run([*map(str, command)], cwd=folder, env=clean, capture_output=True, text=True, timeout=600)


def run(*command: str | Path, folder: Path) -> str:
    """What the command prints; it must succeed."""
    ended = done(*command, folder=folder)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


@pytest.fixture(scope="module")
def wheels(tmp_path_factory) -> dict[str, Path]:
    """What `make wheels` makes, by name; in a copy, for a build leaves files beside its source."""
    source = tmp_path_factory.mktemp("source")
    for name in (*DESCRIBED, *COURSE):
        (source / name).parent.mkdir(exist_ok=True)
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, source / name, ignore=UNWANTED)
        else:
            shutil.copy(ROOT / name, source / name)
    venv.create(source / ".venv", symlinks=True, with_pip=True)
    (source / ".venv" / "installed").touch()
    tools = done("make", ".venv/installed-wheels", folder=source)
    if "No matching distribution found" in tools.stderr:
        pytest.skip(f"no package index can be reached: {tools.stderr.strip().splitlines()[-2]}")
    assert tools.returncode == 0, tools.stdout + tools.stderr
    assert run("make", "wheels", folder=source).count("PASSED") == 4
    assert len([*(source / "dist").glob("*.tar.gz")]) == 2
    return {path.name.partition("-")[0]: path for path in (source / "dist").glob("*.whl")}


def environment(place: Path, *arguments: str | Path) -> Path:
    """The commands of a new environment into which pip installs this."""
    venv.create(place, symlinks=True)
    python = place / "bin" / "python"
    pip = (sys.executable, "-m", "pip", "--python", python, "install", "--quiet")
    run(*pip, *arguments, folder=place)
    return python.parent


@pytest.fixture(scope="module")
def engine(wheels, tmp_path_factory) -> Path:
    """The commands of an environment with the engine, and what pip brings with it."""
    return environment(tmp_path_factory.mktemp("engine"), wheels["numeric_grader"])


@pytest.fixture(scope="module")
def installed(wheels, tmp_path_factory) -> Path:
    """The commands of an environment with engine and course; what they depend on lies in the one of the tests."""
    place = tmp_path_factory.mktemp("environment")
    commands = environment(place, "--no-index", "--no-deps", *wheels.values())
    packages = Path(sysconfig.get_path("purelib", vars={"base": str(place)}))
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return commands


@pytest.fixture
def elsewhere(tmp_path) -> Path:
    """A folder with the toy course in it, and no checkout."""
    shutil.copytree(TOY, tmp_path / "toy", ignore=UNWANTED)
    return tmp_path


def test_every_file_of_the_engine_is_in_it(wheels):
    files = {p.relative_to(ROOT).as_posix() for p in (ROOT / "grader").rglob("*.*") if p.is_file()}
    assert {f for f in files if "__pycache__" not in f} <= set(zipfile.ZipFile(wheels["numeric_grader"]).namelist())


def test_a_students_installation_is_small(wheels):
    """What takes hundreds of megabytes, or only teachers need, is asked for by an extra."""
    with zipfile.ZipFile(wheels["numeric_grader"]) as archive:
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


def test_a_new_course_needs_nothing_else(engine, tmp_path):
    run(engine / "grader", "new", "course", folder=tmp_path)
    assert run(engine / "grader", "lint", folder=tmp_path / "course") == "2 exercises, 0 problems\n"
    assert "No module named 'torch'" in done(engine / "python", "-c", "import torch", folder=tmp_path).stderr


def test_the_engine_alone_knows_no_course(engine, tmp_path):
    said = "grader: no course is installed here; install one with pip, or make your own with `grader new DIR`\n"
    assert done(engine / "grader", "start", folder=tmp_path).stderr == said


def test_the_engine_brings_its_pages(engine, tmp_path):
    listed = run(engine / "grader", "docs", folder=tmp_path)
    assert [line.split()[0] for line in listed.splitlines()] == sorted(p.stem for p in (ROOT / "docs").glob("*.md"))
    assert "The suite: tests/hidden/<id>.py" in run(engine / "grader", "docs", "writing-an-exercise", folder=tmp_path)
    assert "points(value: float)" in run(engine / "grader", "docs", "suite-kit", folder=tmp_path)


def test_the_course_needs_what_is_there(installed):
    """Nothing is downloaded: all that the course asks for is found."""
    pip = (sys.executable, "-m", "pip", "--python", installed / "python", "install")
    said = run(*pip, "--no-index", "--dry-run", "attention-kit", folder=installed)
    assert "Would install" not in said
    assert re.search(r"satisfied: numeric-grader\S*~=0\.1\.0", said)
    assert "satisfied: torch" in said


def test_a_learner_gets_the_course(installed, tmp_path):
    assert "grader study" in run(installed / "grader", "start", "--lang", "en", folder=tmp_path)
    folder = tmp_path / "attention"
    found = {p.relative_to(folder): p.read_bytes() for p in folder.rglob("*") if p.is_file()}
    ours = [p for name in COURSE for p in (ROOT / name, *(ROOT / name).rglob("*"))]
    ours = [p for p in ours if p.is_file() and "__pycache__" not in p.parts]
    assert {p.relative_to(ROOT): p.read_bytes() for p in ours}.items() <= found.items()
    assert (folder / "docs" / "glossary.yaml").is_file()
    said = run(installed / "grader", "check", "core", "--dir", "solutions", "--json", folder=folder)
    report = Report.from_json(said)
    assert report.score == report.max_score == 60
    again = done(installed / "grader", "start", "attention", folder=tmp_path)
    assert (again.returncode, again.stdout) == (2, "")
    assert "is there already" in again.stderr


def test_a_misspelt_course_gets_the_nearest(installed, tmp_path):
    said = done(installed / "grader", "start", "atention", folder=tmp_path).stderr
    assert said == "grader: there is no installed course 'atention'; did you mean 'attention'?\n"


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
