"""Strangers' files that attack the grader, graded for real among honest neighbours, as root and as an ordinary user.

Each file in `attacks/` says in its docstring what it tries and what stops it, and in a comment which score it deserves.
"""

from __future__ import annotations

import csv
import ctypes
import json
import os
import re
import secrets
import select
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from support import TOY, descendants, solution, wait_until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="strangers' code is graded on Linux")

ROOT = Path(__file__).resolve().parents[3]
ATTACKS = sorted((ROOT / "tests" / "kit" / "attacks").glob("*.py"))
PACKAGES = next(p for p in sys.path if Path(p, "torch").is_dir())
NOBODY = 65534
NEIGHBOURS = 12
SECONDS = re.compile(r'"seconds": [-+.e\d]+')
DESERVES = re.compile(r"^# deserves (at most )?([\d.]+)$", re.MULTILINE)
BESIDE = re.compile(r"^# beside: (.+)$", re.MULTILINE)
REPEAT = re.compile(r"@REPEAT:(.):(\d+)@")


@dataclass
class World:
    """A folder with everything that an attack might want: a course with secrets, submissions, a place for marks."""

    base: Path
    user: int
    canary: str
    listener: Listener
    said: str = ""
    code: int = -1
    summary: list[list[str]] = field(default_factory=list)
    left: set[int] = field(default_factory=set)

    @property
    def course(self) -> Path:
        return self.base / "course"

    @property
    def submissions(self) -> Path:
        return self.base / "submissions"

    @property
    def results(self) -> Path:
        return self.base / "results"

    @property
    def marks(self) -> Path:
        return self.base / "marks"

    @property
    def temporary(self) -> Path:
        return self.base / "temporary"

    def report_text(self, student: str) -> str:
        return (self.results / "reports" / f"{student}.json").read_text(encoding="utf-8")

    def report(self, student: str) -> dict[str, Any]:
        report: dict[str, Any] = json.loads(self.report_text(student))
        return report

    def texts(self) -> str:
        """Everything that the run left for people to read."""
        files = [f for f in self.results.rglob("*") if f.is_file()]
        return self.said + "".join(f.read_text(encoding="utf-8") for f in files)


class Listener:
    """A TCP server and a UDP socket on the loopback interface that nobody may reach."""

    def __init__(self) -> None:
        self.tcp = socket.create_server(("127.0.0.1", 0))
        self.port: int = self.tcp.getsockname()[1]
        self.udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.udp.bind(("127.0.0.1", self.port))
        self.contacts: list[str] = []
        self._end, self._ended = socket.socketpair()
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def _listen(self) -> None:
        while self._ended not in (ready := select.select([self.tcp, self.udp, self._ended], [], [])[0]):
            for sock in ready:
                if sock is self.tcp:
                    self.tcp.accept()[0].close()
                else:
                    self.udp.recv(10)
                self.contacts.append("tcp" if sock is self.tcp else "udp")

    def close(self) -> None:
        """Stop listening first: a thread that waits on a closed descriptor reads what its number is given to next."""
        self._end.close()
        self._thread.join()
        for sock in (self.tcp, self.udp, self._ended):
            sock.close()


CANARY = f"CANARY-{secrets.token_hex(8)}"


def make_world(base: Path, user: int) -> World:
    base.mkdir()
    world = World(base, user, CANARY, Listener())
    shutil.copytree(TOY, world.course, ignore=shutil.ignore_patterns("__pycache__"))
    settings = (TOY / "course.yaml").read_text(encoding="utf-8")
    settings = settings.replace("exercise_seconds: 6", "exercise_seconds: 2\n  submission_seconds: 3\n  threads: 16")
    (world.course / "course.yaml").write_text(settings.replace("memory_mb: 512", "memory_mb: 256"), encoding="utf-8")
    for secret in ("solutions/scale.py", "tests/hidden/scale.py"):
        with open(world.course / secret, "a", encoding="utf-8") as file:
            file.write(f"\nSECRET = {world.canary!r}\n")
    (world.course / "gradebook.csv").write_text(f"student,score\n{world.canary},10\n", encoding="utf-8")
    for folder in (world.submissions, world.results, world.marks, world.temporary):
        folder.mkdir()
        folder.chmod(0o777)
    return world


