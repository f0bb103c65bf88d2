"""A `grader grade` that is killed, stopped or out of disk: nothing is left, nothing is half, the next one goes on."""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from support import TOY, descendants, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")]

STUDENTS = 24
SLOW = "import time\ntime.sleep(0.1)\ndef scale(x, factor=2.0):\n    print('x' * 3000)\n    return x + factor\n"


@pytest.fixture(scope="module", autouse=True)
def orphans_come_here() -> Iterator[None]:
    """Whatever a run leaves behind becomes a child of this process, where it can be seen."""
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER
    yield
    ctypes.CDLL(None).prctl(36, 0, 0, 0, 0)


def start(submissions: Path, results: Path, temporary: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "grader", "grade", submissions, "--out", results, "--course", TOY]
    places = dict.fromkeys(("TMPDIR", "TMP", "TEMP"), str(temporary))
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    return subprocess.Popen([*map(os.fspath, command), "--jobs", "2"], env={**os.environ, **places}, **quiet)


def test_killed_at_any_moment(tmp_path: Path) -> None:
    submissions, results, temporary = (tmp_path / name for name in ("submissions", "results", "temporary"))
    temporary.mkdir()
    for index in range(STUDENTS):
        shutil.copytree(TOY / "solutions", submissions / f"s{index:02}", ignore=shutil.ignore_patterns("__pycache__"))
        (submissions / f"s{index:02}" / "scale.py").write_text(f"# {index}\n{SLOW}")  # else it would run once
    before = descendants(os.getpid())
    for moment in (0.05, 0.5, 1.5, 2.5, 3.0, 3.5):
        program = start(submissions, results, temporary)
        time.sleep(moment)
        program.kill()
        program.wait()
        assert wait_until(lambda: descendants(os.getpid()) <= before), moment
        for report in (results / "reports").glob("[!.]*.json"):
            assert json.loads(report.read_text(encoding="utf-8"))["format"] == 2
        assert not list(temporary.iterdir())
    leftover = results / "reports" / ".s00.json.1.tmp"
    leftover.parent.mkdir(parents=True, exist_ok=True)
    leftover.write_text("{")
    assert start(submissions, results, temporary).wait() == 0
    assert sorted(p.name for p in (results / "reports").iterdir()) == [f"s{i:02}.json" for i in range(STUDENTS)]
    assert not list(results.rglob("*.tmp"))


