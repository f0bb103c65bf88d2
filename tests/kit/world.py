"""A world to attack: a course with secrets, submissions, a listener; and what grading by the command line leaves."""

from __future__ import annotations

import csv
import os
import re
import secrets
import select
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from support import ROOT, TOY, descendants, solution, wait_until

from grader.report import Report, in_words

ATTACKS = sorted((ROOT / "tests" / "kit" / "attacks").glob("*.py"))
PARTS = {
    f"@{path.stem.upper()}@": path.read_text(encoding="utf-8")
    for path in (ROOT / "tests" / "kit" / "attacks" / "parts").glob("*.py")
}
PACKAGES = next(p for p in sys.path if Path(p, "torch").is_dir())
NEIGHBOURS = 12
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
        """The report in words."""
        return in_words(Report.from_json(self.report_text(student)), "en")

    def texts(self) -> str:
        """Everything that the run left for people to read."""
        files = [f for f in self.results.rglob("*") if f.is_file()]
        return self.said + "".join(f.read_text(encoding="utf-8", errors="replace") for f in files)


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
    for usual, here in (
        ("exercise_seconds: 4", "exercise_seconds: 2\n  threads: 16"),
        ("memory_mb: 512", "memory_mb: 256"),
    ):
        assert usual in settings
        settings = settings.replace(usual, here)
    (world.course / "course.yaml").write_text(settings, encoding="utf-8")
    for secret in ("solutions/scale.py", "tests/hidden/scale.py"):
        with open(world.course / secret, "a", encoding="utf-8") as file:
            file.write(f"\nSECRET = {world.canary!r}\n")
    (world.course / "gradebook.csv").write_text(f"student,score\n{world.canary},10\n", encoding="utf-8")
    for folder in (world.submissions, world.results, world.marks, world.temporary):
        folder.mkdir()
        folder.chmod(0o777)
    return world


def expanded(text: str, world: World) -> str:
    """An attack's source, with the parts that it shares with others, the places it is after, and what is too long or
    too odd to keep in a file."""
    for name, part in PARTS.items():
        text = text.replace(f"{name}\n", part)
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


def grade(worlds: Sequence[World], *options: str) -> None:
    """Run the command line as a program of its own, for all worlds at once; what it leaves becomes our child."""
    before = descendants(os.getpid())
    running = [(world, start(world, *options)) for world in worlds]
    end = time.monotonic() + 300 * len(worlds)
    for world, program in running:
        world.code = program.wait(max(1.0, end - time.monotonic()))
        world.said = (world.base / "said").read_text(encoding="utf-8")
    wait_until(lambda: descendants(os.getpid()) <= before, 3)
    left = descendants(os.getpid()) - before
    for world in worlds:
        world.left = left
        with open(world.results / "summary.csv", encoding="utf-8", newline="") as file:
            world.summary = list(csv.reader(file))


def start(world: World, *options: str) -> subprocess.Popen[bytes]:
    places = {"TMPDIR": str(world.temporary), "TMP": str(world.temporary), "TEMP": str(world.temporary)}
    environment = {"PATH": os.environ["PATH"], "ATTACK_SECRET": world.canary, "COLUMNS": "200", **places}
    command = [str(interpreter(world.base.parent, world.user)), "-I", "-m", "grader", "grade", str(world.submissions)]
    command += ["--out", str(world.results), "--course", str(world.course)]
    command += ["--seed", "1", "--jobs", "2", "--lang", "en", *options]
    user = {"user": world.user, "group": world.user, "extra_groups": []} if world.user != os.geteuid() else {}
    with open(world.base / "said", "wb") as said:
        return subprocess.Popen(command, env=environment, cwd="/", stdout=said, stderr=said, **user)


def interpreter(base: Path, user: int) -> Path | None:
    """A Python that this user can start, in an environment that finds the kit and torch; None if there is none."""
    if user == os.geteuid():
        return Path(sys.executable)
    name = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    program = shutil.which(name, path="/usr/local/bin:/usr/bin")
    if program is None:
        return None
    home = base / "venv"
    if not home.exists():
        subprocess.run([program, "-m", "venv", "--without-pip", str(home)], check=True)
        (home / "lib" / name / "site-packages" / "kit.pth").write_text(f"{ROOT}\n{PACKAGES}\n")
    return home / "bin" / "python"