def expanded(text: str, world: World) -> str:
    """An attack's source, with the places it is after, and with what is too long or too odd to keep in a file."""
    places = {"COURSE": world.course, "SUBMISSIONS": world.submissions, "RESULTS": world.results, "MARKS": world.marks}
    for name, value in {**places, "PORT": world.listener.port, "NULL": "\0", "BIDI": "\u202e"}.items():
        text = text.replace(f"@{name}@", str(value))
    text = REPEAT.sub(lambda m: m[1] * int(m[2]), text)
    text = re.sub(r"@MENTIONS:(\d+)@", lambda m: "\n".join(f"n{i} = {i}" for i in range(int(m[1]))), text)
    nested = (
        "\n".join(f"{' ' * i}try:\n{' ' * (i + 1)}pass\n{' ' * i}finally:" for i in range(24)) + f"\n{' ' * 24}pass"
    )
    return text.replace("@FINALLY:24@", nested)


def hand_in(world: World, attacks: list[Path]) -> None:
    """The attacks, each with an honest second file, and honest students among them."""
    for path in attacks:
        text = path.read_text(encoding="utf-8")
        folder = world.submissions / path.stem
        folder.mkdir()
        (folder / "scale.py").write_text(expanded(text, world), encoding="utf-8")
        (folder / "pair.py").write_text(solution("pair"), encoding="utf-8")
        for name in (BESIDE.search(text) or ["", ""])[1].split():
            (folder / name).write_text(expanded(text, world), encoding="utf-8")
    for index in range(NEIGHBOURS):  # their names fall between those of the attacks
        folder = world.submissions / f"{'abdfhlnprstv'[index]}_neighbour"
        shutil.copytree(TOY / "solutions", folder, ignore=shutil.ignore_patterns("__pycache__"))
        if index % 3 == 0:  # an honest mistake is diagnosed as ever
            (folder / "pair.py").write_text("def pair(x):\n    print('hello')\n    return x * 2, x + 1\n")
        if index % 3 == 1:  # what it prints shows how often it was called
            (folder / "scale.py").write_text("def scale(x, factor=2.0):\n    print('called')\n    return x + factor\n")


def grade(world: World, *options: str) -> None:
    """Run the command line as a program of its own; what it leaves running becomes a child of this process."""
    places = {"TMPDIR": str(world.temporary), "TMP": str(world.temporary), "TEMP": str(world.temporary)}
    environment = {"PATH": os.environ["PATH"], "ATTACK_SECRET": world.canary, "COLUMNS": "200", **places}
    command = [str(interpreter(world)), "-I", "-m", "grader.cli", "grade", str(world.submissions), "--seed", "1"]
    command += ["--out", str(world.results), "--course", str(world.course), "--jobs", "3", "--lang", "en", *options]
    before = descendants(os.getpid())
    user = {"user": world.user, "group": world.user, "extra_groups": []} if world.user != os.geteuid() else {}
    ended = subprocess.run(command, env=environment, cwd="/", capture_output=True, timeout=300, **user)
    world.said = (ended.stdout + ended.stderr).decode()
    world.code = ended.returncode
    wait_until(lambda: descendants(os.getpid()) <= before, 3)
    world.left = descendants(os.getpid()) - before
    with open(world.results / "summary.csv", encoding="utf-8", newline="") as file:
        world.summary = list(csv.reader(file))


def interpreter(world: World) -> Path:
    """A Python that the world's user can start, in an environment that finds the kit and torch."""
    if world.user == os.geteuid():
        return Path(sys.executable)
    name = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    program = shutil.which(name, path="/usr/local/bin:/usr/bin")
    if program is None:
        pytest.skip("an ordinary user cannot start this Python")
    home = world.base / "venv"
    if not home.exists():
        subprocess.run([program, "-m", "venv", "--without-pip", str(home)], check=True)
        (home / "lib" / name / "site-packages" / "kit.pth").write_text(f"{ROOT}\n{PACKAGES}\n")
    return home / "bin" / "python"


@pytest.fixture(scope="module", autouse=True)
def orphans_come_here() -> Iterator[None]:
    """Whatever a run leaves behind becomes a child of this process, where it can be seen."""
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER
    yield
    ctypes.CDLL(None).prctl(36, 0, 0, 0, 0)


def users() -> list[int]:
    return [0, NOBODY] if os.geteuid() == 0 else [os.geteuid()]


@pytest.fixture(scope="module")
def base() -> Iterator[Path]:
    """Not pytest's own temporary folder, which other users may not enter."""
    with tempfile.TemporaryDirectory(prefix="attacks-") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@pytest.fixture(scope="module", params=users(), ids=lambda user: "root" if user == 0 else "ordinary")
def world(request: pytest.FixtureRequest, base: Path) -> Iterator[World]:
    """All attacks, graded."""
    world = make_world(base / str(request.param), request.param)
    hand_in(world, ATTACKS)
    grade(world)
    yield world
    world.listener.close()


