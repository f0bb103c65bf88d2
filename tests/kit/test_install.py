"""`make setup` where something is missing: one sentence says what to do, and the next run repairs what is half made."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support import ROOT, pyproject

from grader.packages import DISTRIBUTION

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a shell script")

OLD = """#!/bin/sh
case "$2" in *print*) echo 3.9 ;; *) exit 1 ;; esac
"""
NO_VENV = """#!/bin/sh
case "$1 $2" in *print*) echo 3.11 ;; "-m venv") echo 'ensurepip is not available' >&2; exit 1 ;; esac
"""
SAID = {
    "an old Python": (OLD, "is Python 3.9, and this needs 3.10 or newer: make setup PYTHON=python3.12"),
    "no venv": (NO_VENV, "cannot make virtual environments here; on Debian and Ubuntu: sudo apt install python3-venv"),
    "no such Python": (None, "cannot be run; name a Python 3.10 or newer: make setup PYTHON=python3.12"),
}


@pytest.fixture
def setup(tmp_path):
    for name in ("install.sh", "Makefile", "pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / name, tmp_path)

    def run(python: Path | str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["make", "setup", f"PYTHON={python}"], cwd=tmp_path, capture_output=True, text=True,
            env={**{k: v for k, v in os.environ.items() if "MAKE" not in k}, "PIP_NO_INDEX": "1"},
        )  # fmt: skip

    return run


@pytest.mark.parametrize("case", SAID)
def test_one_sentence(setup, tmp_path, case):
    source, said = SAID[case]
    python = tmp_path / "python"
    if source:
        python.write_text(source)
        python.chmod(0o755)
    done = setup(python)
    assert done.returncode == 2
    assert done.stdout == ""
    first, make = done.stderr.splitlines()
    assert first.startswith(f"setup: {python} ")
    assert said in first
    assert make.startswith("make: ***")
    assert not (tmp_path / ".venv").exists()


@pytest.mark.slow
def test_what_is_half_made_is_made_anew(setup, tmp_path):
    """Here without a network, so that the packages are what is missing in the end."""
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    done = setup(sys.executable)
    assert "setup: .venv is half made or of another Python; making it again" in done.stdout
    assert "setup: installing PyTorch and the grader into .venv" in done.stdout
    assert "the packages could not be installed" in done.stderr.splitlines()[-2]
    assert (tmp_path / ".venv" / "bin" / "python").exists()


def test_uv_installs_what_make_setup_installs():
    """The same extras, and torch as constraints.txt pins it."""
    described = pyproject()
    script = (ROOT / "install.sh").read_text(encoding="utf-8")
    (extras,) = set(re.findall(r"--editable '\.(\[[\w,]+\])'", script))
    assert described["dependency-groups"]["dev"] == [f"{DISTRIBUTION}{extras}"]
    pinned = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    assert set(described["tool"]["uv"]["constraint-dependencies"]) <= {*pinned}
