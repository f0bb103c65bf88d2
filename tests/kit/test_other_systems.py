"""Learners' commands where the system has nothing of Linux's: with what Windows and macOS lack hidden from the kit."""

from __future__ import annotations

import json
import os
import pkgutil
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest
from studying import Study, course_copy
from support import ROOT, TOY, solution

import grader

TOY_NUMPY = TOY.with_name("toy_numpy")

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the other systems test themselves")


@pytest.fixture(scope="module", params=["win32", "darwin"])
def python(request, tmp_path_factory) -> Path:
    """A Python all of whose processes show the kit this system."""
    place = tmp_path_factory.mktemp(request.param)
    venv.create(place, symlinks=True)
    packages = Path(sysconfig.get_path("purelib", vars={"base": str(place)}))
    paths = [sysconfig.get_path("purelib"), str(ROOT), str(ROOT / "tests" / "kit")]
    start = f"import other_system; other_system.show({request.param!r})"
    (packages / "system.pth").write_text("\n".join([*paths, start]), encoding="utf-8")
    return place / "bin" / "python"


@pytest.fixture
def command(python):
    """`command(folder, "check", "scale")` runs the grader there; what it prints, once it ends with `code`."""

    def run(folder: Path, *arguments: str, code: int = 0) -> str:
        environment = {**os.environ, "LC_ALL": "C.UTF-8"}
        done = subprocess.run(
            [str(python), "-m", "grader", *arguments], cwd=folder, env=environment, capture_output=True, text=True
        )
        assert done.returncode == code, done.stdout + done.stderr
        assert "Traceback" not in done.stderr
        return done.stdout + done.stderr

    return run


@pytest.mark.slow
def test_every_module_can_be_imported(python):
    """Among them those that only Linux uses: a package imports them on the way to others."""
    names = [m.name for m in pkgutil.walk_packages(grader.__path__, "grader.") if ".kit" not in m.name]
    assert len(names) > 150
    code = f"import importlib; [importlib.import_module(n) for n in {names!r} if not n.endswith('__main__')]"
    done = subprocess.run([str(python), "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_a_learner_checks_own_work(command, toy_copy):
    shutil.copy(TOY / "solutions" / "scale.py", toy_copy / "exercises" / "scale.py")
    report = json.loads(command(toy_copy, "check", "--json", "scale"))
    assert [(e["id"], e["score"], e["status"]) for e in report["exercises"]] == [("scale", 4, "passed")]
    assert "scale" in command(toy_copy, "progress")


@pytest.mark.slow
def test_functions_cross_there_too(command, tmp_path):
    course = Path(shutil.copytree(TOY.with_name("toy_callables"), tmp_path / "course"))
    shutil.copytree(course / "solutions", course / "exercises", dirs_exist_ok=True)
    bisect = course / "exercises" / "bisect.py"
    bisect.write_text(bisect.read_text(encoding="utf-8").replace("while", "while f(a) and"), encoding="utf-8")
    report = json.loads(command(course, "check", "--json", code=1))
    wrong = [e for e in report["exercises"] if e["status"] != "passed"]
    assert [e["id"] for e in wrong] == ["bisect"]
    assert "f was called 73 times; at most 60 are needed" in wrong[0]["reason"]


@pytest.mark.slow
def test_a_class_is_graded_only_where_that_is_asked_for(command, tmp_path):
    course = Path(shutil.copytree(TOY_NUMPY, tmp_path / "course"))
    shutil.copytree(course / "solutions", course / "class" / "ann")
    refused = command(course, "grade", "class", "--out", "results", code=3)
    assert "in a Linux container or WSL 2" in refused
    assert "--unsafe-no-sandbox" in refused
    assert "isolation: none" in command(course, "grade", "class", "--out", "results", "--unsafe-no-sandbox")
    report = json.loads((course / "results" / "reports" / "ann.json").read_text(encoding="utf-8"))
    assert report["score"] == 3


@pytest.mark.slow
def test_a_learner_studies(python, tmp_path):
    study = Study(course_copy(tmp_path), "--port", "0", python=python)
    try:
        revision = study.data("/files/scale.py")["revision"]
        study.data("/files/scale.py", "PUT", {"text": solution("scale"), "revision": revision})
        assert study.verdict("scale", lambda v: v["state"] == "passed").score == "4 / 4"
        assert "Scaling" in study.data("/lesson/basics")["html"]
    finally:
        study.kill()