@pytest.fixture(scope="module")
def quiet(world: World, base: Path) -> World:
    """The neighbours alone, graded by the same user."""
    alone = make_world(base / f"{world.user}-quiet", world.user)
    hand_in(alone, [])
    grade(alone)
    alone.listener.close()
    return alone


def test_there_are_enough() -> None:
    assert len(ATTACKS) >= 85
    for path in ATTACKS:
        text = path.read_text(encoding="utf-8")
        assert DESERVES.search(text), path.name
        assert "Stopped by: " in text, path.name


@pytest.mark.parametrize("path", ATTACKS, ids=[p.stem for p in ATTACKS])
def test_an_attack_earns_no_more_than_it_deserves(world: World, path: Path) -> None:
    report = world.report(path.stem)
    scale, pair = report["exercises"]
    at_most, points = DESERVES.search(path.read_text(encoding="utf-8")).groups()
    assert scale["score"] <= float(points), scale
    assert at_most or scale["score"] == float(points), scale
    assert (pair["score"], report["max_score"]) == (2, scale["max_score"] + 2)


@pytest.mark.parametrize("path", ATTACKS, ids=[p.stem for p in ATTACKS])
def test_its_report_is_short_and_plain(world: World, path: Path) -> None:
    report = world.report(path.stem)
    scale = report["exercises"][0]
    assert len(world.report_text(path.stem)) < 40_000
    assert scale["status"] == ("passed" if scale["score"] == scale["max_score"] else scale["status"])
    reasons = [c["reason"] for c in scale["checks"] if c["verdict"] != "passed"]
    assert scale["status"] == "passed" or scale["reason"]
    for reason in [*reasons, scale["reason"] or ""]:
        assert len(reason) < 1200
        assert not re.search(r"Traceback|grader/\w+\.py|site-packages", reason)
        assert "positional argument" not in reason  # what it replaces is called otherwise by now: it attacks nothing
    text = scale["stdout"] + "".join(reasons)
    assert all(c in "\n\t" or c.isprintable() for c in text)


def test_the_batch_is_complete(world: World) -> None:
    students = {p.name for p in world.submissions.iterdir()}
    assert {p.stem for p in (world.results / "reports").iterdir()} == students
    assert {row[0] for row in world.summary[1:]} == students
    assert world.code == 0, world.said[-3000:]
    assert f"{len(students)} graded, 0 not" in world.said


def test_nothing_was_read(world: World) -> None:
    assert "CANARY-" not in world.texts()


def test_nothing_was_written(world: World) -> None:
    assert not list(world.marks.iterdir())
    assert not list(world.temporary.iterdir())
    assert not [
        p for p in ("/tmp/marker", "/tmp/fifo", "/tmp/fill", "/tmp/link", "/dev/shm/fill") if os.path.lexists(p)
    ]
    ours = {"reports", "summary.csv", "index.html", "seed.txt", "faults.json", "regrade.json", ".lock"}
    assert {p.name for p in world.results.iterdir()} <= ours
    changed = [p for p in world.course.rglob("*") if p.is_file() and "-written" in p.read_text(errors="replace")]
    assert not changed


def test_nobody_was_reached(world: World) -> None:
    assert world.listener.contacts == []


def test_no_process_is_left(world: World) -> None:
    assert world.left == set()


def test_the_neighbours_notice_nothing(world: World, quiet: World) -> None:
    neighbours = [p.name for p in quiet.submissions.iterdir()]
    assert len(neighbours) == NEIGHBOURS
    for name in neighbours:
        assert SECONDS.sub("", world.report_text(name)) == SECONDS.sub("", quiet.report_text(name))


def test_planted_files_are_named(world: World) -> None:
    reason = world.report("plant_modules")["reason"]
    assert "conftest.py" in reason
    assert "ignored" in reason


def test_the_attacks_bite_where_there_is_no_wall(base: Path) -> None:
    """The same files without the sandbox: a test that cannot fail would prove nothing."""
    world = make_world(base / "open", os.geteuid())
    bites = ("read_solution", "read_gradebook", "read_by_import", "write_own_report", "net_connect")
    hand_in(world, [p for p in ATTACKS if p.stem in bites])
    grade(world, "--unsafe-no-sandbox")
    assert world.canary in world.report_text("read_solution")
    assert world.canary in world.report_text("read_gradebook")
    assert world.canary in world.report_text("read_by_import")
    assert "CANARY-sent" in world.report_text("net_connect")
    assert wait_until(lambda: "tcp" in world.listener.contacts)
    assert "CANARY-written" in world.texts()
    world.listener.close()
