"""Strangers' files that attack the grader, graded for real among honest neighbours, as root and as an ordinary user.

Each file in `attacks/` says in its docstring what it tries and what stops it, and in a comment which score it deserves.
"""

from __future__ import annotations

import ctypes
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from support import wait_until
from world import ATTACKS, NEIGHBOURS, World, grade, hand_in, interpreter, make_world

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="strangers' code is graded on Linux"),
]

NOBODY = 65534
SECONDS = re.compile(r'"seconds": [-+.e\d]+')
DESERVES = re.compile(r"^# deserves (at most )?([\d.]+)$", re.MULTILINE)


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


@pytest.fixture(scope="module")
def worlds(base: Path) -> Iterator[dict[int, World]]:
    """All attacks, graded by each user at the same time: they wait for time-outs more than they compute."""
    made = {user: make_world(base / str(user), user) for user in users() if interpreter(base, user)}
    for world in made.values():
        hand_in(world, ATTACKS)
    grade([*made.values()])
    yield made
    for world in made.values():
        world.listener.close()


@pytest.fixture(params=users(), ids=lambda user: "root" if user == 0 else "ordinary")
def world(request: pytest.FixtureRequest, worlds: dict[int, World]) -> World:
    """The attacks of one user."""
    if request.param not in worlds:
        pytest.skip("an ordinary user cannot start this Python")
    return worlds[request.param]


@pytest.fixture(scope="module")
def quiets(worlds: dict[int, World], base: Path) -> dict[int, World]:
    """The neighbours alone, graded by the same users."""
    made = {user: make_world(base / f"{user}-quiet", user) for user in worlds}
    for alone in made.values():
        hand_in(alone, [])
    grade([*made.values()])
    for alone in made.values():
        alone.listener.close()
    return made


@pytest.fixture
def quiet(world: World, quiets: dict[int, World]) -> World:
    """The neighbours alone, graded by the same user."""
    return quiets[world.user]


def test_there_are_enough() -> None:
    assert len(ATTACKS) >= 200
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
    text = scale["stdout"] + "".join(reasons)
    assert all(c in "\n\t" or c.isprintable() for c in text)


OUTDATED = re.compile(
    r"positional argument|raises (Name|Attribute|Import|ModuleNotFound|UnboundLocal)Error"
    r"|cannot be imported: it raises(?!.* is not allowed here)"  # what is refused by name is stopped there
)


@pytest.mark.parametrize("path", ATTACKS, ids=[p.stem for p in ATTACKS])
def test_it_really_attacks(world: World, path: Path) -> None:
    """What it replaces may be called otherwise by now: an attack that stumbles over that proves nothing."""
    for check in world.report(path.stem)["exercises"][0]["checks"]:
        assert not OUTDATED.search(check["reason"])
        if "@FORGED@" in path.read_text(encoding="utf-8"):  # the worker could send what it forged
            assert "the code ended its process" not in check["reason"]


def test_the_batch_is_complete(world: World) -> None:
    students = {p.name for p in world.submissions.iterdir()}
    assert {p.stem for p in (world.results / "reports").iterdir()} == students
    assert {row[0] for row in world.summary[1:]} == students
    assert world.code == 0, world.said[-3000:]
    assert f"{len(students)} graded, 0 not graded" in world.said


def test_nothing_was_read(world: World) -> None:
    assert "CANARY-" not in world.texts()


def test_nothing_was_written(world: World) -> None:
    assert not list(world.marks.iterdir())
    assert not list(world.temporary.iterdir())
    assert not [
        p for p in ("/tmp/marker", "/tmp/fifo", "/tmp/fill", "/tmp/link", "/dev/shm/fill") if os.path.lexists(p)
    ]
    ours = {
        "reports",
        "record.sqlite",
        "summary.csv",
        "index.html",
        "seed.txt",
        "faults.json",
        "regrade.json",
        ".lock",
    }
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
    grade([world], "--unsafe-no-sandbox")
    assert world.canary in world.report_text("read_solution")
    assert world.canary in world.report_text("read_gradebook")
    assert world.canary in world.report_text("read_by_import")
    assert "CANARY-sent" in world.report_text("net_connect")
    assert wait_until(lambda: "tcp" in world.listener.contacts)
    assert "CANARY-written" in world.texts()
    world.listener.close()