def workers(program: int) -> list[int]:
    """The processes below this one in which students' code runs or soon will: they have given up their rights."""
    found = []
    for pid in descendants(program):
        with contextlib.suppress(OSError):
            status = dict(line.split(":\t", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
            if status["NoNewPrivs"] == "1" and status["Seccomp"] == "2":
                found.append(pid)
    return found


def right_class(submissions: Path, students: int) -> None:
    """Right files that take a while to import and to answer, so that there is something to kill."""
    for index in range(students):
        (submissions / f"s{index:02}").mkdir(parents=True)
        for name in ("scale", "pair"):
            source = (TOY / "solutions" / f"{name}.py").read_text(encoding="utf-8")
            slow = source.replace("    return", "    time.sleep(0.02)\n    return")
            text = f"# {index}\nimport time\ntime.sleep(0.1)\n{slow}"
            (submissions / f"s{index:02}" / f"{name}.py").write_text(text, encoding="utf-8")


def told(results: Path) -> tuple[dict[str, float], dict[str, str]]:
    """Points by student, and why others were not graded."""
    reports = [json.loads(path.read_text(encoding="utf-8")) for path in (results / "reports").glob("*.json")]
    faults = json.loads((results / "faults.json").read_text(encoding="utf-8"))
    return {r["student"]: r["score"] for r in reports}, {f["student"]: f["reason"] for f in faults}


def test_workers_that_are_killed_from_outside_cost_nobody_anything(tmp_path: Path) -> None:
    """SIGKILL, as the kernel sends it when memory runs out: at import, in a call, between two; each file's once."""
    submissions, results, dice = tmp_path / "submissions", tmp_path / "results", random.Random(5)
    right_class(submissions, 12)
    program = start(submissions, results, tmp_path)
    kills, seen = 0, set[int]()
    while program.poll() is None:
        for pid in set(workers(program.pid)) - seen:
            seen.add(pid)
            if len(seen) % 3 == 0:
                time.sleep(dice.uniform(0, 0.15))
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
                    kills += 1
        time.sleep(0.01)
    points, faults = told(results)
    assert kills >= 4
    assert points == dict.fromkeys((f"s{index:02}" for index in range(12)), 6.0)
    assert (faults, program.returncode) == ({}, 0)


def fork_server_of(program: int) -> int:
    """The fork server of a `grader grade`, once there is one."""
    found: list[int] = []

    def there() -> bool:
        for pid in descendants(program):
            with contextlib.suppress(OSError):
                parent = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
                if parent == program and b"fork_server" in Path(f"/proc/{pid}/cmdline").read_bytes():
                    found.append(pid)
        return bool(found)

    assert wait_until(there)
    return found[0]


def test_a_fork_server_that_is_killed_is_started_again(tmp_path: Path) -> None:
    """Twice: while it imports torch, and while what it has forked grades."""
    submissions, results = tmp_path / "submissions", tmp_path / "results"
    right_class(submissions, 6)
    program = start(submissions, results, tmp_path)
    first = fork_server_of(program.pid)
    os.kill(first, signal.SIGKILL)
    assert wait_until(lambda: len(list((results / "reports").glob("s*.json"))) >= 1)
    os.kill(fork_server_of(program.pid), signal.SIGKILL)
    assert program.wait() == 0
    assert told(results) == ({f"s{index:02}": 6.0 for index in range(6)}, {})


def test_a_fork_server_that_is_killed_for_ever_leaves_nobody_unnamed(tmp_path: Path) -> None:
    submissions, results = tmp_path / "submissions", tmp_path / "results"
    right_class(submissions, 3)
    command = [sys.executable, "-m", "grader", "grade", submissions, "--out", results, "--course", TOY]
    program = subprocess.Popen([*map(os.fspath, command)], stderr=subprocess.PIPE, text=True)
    killed: list[int] = []
    while program.poll() is None:
        for pid in descendants(program.pid) - set(killed):
            with contextlib.suppress(OSError):
                if b"fork_server" in Path(f"/proc/{pid}/cmdline").read_bytes():
                    killed.append(pid)
                    os.kill(pid, signal.SIGKILL)
        time.sleep(0.01)
    said = program.communicate()[1]
    assert program.returncode == 3
    assert len(killed) == 3
    assert "imports torch was ended from outside" in said
    assert "not graded: s00, s01, s02" in said


def test_whose_workers_are_killed_again_and_again_is_not_graded(tmp_path: Path) -> None:
    submissions, results = tmp_path / "submissions", tmp_path / "results"
    right_class(submissions, 3)
    program = start(submissions, results, tmp_path)
    while program.poll() is None:
        for pid in workers(program.pid):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.01)
    points, faults = told(results)
    assert (points, program.returncode) == ({}, 3)
    assert faults.keys() == {"s00", "s01", "s02"}
    assert "ended from outside (Killed)" in faults["s00"]
    assert start(submissions, results, tmp_path).wait() == 0
    assert told(results) == ({"s00": 6.0, "s01": 6.0, "s02": 6.0}, {})


KINDS = ("", "factor = ", "raise ValueError('no')\n", SLOW)  # in front of a solution: right, broken, raising, wrong


def hand_in(submissions: Path, students: int) -> None:
    """A class of the toy course, of all kinds."""
    right = (TOY / "solutions" / "scale.py").read_text(encoding="utf-8")
    for index in range(students):
        folder = submissions / f"s{index:03}"
        shutil.copytree(TOY / "solutions", folder, ignore=shutil.ignore_patterns("__pycache__"))
        kind = KINDS[index % len(KINDS)]
        source = f"# {index}\n" + (SLOW if kind is SLOW else kind + right)  # no two alike: they would run once
        (folder / "scale.py").write_text(f"{source}# submission {index}\n", encoding="utf-8")


def graded(results: Path) -> dict[str, object]:
    """The reports without the times that checks took, and the summary."""
    found: dict[str, object] = {"summary": (results / "summary.csv").read_text(encoding="utf-8")}
    for path in (results / "reports").iterdir():
        report = json.loads(path.read_text(encoding="utf-8"))
        for exercise in report["exercises"]:
            for check in exercise["checks"]:
                check["seconds"] = 0
        found[path.name] = report
    return found


def undisturbed_and_killed(folder: Path, students: int, kills: int, dice: random.Random) -> tuple[int, bool]:
    """Grade a class in one go, then with this many kills: how many fell in mid-batch, and whether all ends equal."""
    submissions, temporary = folder / "submissions", folder / "temporary"
    temporary.mkdir()
    hand_in(submissions, students)
    whole, pieces = folder / "whole", folder / "pieces"
    for results in (whole, pieces):
        results.mkdir()
        (results / "seed.txt").write_text("7")
    assert start(submissions, whole, temporary).wait() == 0
    amid = 0
    for left in range(kills, 0, -1):
        program = start(submissions, pieces, temporary)
        reports = pieces / "reports"
        there = len(list(reports.glob("s*.json")))
        enough = there + dice.randrange(2 * (students - there) // (left + 1) + 1)  # so that each finds some to grade
        if dice.random() < 0.2:
            time.sleep(dice.uniform(0, 2.5))  # while it starts
        else:
            while program.poll() is None and len(list(reports.glob("s*.json"))) < enough:
                time.sleep(0.005)
            time.sleep(dice.uniform(0, 0.05))
        amid += program.poll() is None
        program.send_signal(dice.choice((signal.SIGKILL, signal.SIGKILL, signal.SIGINT)))
        program.wait()
    assert start(submissions, pieces, temporary).wait() == 0
    assert not list(temporary.iterdir())
    return amid, graded(whole) == graded(pieces)


def test_killed_and_resumed_it_ends_with_the_same_reports(tmp_path: Path) -> None:
    """`benchmarks/kills.py` does it with 300 submissions and 50 kills."""
    amid, equal = undisturbed_and_killed(tmp_path, 20, 4, random.Random(3))
    assert amid
    assert equal


FULL = """
disk="$1" seed="$2" end="$3"; shift 3
mount -t tmpfs -o size=60k none "$disk" || exit
cp "$seed" "$disk"
"$@" --out "$disk"; echo "code $?"
mount -o remount,size=50m "$disk"
"$@" --out "$disk"; echo "code $?"
cp -r "$disk" "$end"
"""


@pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("unshare"), reason="only root can mount a small disk")
def test_a_disk_that_is_full(tmp_path: Path) -> None:
    """What fits is kept, the rest is listed with the reason; on a larger disk the same command ends as it should."""
    submissions, temporary, whole, disk = (tmp_path / name for name in ("submissions", "temporary", "whole", "disk"))
    temporary.mkdir()
    disk.mkdir()
    whole.mkdir()
    hand_in(submissions, 20)
    (whole / "seed.txt").write_text("7")
    assert start(submissions, whole, temporary).wait() == 0
    grade = [sys.executable, "-m", "grader", "grade", submissions, "--course", TOY]
    places = [disk, whole / "seed.txt", tmp_path / "end"]
    command = ["unshare", "--mount", "--propagation", "private", "sh", "-c", FULL, "sh", *map(str, [*places, *grade])]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if "code" not in done.stdout:
        pytest.skip(f"this machine lets nobody mount: {done.stderr}")
    first, _, second = done.stdout.partition("code 3")
    assert second.endswith("code 0\n"), done.stdout + done.stderr
    assert "No space left on device" in first + done.stderr
    assert all(f"s{n:03}: not graded" in first or f" s{n:03} " in first for n in range(20)), "everybody is named"
    assert graded(tmp_path / "end") == graded(whole)
