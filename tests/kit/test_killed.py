"""`kill -9` of a running `grader grade`, at any moment: no process is left, no report is half, the next run goes on."""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import TOY, descendants, wait_until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the warm parent is Linux only")

STUDENTS = 24
SLOW = "import time\ntime.sleep(0.1)\ndef scale(x, factor=2.0):\n    print('x' * 3000)\n    return x + factor\n"


@pytest.fixture(scope="module", autouse=True)
def orphans_come_here() -> Iterator[None]:
    """Whatever a run leaves behind becomes a child of this process, where it can be seen."""
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER
    yield
    ctypes.CDLL(None).prctl(36, 0, 0, 0, 0)


def start(submissions: Path, results: Path, temporary: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "grader.cli", "grade", submissions, "--out", results, "--course", TOY]
    places = dict.fromkeys(("TMPDIR", "TMP", "TEMP"), str(temporary))
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    return subprocess.Popen([*map(os.fspath, command), "--jobs", "2"], env={**os.environ, **places}, **quiet)


def test_killed_at_any_moment(tmp_path: Path) -> None:
    submissions, results, temporary = (tmp_path / name for name in ("submissions", "results", "temporary"))
    temporary.mkdir()
    for index in range(STUDENTS):
        shutil.copytree(TOY / "solutions", submissions / f"s{index:02}", ignore=shutil.ignore_patterns("__pycache__"))
        (submissions / f"s{index:02}" / "scale.py").write_text(SLOW)
    before = descendants(os.getpid())
    for moment in (0.05, 0.5, 1.5, 2.5, 3.0, 3.5):
        program = start(submissions, results, temporary)
        time.sleep(moment)
        program.kill()
        program.wait()
        assert wait_until(lambda: descendants(os.getpid()) <= before, 5), moment
        for report in (results / "reports").glob("[!.]*.json"):
            assert json.loads(report.read_text(encoding="utf-8"))["format"] == 1
        assert not list(temporary.iterdir())
    leftover = results / "reports" / ".s00.json.1.tmp"
    leftover.write_text("{")
    assert start(submissions, results, temporary).wait() == 0
    assert sorted(p.name for p in (results / "reports").iterdir()) == [f"s{i:02}.json" for i in range(STUDENTS)]
    assert not list(results.rglob("*.tmp"))
